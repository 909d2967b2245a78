"""Tensors flagged by a check; graphs mark the operations that made them."""

from __future__ import annotations

__all__ = ["flag", "flags"]

flags: dict[int, str] = {}  # tensor id -> its fault; at most one


def flag(ident: int, words: str) -> None:
    """Flag the op that made the tensor with this id, and no other; 0 clears the flag.

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
