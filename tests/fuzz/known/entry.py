"""One accepted difference: what it matches, and its reason."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Known"]


@dataclass(frozen=True)
class Known:
    """A pattern of programs, a pattern of kinds, and why they may disagree.

    `expected` is a pattern of what PyTorch gives: its result or its refusal. `cause` is
    the name of a test that must confirm the reason (`causes.py`).
    """

    program: str
    kinds: str
    reason: str
    expected: str = ""
    cause: str = ""
