"""Gradients of a small layer by backward and by differences, as maps.

The same numbers as `widgets/src/course/gradcheck_numbers.ts`, to the last bit: both
halves add, multiply and round in the same order. A reader chooses a mistake in backward
and moves the step.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from ...widgets.box_style import BAD, MUTED
from ...widgets.format import number
from ...widgets.svg import Picture
from ...widgets.value_colours import NONFINITE, ZERO, value_colour
from .interaction import Interaction

__all__ = [
    "LAYER",
    "MISTAKES",
    "STEPS",
    "Compared",
    "GradcheckMaps",
    "analytic",
    "checked",
    "errors_by_step",
    "numeric",
    "verdict",
]

Array = npt.NDArray[Any]
Arrays = dict[str, Array]

N = 4  # rows and columns of every matrix
LEAST = 1e-8  # the least divisor of a difference
MISTAKES: Final = {
    "none": "no mistake",
    "transpose": "transpose forgotten",
    "broadcast": "un-broadcast forgotten",
    "incoming": "incoming gradient forgotten",
    "mean": "mean for sum",
}
PRECISIONS: Final = ("float64", "float32")
TOLERANCES: Final = (1e-2, 1e-4, 1e-6, 1e-8)
# 1e-15, 2e-15, 5e-15, 1e-14, ..., 0.5, 1: parsed from text, as the page does
STEPS: Final = (
    *(float(f"{digit}e-{power}") for power in range(15, 0, -1) for digit in (1, 2, 5)),
    1.0,
)
# in hundredths
LAYER: Final = {
    "x": (
        (83, -41, 27, 115), (-62, 98, -105, 36), (54, 71, 88, -93), (-77, -29, 46, 61),
    ),
    "w": ((31, -56, 72, 18), (-44, 65, 23, -81), (59, 12, -37, 48), (-26, 84, 55, -13)),
    "b": ((45, -32, 67, -58),),
    "r": ((64, -91, 38, 52), (-47, 73, 85, -36), (92, 28, -69, 57), (-34, 61, 49, -88)),
}  # fmt: skip


def layer(precision: str) -> Arrays:
    """The tensors x, w, b, and r, the incoming gradient."""
    return {
        name: (np.array(rows) / 100).astype(precision) for name, rows in LAYER.items()
    }


def scores(x: Any, w: Any, b: Any) -> Any:
    """X @ w + b, summed in the order of the page's loops."""
    s = np.zeros((N, N), x.dtype)
    for k in range(N):
        s = s + x[:, k : k + 1] * w[k : k + 1]
    return s + b


def loss(given: Arrays) -> Any:
    """The sum of r · (x @ w + b)³, in the order of the page's loops."""
    x, w, b, r = (given[name] for name in "xwbr")
    s = scores(x, w, b)
    return np.add.accumulate((r * (s * s * s)).reshape(-1))[-1]


def numeric(precision: str, h: float) -> Arrays:
    """The gradients of x, w and b by central differences.

    Example:
        >>> numeric("float64", 1e-5)["b"].round(3).tolist()
        [[2.894, 2.568, 5.812, -4.312]]
    """
    given, step = layer(precision), np.dtype(precision).type(h)
    found: Arrays = {}
    for name in "wbx":
        found[name] = np.zeros_like(given[name])
        for index in np.ndindex(*given[name].shape):
            sides = []
            for move in (step, -step):
                moved = {**given, name: given[name].copy()}
                moved[name][index] += move
                sides.append(loss(moved))
            found[name][index] = (sides[0] - sides[1]) / (step + step)
    return found


def analytic(precision: str, mistake: str) -> Arrays:
    """The gradients of x, w and b by backward, with a chosen mistake.

    Example:
        >>> analytic("float64", "none")["b"].round(3).tolist()
        [[2.894, 2.568, 5.812, -4.312]]
    """
    given = layer(precision)
    x, w, b, r = (given[name] for name in "xwbr")
    s = scores(x, w, b)
    slope = s * s * x.dtype.type(3)
    g = slope if mistake == "incoming" else slope * r
    gw, gx, gb = np.zeros_like(w), np.zeros_like(x), np.zeros_like(b)
    for k in range(N):
        rows = x[:, k : k + 1] if mistake == "transpose" else x[k : k + 1].T
        gw = gw + rows * g[k : k + 1]
        gx = gx + g[:, k : k + 1] * w[:, k : k + 1].T
        gb = gb + g[k : k + 1]
    if mistake == "broadcast":
        gb = g
    if mistake == "mean":
        gb = gb / x.dtype.type(N)
    return {"w": gw, "b": gb, "x": gx}


@dataclass(frozen=True)
class Compared:
    """The gradients of one tensor.

    Attributes:
        analytic: by backward.
        numeric: by central differences.
        errors: |a - n| / max(|a|, |n|, 1e-8); empty where the shapes differ.
    """

    analytic: Array
    numeric: Array
    errors: Array


def _compared(a: Array, n: Array) -> Compared:
    if a.shape != n.shape:
        return Compared(a, n, np.zeros((0, 0)))
    wide, narrow = a.astype(np.float64), n.astype(np.float64)
    size = np.maximum(np.maximum(abs(wide), abs(narrow)), LEAST)
    return Compared(a, n, abs(wide - narrow) / size)


def checked(precision: str, mistake: str, h: float) -> dict[str, Compared]:
    """Both gradients of w, b and x, and their differences."""
    by_backward, by_steps = analytic(precision, mistake), numeric(precision, h)
    return {name: _compared(by_backward[name], by_steps[name]) for name in "wbx"}


def worst_of(found: Mapping[str, Compared]) -> float:
    """The largest error among tensors whose shapes agree."""
    return max(float(c.errors.max()) for c in found.values() if c.errors.size)


def errors_by_step(precision: str, mistake: str) -> list[float]:
    """The largest error at each step."""
    return [worst_of(checked(precision, mistake, h)) for h in STEPS]


def verdict(name: str, found: Compared, tolerance: float) -> str:
    """The check's verdict on one tensor.

    Example:
        >>> found = checked("float64", "broadcast", 1e-5)
        >>> verdict("b", found["b"], 1e-6)
        'b: the shapes differ, (4, 4) and (4,)'
    """
    if not found.errors.size:
        return f"{name}: the shapes differ, {_shape(found.analytic)} and (4,)"
    wrong = int((found.errors > tolerance).sum())
    worst = float(found.errors.max())
    if wrong:
        count = f"{wrong} of {found.errors.size} are wrong"
        return f"{name}: {count}, the largest error is {number(worst)}"
    return f"{name}: agrees, the largest error is {number(worst)}"


def passes(found: Mapping[str, Compared], tolerance: float) -> bool:
    """Whether every shape agrees and every error is within the tolerance."""
    return all(
        c.errors.size and float(c.errors.max()) <= tolerance for c in found.values()
    )


def _shape(values: Array) -> str:
    return "(4,)" if values.shape[0] == 1 else f"({values.shape[0]}, {N})"


def step_text(h: float) -> str:
    """A step size as it is written in code.

    Example:
        >>> step_text(STEPS[30]), step_text(0.02)
        ('1e-5', '0.02')
    """
    return f"{h:g}" if h >= 1e-3 else f"{h:.0e}".replace("e-0", "e-")


class GradcheckMaps(Interaction):
    """Gradients by backward, by central differences, and their difference, as maps.

    The layer is (x @ w + b)³, and its backward may hold a mistake. In the page a reader
    chooses the mistake, the precision and the tolerance, moves the step, and goes from
    cell to cell.

    Args:
        mistake: a key of `MISTAKES`.
        precision: "float64" or "float32".
        step: of the central difference, one of `STEPS`.
        tolerance: 1e-2, 1e-4, 1e-6 or 1e-8: the largest relative error that passes.

    Raises:
        ValueError: a setting is not one of those.

    Example:
        >>> print(GradcheckMaps("transpose").text().splitlines()[2])
        w: 16 of 16 are wrong, the largest error is 1.75
    """

    kind: ClassVar[str] = "gradcheck_maps"

    def __init__(
        self,
        mistake: str = "none",
        precision: str = "float64",
        step: float = 1e-5,
        tolerance: float = 1e-6,
    ) -> None:
        for name, value, known in (
            ("mistake", mistake, tuple(MISTAKES)),
            ("precision", precision, PRECISIONS),
            ("step", step, STEPS),
            ("tolerance", tolerance, TOLERANCES),
        ):
            if value not in known:
                raise ValueError(f"{name} is one of {known}, not {value!r}")
        super().__init__(
            data={
                "mistake": mistake,
                "precision": precision,
                "step": STEPS.index(step),
                "tolerance": tolerance,
                "layer": {name: [list(row) for row in LAYER[name]] for name in LAYER},
            }
        )

    def text(self) -> str:
        """The verdict for each tensor, and the largest error."""
        found, tolerance = self._found(), self.data["tolerance"]
        lines = [self._caption(), _headline(found, tolerance)]
        for name, compared in found.items():
            lines.append(verdict(name, compared, tolerance))
            if compared.errors.size:
                at = np.unravel_index(compared.errors.argmax(), compared.errors.shape)
                a, n = float(compared.analytic[at]), float(compared.numeric[at])
                place = _index(name, int(at[0]), int(at[1]))
                lines.append(f"  {place}: analytic {a:.9g}, numeric {n:.9g}")
        return "\n".join(lines)

    def picture(self, note: str = "") -> Picture:
        """The nine maps, and the largest error for all step sizes."""
        return _draw(self._caption(note), self._found(), self.data)

    def _found(self) -> dict[str, Compared]:
        data = self.data
        return checked(data["precision"], data["mistake"], STEPS[data["step"]])

    def _caption(self, note: str = "") -> str:
        data = self.data
        words = f"{MISTAKES[data['mistake']]}, {data['precision']}"
        h, tolerance = step_text(STEPS[data["step"]]), step_text(data["tolerance"])
        end = f" ({note})" if note else ""
        return f"y = (x @ w + b)³: {words}, step {h}, tolerance {tolerance}{end}"


def _headline(found: Mapping[str, Compared], tolerance: float) -> str:
    return "The check passes." if passes(found, tolerance) else "The check fails."


def _index(name: str, i: int, j: int) -> str:
    return f"b[{j}]" if name == "b" else f"{name}[{i}, {j}]"


# ---- the still picture

CELL = 24.0
COLUMNS: Final = ("analytic", "numeric", "difference")
CHART = (430.0, 84.0, 268.0, 236.0)  # left, top, width, height
LOWEST, HIGHEST = -13, 1  # powers of ten at the ends of the chart
GRID, LINE = "#e4e8ee", "#0072b2"


def _draw(caption: str, found: Mapping[str, Compared], data: dict[str, Any]) -> Picture:
    tolerance = data["tolerance"]
    rows = sum(len(compared.analytic) for compared in found.values())
    picture = Picture(720, 190 + CELL * rows, caption)
    picture.text(16, 24, caption, size=12, bold=True)
    picture.text(16, 44, _headline(found, tolerance), size=12)
    for column, name in enumerate(COLUMNS):
        left = 46 + column * 116
        picture.text(left + 2 * CELL, 74, name, size=11, fill=MUTED, anchor="middle")
    top = 84.0
    for name, compared in found.items():
        picture.text(24, top + 16, name, size=13, bold=True, mono=True)
        _draw_maps(picture, top, compared, tolerance)
        top += CELL * max(len(compared.analytic), len(compared.numeric)) + 12
    for i, (name, compared) in enumerate(found.items()):
        words = verdict(name, compared, tolerance)
        picture.text(16, top + 14 + 18 * i, words, size=12)
    _draw_chart(picture, data)
    return picture


def _draw_maps(
    picture: Picture, top: float, compared: Compared, tolerance: float
) -> None:
    a, n, errors = compared.analytic, compared.numeric, compared.errors
    bound = max(float(abs(a).max()), float(abs(n).max()))
    for column, values in enumerate((a, n, errors)):
        left = 46 + column * 116
        for (i, j), value in np.ndenumerate(values):
            shade = error_colour(value) if column == 2 else value_colour(value, bound)
            x, y = left + CELL * int(j), top + CELL * int(i)
            fill = "#{:02x}{:02x}{:02x}".format(*shade)
            picture.rect(x, y, CELL - 1, CELL - 1, fill=fill, stroke=GRID)
            if column == 2 and value > tolerance:
                ink = "#ffffff" if value > 1e-5 else BAD
                place = (x + CELL / 2 - 0.5, y + CELL / 2 + 4)
                picture.text(*place, "✕", size=11, fill=ink, anchor="middle")
    if not errors.size:
        words = "shapes differ"
        picture.text(46 + 2 * 116, top + 16, words, size=11, fill=BAD, bold=True)


def error_colour(error: float) -> tuple[int, int, int]:
    """A colour from white (error up to 1e-12) to red (1 or more), on a log scale.

    Example:
        >>> error_colour(1e-13), error_colour(2.0)
        ((247, 248, 250), (192, 16, 64))
    """
    t = min(1.0, max(0.0, math.log10(max(error, 1e-300)) / 12 + 1))
    red, green, blue = (
        math.floor(a + (b - a) * t + 0.5) for a, b in zip(ZERO, NONFINITE, strict=True)
    )
    return red, green, blue


def _draw_chart(picture: Picture, data: dict[str, Any]) -> None:
    left, top, width, height = CHART

    def place(index: float, error: float) -> tuple[float, float]:
        power = math.log10(max(error, 1e-300))
        share = (HIGHEST - min(HIGHEST, max(LOWEST, power))) / (HIGHEST - LOWEST)
        return left + width * index / (len(STEPS) - 1), top + height * share

    for power in range(-12, 1, 4):
        at = place(0, 10.0**power)[1]
        picture.line([(left, at), (left + width, at)], stroke=GRID)
        words = f"1e{power}" if power else "1"
        picture.text(left - 6, at + 4, words, size=10, fill=MUTED, anchor="end")
    picture.text(left, top - 10, "largest error over the step", size=11, fill=MUTED)
    for index, words in ((0, "1e-15"), (15, "1e-10"), (30, "1e-5"), (45, "1")):
        x = place(index, 1)[0]
        foot = top + height + 16
        picture.text(x, foot, words, size=10, fill=MUTED, anchor="middle")
    at = place(0, data["tolerance"])[1]
    picture.line([(left, at), (left + width, at)], stroke=BAD, dash="3 3")
    errors = errors_by_step(data["precision"], data["mistake"])
    line = [place(i, error) for i, error in enumerate(errors)]
    picture.line(line, stroke=LINE, width=2)
    x, y = line[data["step"]]
    picture.rect(x - 4, y - 4, 8, 8, fill=LINE, stroke="#ffffff", radius=4)
