"""A buffer of twelve numbers, and the elements that views of it cover.

The same as `widgets/src/course/stride_inspector.ts`, where a reader takes view after
view; here they are the library's own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from ...ops.create import arange
from ...widgets.box_style import GRADIENT, MUTED
from ...widgets.svg import Picture, fit_text
from .interaction import Interaction

__all__ = ["OPERATIONS", "StrideInspector", "Viewed", "viewed"]

Operation = Callable[[Any], Any]

ROWS, COLUMNS = 3, 4
FIRST = 10  # x holds 10, 11, ...: numbers that are not places
CELL = 34.0
LIT, GRID = "#a9d2ea", "#c3cad5"


@dataclass(frozen=True)
class Viewed:
    """A 2-D tensor and its position in memory.

    Attributes:
        code: what made it of x.
        is_view: whether its memory is that of x.
    """

    code: str
    shape: tuple[int, int]
    strides: tuple[int, int]
    offset: int
    buffer: list[int]
    is_view: bool

    def place(self, row: int, column: int) -> int:
        """The offset of an element in the buffer."""
        return self.offset + row * self.strides[0] + column * self.strides[1]

    def places(self) -> list[list[int]]:
        """The offset of every element."""
        rows, columns = self.shape
        return [[self.place(i, j) for j in range(columns)] for i in range(rows)]


OPERATIONS: Final[dict[str, tuple[Operation, Callable[[int, int], str]]]] = {
    "transpose": (lambda y: y.t(), lambda _rows, _columns: ".t()"),
    "drop a row": (lambda y: y[1:], lambda _rows, _columns: "[1:]"),
    "every 2nd column": (lambda y: y[:, ::2], lambda _rows, _columns: "[:, ::2]"),
    "expand": (
        lambda y: y[:, :1].expand(*y.shape),
        lambda rows, columns: f"[:, :1].expand({rows}, {columns})",
    ),
    "reshape": (
        lambda y: y.reshape(y.shape[1], y.shape[0]),
        lambda rows, columns: f".reshape({columns}, {rows})",
    ),
}


def viewed(names: Sequence[str]) -> Viewed:
    """Apply operations to x, one after another.

    The only row is not dropped, and of two columns both stay.

    Example:
        >>> viewed(["transpose", "drop a row"]).strides
        (1, 4)
    """
    x = arange(FIRST, FIRST + ROWS * COLUMNS).reshape(ROWS, COLUMNS)
    y, code = x, "x"
    for name in names:
        if y.shape[0] == 1 and name == "drop a row":
            continue
        if y.shape[1] < 3 and name == "every 2nd column":
            continue
        make, words = OPERATIONS[name]
        y, code = make(y), code + words(*y.shape)
    whole = y.as_strided((y.untyped_storage().nbytes() // y.element_size(),), (1,), 0)
    return Viewed(
        code,
        (y.shape[0], y.shape[1]),
        (y.stride(0), y.stride(1)),
        y.storage_offset(),
        whole.tolist(),
        y.untyped_storage().data_ptr() == x.untyped_storage().data_ptr(),
    )


class StrideInspector(Interaction):
    """The memory of a tensor, and how its views index it.

    In the page a reader takes view after view, and sees for each element at which
    place of the memory it lies.

    Args:
        operations: names of `OPERATIONS`, applied one after another initially.
        at: row and column of the element that is shown first.

    Raises:
        KeyError: no operation has this name.

    Example:
        >>> print(StrideInspector(["transpose"]).text().splitlines()[0])
        y = x.t(): shape (4, 3), strides (1, 4), offset 0, a view of x.
    """

    kind: ClassVar[str] = "stride_inspector"

    def __init__(
        self, operations: Sequence[str] = (), at: tuple[int, int] = (0, 0)
    ) -> None:
        rows, columns = viewed(operations).shape
        place = [max(0, min(at[0], rows - 1)), max(0, min(at[1], columns - 1))]
        super().__init__(data={"operations": list(operations), "at": place})

    def picture(self, note: str = "") -> Picture:
        """The buffer with the view's elements highlighted, and the view."""
        seen, (row, column) = viewed(self.data["operations"]), self.data["at"]
        wide = max(len(seen.buffer) * CELL + 32, 560)
        high = 150 + seen.shape[0] * CELL
        picture = Picture(wide, high, "A tensor's memory and a view of it")
        caption = _caption(seen) + (f" ({note})" if note else "")
        picture.text(16, 22, fit_text(caption, wide - 32, 12), size=12, bold=True)
        picture.text(16, 42, _walk(seen, row, column), size=12)
        lit = {place for line in seen.places() for place in line}
        for place, value in enumerate(seen.buffer):
            chosen = place == seen.place(row, column)
            _cell(picture, 16 + place * CELL, 66, value, place in lit, chosen)
            middle = 16 + (place + 0.5) * CELL
            picture.text(middle, 60, str(place), size=9, fill=MUTED, anchor="middle")
        picture.text(16, 130, "y", size=12, fill=MUTED)
        for i, line in enumerate(seen.places()):
            for j, place in enumerate(line):
                chosen = (i, j) == (row, column)
                x, y = 16 + j * CELL, 138 + i * CELL
                _cell(picture, x, y, seen.buffer[place], True, chosen)
        return picture

    def text(self) -> str:
        """Shape, strides and offset, the position of one element, and all numbers."""
        seen, (row, column) = viewed(self.data["operations"]), self.data["at"]
        lines = [_caption(seen), _walk(seen, row, column)]
        lines.append("memory: " + " ".join(map(str, seen.buffer)))
        lines += [
            " ".join(f"{seen.buffer[place]:>3}" for place in line)
            for line in seen.places()
        ]
        return "\n".join(lines)


def _caption(seen: Viewed) -> str:
    whose = "a view of x" if seen.is_view else "a copy, with its own memory"
    return (
        f"y = {seen.code}: shape {seen.shape}, strides {seen.strides}, "
        f"offset {seen.offset}, {whose}."
    )


def _walk(seen: Viewed, row: int, column: int) -> str:
    down, across = seen.strides
    return (
        f"y[{row}, {column}] is at {seen.offset} + {row}·{down} + {column}·{across} "
        f"= {seen.place(row, column)}"
    )


def _cell(
    picture: Picture, x: float, y: float, value: int, lit: bool, chosen: bool
) -> None:
    picture.rect(x, y, CELL, CELL, fill=LIT if lit else "#ffffff", stroke=GRID)
    if chosen:
        picture.rect(
            x + 1, y + 1, CELL - 2, CELL - 2, fill="none", stroke=GRADIENT, width=2.5
        )
    picture.text(x + CELL / 2, y + CELL / 2 + 4, str(value), size=11, anchor="middle")
