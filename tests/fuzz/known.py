"""Disagreements that stay, each with its reason.

An entry matches a failure whose program and kind it finds by regular expression.
A reason says why PyTorch's answer is not wanted or cannot be had, never only that
the two differ.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["KNOWN", "Known", "known"]


@dataclass(frozen=True)
class Known:
    """A pattern of programs, a pattern of kinds, and why they may disagree."""

    program: str
    kinds: str
    reason: str


KNOWN: tuple[Known, ...] = ()


def known(program: str, kind: str) -> Known | None:
    """The entry that explains a failure, or None."""
    for entry in KNOWN:
        if re.fullmatch(entry.kinds, kind) and re.search(entry.program, program):
            return entry
    return None
