"""Softmax, loss and gradient of one row of logits, in float32 and numerically stable.

The same as `widgets/src/course/logit_sliders.ts`, where a reader moves the logits; both
compute in double precision and round every result to float32.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np

from ...widgets.box_style import GRADIENT, MUTED, TEXT
from ...widgets.format import number
from ...widgets.svg import Picture, fit_text
from .interaction import Interaction

__all__ = ["LogitSliders", "Numbers", "numbers_of", "verdict"]

FLOWERS: Final = ("setosa", "versicolor", "virginica")
FARTHEST, MOST, COLDEST, HOTTEST = 10.0, 0.5, 0.1, 5.0  # of the sliders
SHIFTED: Final = 1000.0
SAME: Final = 1e-3  # relative error visible in the digits that the page shows
BLUE, LINE, GROUND, BAD = "#0072b2", "#8c96a5", "#eef1f5", "#c01040"

Numbers32 = list[float]


@dataclass(frozen=True)
class Numbers:
    """One row of logits through softmax and cross entropy, computed in two ways.

    Attributes:
        z: logits after shift and temperature.
        targets: y, which add up to 1.
        p: probabilities, the largest logit subtracted first.
        gradient: (p - y) / temperature, the loss's gradient for the logits.
        loss: from logarithms that never leave float32's range.
        paper_exp: exp(z), as on paper.
        paper_p: the same, divided by their sum.
        paper_loss: from the logarithms of those.
    """

    z: Numbers32
    targets: Numbers32
    p: Numbers32
    gradient: Numbers32
    loss: float
    paper_exp: Numbers32
    paper_p: Numbers32
    paper_loss: float


def numbers_of(
    logits: Sequence[float],
    right: int = 0,
    shift: float = 0.0,
    smoothing: float = 0.0,
    temperature: float = 1.0,
) -> Numbers:
    """Probabilities, loss and gradient; every step is rounded to float32.

    Example:
        >>> numbers = numbers_of([2.0, 1.0, 0.0], shift=1000.0)
        >>> round(numbers.loss, 4), numbers.paper_loss
        (0.4076, nan)
    """
    f = np.float32
    with np.errstate(all="ignore"):
        z = [f(f(f(v) + f(shift)) / f(temperature)) for v in logits]
        share = f(smoothing / len(z))
        y = [
            f(share + f(1 - smoothing)) if i == right else share for i in range(len(z))
        ]
        exps = [_exp(v) for v in z]
        paper = [e / _sum(exps) for e in exps]
        distances = [v - max(z) for v in z]
        rest = _log(_sum([_exp(d) for d in distances]))
        logs = [d - rest for d in distances]
        p = [_exp(v) for v in logs]
        gradient = [(a - b) / f(temperature) for a, b in zip(p, y, strict=True)]
        return Numbers(
            _plain(z),
            _plain(y),
            _plain(p),
            _plain(gradient),
            _loss(y, logs),
            _plain(exps),
            _plain(paper),
            _loss(y, [_log(v) for v in paper]),
        )


def _exp(x: Any) -> Any:
    return np.float32(np.exp(np.float64(x)))


def _log(x: Any) -> Any:
    return np.float32(np.log(np.float64(x)))


def _sum(values: Sequence[Any]) -> Any:
    total = np.float32(0)
    for value in values:
        total = total + value
    return total


def _loss(targets: Sequence[Any], logs: Sequence[Any]) -> float:
    """-sum of y log p; classes with target 0 are omitted, as for labels."""
    parts = [y * log for y, log in zip(targets, logs, strict=True) if y > 0]
    return abs(float(_sum(parts))) if parts else 0.0


def _plain(values: Sequence[Any]) -> Numbers32:
    return [float(v) for v in values]


def verdict(numbers: Numbers) -> str:
    """A sentence about the naively computed loss.

    Example:
        >>> verdict(numbers_of([2.0, 1.0, 0.0], shift=1000.0))
        'Stable: loss 0.408. On paper: exp(1002) is inf in float32, and the loss nan.'
    """
    most = max(numbers.z)
    with np.errstate(over="ignore"):
        total = float(_sum([np.float32(v) for v in numbers.paper_exp]))
    loss, paper = number(numbers.loss), number(numbers.paper_loss)
    if max(numbers.paper_exp) == np.inf:
        words = f"On paper: exp({most:.6g}) is inf in float32, and the loss {paper}."
    elif total == np.inf:
        words = f"On paper: the sum of all exp is inf in float32, and the loss {paper}."
    elif total == 0:
        words = f"On paper: every exp is 0 in float32, and 0 / 0 is {paper}."
    elif not np.isfinite(numbers.paper_loss):
        words = f"On paper: a p is 0 in float32, and the loss {paper}."
    elif abs(numbers.paper_loss - numbers.loss) > SAME * (numbers.loss + SAME):
        words = f"On paper: {paper}, most of the digits are lost."
    else:
        words = "On paper: the same."
    return f"Stable: loss {loss}. {words}"


class LogitSliders(Interaction):
    """Sliders for a row of logits: probabilities, loss and gradient follow.

    In the page a reader moves each logit, chooses the right class, adds a number to all
    logits, and moves label smoothing and temperature.

    Args:
        logits: two to five initial logits, from -10 to 10.
        classes: their names.
        right: the index of the right class.
        shift: is added to all logits; from -1000 to 1000.
        smoothing: of the targets, from 0 to 0.5.
        temperature: all logits are divided by it; from 0.1 to 5.

    Raises:
        ValueError: for values out of these ranges, or names that are not one for each.

    Example:
        >>> print(LogitSliders(shift=1000.0).text().splitlines()[1])
        Stable: loss 0.349. On paper: exp(1002) is inf in float32, and the loss nan.
    """

    kind: ClassVar[str] = "logit_sliders"

    def __init__(
        self,
        logits: Sequence[float] = (2.0, 1.0, -1.0),
        classes: Sequence[str] = FLOWERS,
        *,
        right: int = 0,
        shift: float = 0.0,
        smoothing: float = 0.0,
        temperature: float = 1.0,
    ) -> None:
        if not 2 <= len(logits) <= 5 or len(classes) != len(logits):
            raise ValueError(
                f"two to five logits, each with a name; got {len(logits)} logits and "
                f"{len(classes)} names"
            )
        _check("logits", min(logits), -FARTHEST, FARTHEST)
        _check("logits", max(logits), -FARTHEST, FARTHEST)
        _check("right", right, 0, len(logits) - 1)
        _check("shift", shift, -SHIFTED, SHIFTED)
        _check("smoothing", smoothing, 0.0, MOST)
        _check("temperature", temperature, COLDEST, HOTTEST)
        super().__init__(
            data={
                "logits": [float(v) for v in logits],
                "classes": [str(name) for name in classes],
                "right": int(right),
                "shift": float(shift),
                "smoothing": float(smoothing),
                "temperature": float(temperature),
            }
        )

    def picture(self, note: str = "") -> Picture:
        """Probabilities with their targets, and the gradient, by class."""
        numbers, classes = self._numbers(), self.data["classes"]
        picture = Picture(640, 110 + 40 * len(classes), "Softmax, loss and gradient")
        picture.text(
            16, 24, fit_text(self._caption(note), 608, 12), size=12, fill=MUTED
        )
        picture.text(16, 46, fit_text(verdict(numbers), 608, 13), size=13, bold=True)
        heads = ((16, "class"), (150, "logit"), (210, "p, and a mark at its target"))
        for x, words in (*heads, (450, "gradient, from -1 to 1")):
            picture.text(x, 74, words, size=11, fill=MUTED)
        for i in range(len(classes)):
            self._draw_class(picture, numbers, i, 84 + 40 * i)
        return picture

    def _draw_class(
        self, picture: Picture, numbers: Numbers, i: int, top: float
    ) -> None:
        name = self.data["classes"][i] + (" ✓" if i == self.data["right"] else "")
        picture.text(16, top + 17, fit_text(name, 126, 12), size=12, bold="✓" in name)
        picture.text(150, top + 17, number(self.data["logits"][i]), size=12, fill=TEXT)
        p, y, g = numbers.p[i], numbers.targets[i], numbers.gradient[i]
        picture.rect(210, top + 4, 160, 18, fill=GROUND)
        picture.rect(210, top + 4, 160 * p, 18, fill=BLUE)
        at = 210 + 160 * y
        picture.line([(at, top), (at, top + 26)], stroke=TEXT, width=2)
        picture.text(378, top + 17, number(p), size=12)
        picture.rect(450, top + 4, 120, 18, fill=GROUND)
        long = 60 * min(abs(g), 1.0)
        left = 510 - long if g < 0 else 510
        picture.rect(left, top + 4, long, 18, fill=GRADIENT)
        picture.line([(510, top), (510, top + 26)], stroke=LINE)
        picture.text(578, top + 17, number(g), size=12)

    def text(self) -> str:
        """All numbers by class; on the right those computed naively."""
        numbers = self._numbers()
        head = "class         logit  target       p  gradient  exp, paper  p, paper"
        lines = [self._caption(), verdict(numbers), head]
        for i, name in enumerate(self.data["classes"]):
            logit, mark = (
                self.data["logits"][i],
                " ✓" if i == self.data["right"] else "",
            )
            cells = (
                f"{fit_text(name, 70, 10) + mark:<12}",
                f"{number(logit):>6}",
                f"{number(numbers.targets[i]):>6}",
                f"{number(numbers.p[i]):>8}",
                f"{number(numbers.gradient[i]):>9}",
                f"{number(numbers.paper_exp[i]):>10}",
                f"{number(numbers.paper_p[i]):>8}",
            )
            lines.append(" ".join(cells))
        return "\n".join(lines)

    def _numbers(self) -> Numbers:
        data = self.data
        return numbers_of(
            data["logits"],
            data["right"],
            data["shift"],
            data["smoothing"],
            data["temperature"],
        )

    def _caption(self, note: str = "") -> str:
        data = self.data
        return (
            f"{data['classes'][data['right']]} is right; {number(data['shift'])} added "
            f"to all logits, label smoothing {number(data['smoothing'])}, "
            f"temperature {number(data['temperature'])}."
            + (f" ({note})" if note else "")
        )


def _check(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise ValueError(f"{name}: from {low:g} to {high:g}, got {value}")
