"""Resource limits for grading a submission."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Limits"]


@dataclass(frozen=True)
class Limits:
    """The limits of one submission; a cell that exceeds them gets no points.

    Attributes:
        cell_seconds: for one cell, a check's included.
        seconds: for the whole notebook.
        memory: bytes of address space of each process.
        file: bytes of the largest file that may be written.
        processes: how many processes there may be at once.
        output: characters of output that are kept of one cell.
        restarts: how often the kernel is started again after a cell has ended it.
    """

    cell_seconds: float = 60.0
    seconds: float = 600.0
    memory: int = 4 * 2**30
    file: int = 64 * 2**20
    processes: int = 32
    output: int = 20_000
    restarts: int = 8
