"""Limits the output that an answer prints during a check.

A check calls an answer dozens of times. A learner who prints something in it wants to
see the lines of the first calls, with the check's message still on the screen.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Any, Final

__all__ = ["limit_output", "suppress_output"]

LINES: Final = 5  # printed lines that are shown
WIDE: Final = 200  # characters of each


class _FirstLines:
    """Replaces `sys.stdout`.

    Attributes:
        ended: the number of complete lines printed.
        column: the number of characters in the last, incomplete line.
    """

    def __init__(self, out: Any, lines: int) -> None:
        self._out, self._lines = out, lines
        self.ended, self.column = 0, 0

    def write(self, text: str) -> int:
        """Write the part within the limit."""
        for part in text.splitlines(keepends=True):
            line = part.removesuffix("\n")
            if self.ended < self._lines:
                self._out.write(line[: max(WIDE - self.column, 0)] + part[len(line) :])
            ends = line != part
            self.ended += ends
            self.column = 0 if ends else self.column + len(line)
        return len(text)

    def writelines(self, lines: Any) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._out, name)


@contextmanager
def limit_output(lines: int = LINES) -> Iterator[None]:
    """Show the first lines printed in the block, then how many more there were.

    Example:
        >>> with limit_output(2):
        ...     print("one", "two", "three", "four", sep=chr(10))
        one
        two
        ... and 2 more lines that the answer printed
    """
    printed = _FirstLines(sys.stdout, lines)
    try:
        with redirect_stdout(printed):
            yield
    finally:
        more = printed.ended + bool(printed.column) - lines
        if more > 0:
            text = "1 more line" if more == 1 else f"{more} more lines"
            print(f"... and {text} that the answer printed")


@contextmanager
def suppress_output() -> Iterator[None]:
    """A context that discards printed output."""
    with redirect_stdout(_FirstLines(sys.stdout, 0)):
        yield
