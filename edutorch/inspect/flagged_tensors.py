"""Tensors that a check has flagged; graphs mark the operations that made them."""

from __future__ import annotations

__all__ = ["flag", "flags"]

flags: dict[int, str] = {}  # tensor id -> its fault; at most one


def flag(ident: int, words: str) -> None:
    """Mark what made the tensor of this id, until the next call; 0 marks nothing.

    Example:
        >>> flag(7, "check 01.5: the value is not right")
        >>> flags
        {7: 'check 01.5: the value is not right'}
        >>> flag(0, "")
        >>> flags
        {}
    """
    flags.clear()
    if ident:
        flags[ident] = words
