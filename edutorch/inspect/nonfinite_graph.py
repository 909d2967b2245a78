"""The graph of non-finite values, each with its inputs.

An entry is an op, the backward of an op, or an input whose value is not finite; its
parents are the entries from which it received such values.
"""

from __future__ import annotations

import re
from collections import deque
from typing import Any, NamedTuple

__all__ = [
    "Entry", "Operand", "Range", "earliest_source", "shortest_path", "writes_infinity",
]  # fmt: skip

# ops that write values given by the program
_MASKING = ("masked_fill", "fill", "where", "index_fill", "scatter", "pad")
_INFINITY = re.compile(r"\binf(inity)?\b")


class Range(NamedTuple):
    """The least and greatest finite element, and the number of non-finite ones."""

    min: float
    max: float
    nan: int
    posinf: int
    neginf: int
    numel: int

    @property
    def bad(self) -> int:
        """How many elements are not finite.

        Example:
            >>> Range(0.0, 1.0, 2, 1, 0, 8).bad
            3
        """
        return self.nan + self.posinf + self.neginf


class Operand(NamedTuple):
    """An operand of an op; `range` is None if its values were not recorded."""

    ident: int
    name: str
    shape: tuple[int, ...]
    dtype: str
    range: Range | None


class Entry:
    """An op or value that is not finite.

    Attributes:
        kind: "op", "backward"; of values that no op made "input", "parameter",
            "update" (by an optimizer, or in place), "earlier", "gradient" (given to
            backward or changed by a hook), and "leaf", where a gradient arrives.
        record: of its forward op; None for a value.
        result: the range of the result that is not finite.
        parents: positions of the entries that its operands came from.
        written: the source line itself writes an infinity, as for a mask.
        optimizer: the class of the optimizer that changed a value that was finite.
    """

    def __init__(self, kind: str, name: str, result: Range, step: int) -> None:
        self.kind = kind
        self.name = name
        self.result = result
        self.step = step
        self.record: tuple[Any, ...] | None = None
        self.shape: tuple[int, ...] = ()
        self.module = ""
        self.variable = ""
        self.operands: list[Operand] = []
        self.parents: list[int] = []
        self.written = False
        self.optimizer = ""

    @property
    def deliberate(self) -> bool:
        """Whether its infinities may be deliberate: written, or in an input."""
        return self.written or (
            self.kind in ("input", "earlier") and not self.result.nan
        )


def ancestors(entries: list[Entry], at: int) -> list[int]:
    """The indices of the entries that lead to one, in order; it is included.

    Example:
        >>> a, b = (Entry("op", n, Range(0, 0, 1, 0, 0, 1), 0) for n in "ab")
        >>> b.parents.append(0)
        >>> ancestors([a, b], 1)
        [0, 1]
    """
    found, left = {at}, [at]
    while left:
        new = set(entries[left.pop()].parents) - found
        found |= new
        left += new
    return sorted(found)


def earliest_source(entries: list[Entry], at: int) -> int:
    """The entry responsible for a non-finite value.

    That is the oldest ancestor without parents whose infinities are not deliberate; if
    all are, the first that made nan from them, or else the oldest of all.
    """
    above = ancestors(entries, at)
    sources = [i for i in above if not entries[i].parents]
    blamed = [i for i in sources if not entries[i].deliberate]
    with_nan = [i for i in above if entries[i].result.nan]
    return (blamed or with_nan or sources)[0]


def shortest_path(entries: list[Entry], start: int, end: int) -> list[int]:
    """The shortest path from an entry to one that was computed from it.

    Raises:
        ValueError: if there is none.
    """
    after: dict[int, int] = {end: end}
    queue = deque([end])
    while queue:
        at = queue.popleft()
        if at == start:
            path = [start]
            while path[-1] != end:
                path.append(after[path[-1]])
            return path
        for parent in entries[at].parents:
            if parent not in after:
                after[parent] = at
                queue.append(parent)
    raise ValueError(f"entry {end} was not computed from entry {start}")


def writes_infinity(op: str, place: dict[str, Any] | None) -> bool:
    """Whether an op's infinities are deliberate: it masks, or its line contains `inf`.

    Args:
        op: its name.
        place: the line; None where it is not known.

    Example:
        >>> writes_infinity("masked_fill", None)
        True
    """
    if op in _MASKING:
        return True
    return place is not None and bool(_INFINITY.search(place["text"]))
