"""An LSTM that reads a word, with its gates and states after every letter.

The same as `widgets/src/course/letter_gates.ts`, where a reader types the word; both
compute with the weights of a network that was trained in the chapter.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from ...nn import LSTM, Linear
from ...random import fork_rng, manual_seed
from ...widgets.box_style import GRADIENT, MUTED, TEXT
from ...widgets.svg import Picture, fit_text
from .interaction import Interaction

__all__ = ["LONGEST", "PARTS", "LetterGates", "Step", "answer", "formula", "read"]

Array = npt.NDArray[Any]

LONGEST: Final = 24  # letters that are read
PARTS: Final = {
    "i": "input gate",
    "f": "forget gate",
    "g": "candidate",
    "o": "output gate",
    "c": "cell state",
    "h": "output",
}
BLUE: Final = "#0072b2"


@dataclass(frozen=True)
class Step:
    """The state of the network after one letter.

    Attributes:
        letter: the letter.
        parts: for i, f, g, o, c and h the numbers of all units.
        before: the cell state before the letter.
        shares: of the classes, if the word ended here.
    """

    letter: str
    parts: Mapping[str, list[float]]
    before: list[float]
    shares: list[float]


def read(data: Mapping[str, Any], word: str) -> list[Step]:
    """Run an LSTM over the letters of a word that are in the alphabet.

    Args:
        data: of a `LetterGates`.
        word: the word, read in lower case, up to 24 letters.
    """
    w_x, w_h, w = (np.array(data[name]) for name in ("w_x", "w_h", "w"))
    h = c = np.zeros(w_h.shape[1])
    steps = []
    for letter in _known(data["alphabet"], word):
        sums = w_x[:, data["alphabet"].index(letter)] + w_h @ h + np.array(data["b"])
        quarters = sums.reshape(4, -1)
        i, f, o = (_sigmoid(quarters[k]) for k in (0, 1, 3))
        g, before = np.tanh(quarters[2]), c
        c = f * c + i * g
        h = o * np.tanh(c)
        parts = dict(zip(PARTS, (i, f, g, o, c, h), strict=True))
        scores = w @ h + np.array(data["bias"])
        raised = np.exp(scores - scores.max())
        shares = raised / raised.sum()
        lists = {name: values.tolist() for name, values in parts.items()}
        steps.append(Step(letter, lists, before.tolist(), shares.tolist()))
    return steps


def _known(alphabet: str, word: str) -> str:
    return "".join(c for c in word.lower() if c in alphabet)[:LONGEST]


def _sigmoid(x: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-x)))


def formula(step: Step, unit: int) -> str:
    """The formula of the cell with the numbers of one unit."""
    i, f, g, o, c, h = (f"{values[unit]:.2f}" for values in step.parts.values())
    return (
        f"c = f · c + i · g = {f} · {_signed(step.before[unit])} + {i} · {_signed(g)} "
        f"= {c}; h = o · tanh(c) = {o} · {_signed(math.tanh(step.parts['c'][unit]))} "
        f"= {h}"
    )


def _signed(value: float | str) -> str:
    text = value if isinstance(value, str) else f"{value:.2f}"
    return f"({text})" if text.startswith("-") else text


def answer(steps: Sequence[Step], at: int, classes: Sequence[str]) -> str:
    """The output of the network after letter `at`: the two most likely classes."""
    shares = steps[at].shares
    best = sorted(range(len(shares)), key=lambda k: -shares[k])[:2]
    said = ", ".join(f"{classes[k]} {math.floor(100 * shares[k] + 0.5)}%" for k in best)
    return f"after “{''.join(step.letter for step in steps[: at + 1])}”: {said}"


class LetterGates(Interaction):
    """An LSTM unrolled over the letters of a word that the reader types.

    In the page the reader sees every gate and state as a coloured cell, goes from
    letter to letter and from unit to unit, and reads the rule with its numbers.

    Args:
        lstm: an `nn.LSTM` of one layer, whose inputs are one-hot letters; None for
            eight units that were never trained.
        scores: an `nn.Linear` from its last h to a score for each class, or None.
        alphabet: the letter of each input.
        classes: the name of each score.
        word: the initial word.
        unit: the unit chosen initially.

    Raises:
        ValueError: the LSTM has several layers or directions, or the names do not fit.

    Example:
        >>> print(LetterGates(word="to").text().splitlines()[0])
        unit 0:      i      f      g      o      c      h
    """

    kind: ClassVar[str] = "letter_gates"

    def __init__(
        self,
        lstm: Any = None,
        scores: Any = None,
        alphabet: str = ascii_lowercase,
        classes: Sequence[str] = ("this", "that"),
        *,
        word: str = "omega",
        unit: int = 0,
    ) -> None:
        if lstm is None or scores is None:
            lstm, scores = _untrained(len(alphabet), len(classes))
        if lstm.num_layers != 1 or lstm.bidirectional:
            raise ValueError("expects an LSTM of one layer that reads forward")
        if lstm.input_size != len(alphabet) or scores.out_features != len(classes):
            raise ValueError(
                f"{lstm.input_size} inputs and {len(alphabet)} letters, "
                f"{scores.out_features} scores and {len(classes)} classes"
            )
        super().__init__(
            data={
                "w_x": _rounded(lstm.weight_ih_l0),
                "w_h": _rounded(lstm.weight_hh_l0),
                "b": _rounded(lstm.bias_ih_l0 + lstm.bias_hh_l0),
                "w": _rounded(scores.weight),
                "bias": _rounded(scores.bias),
                "alphabet": alphabet,
                "classes": list(classes),
                "word": word,
                "unit": unit,
            }
        )

    def picture(self, note: str = "") -> Picture:
        """The cell states of all units, the gates of one unit, and the outputs."""
        return _draw(self.data, read(self.data, self.data["word"]), note)

    def text(self) -> str:
        """The gates of the chosen unit and the output, letter by letter."""
        unit, classes = self.data["unit"], self.data["classes"]
        steps = read(self.data, self.data["word"])
        lines = [f"unit {unit}:" + "".join(f"{name:>7}" for name in PARTS)]
        for at, step in enumerate(steps):
            numbers = "".join(f"{v[unit]:7.2f}" for v in step.parts.values())
            lines.append(f"{step.letter:<7}{numbers}  {answer(steps, at, classes)}")
        if steps:
            lines.append(formula(steps[-1], unit))
        return "\n".join(lines)


def _untrained(letters: int, classes: int) -> tuple[LSTM, Linear]:
    """A network with fixed initial weights."""
    with fork_rng():
        manual_seed(11)
        return LSTM(letters, 8), Linear(8, classes)


def _rounded(weights: Any) -> Any:
    """Lists rounded to six decimals, so that page and Python compute the same."""
    return np.round(weights.detach().numpy().astype(np.float64), 6).tolist()


# ---- the still picture

LEFT, CELL, ROW = 92.0, 30.0, 18.0  # of the labels; the width and height of a cell
THIN = 10.0  # the height of a unit's row in the map of all


def _draw(data: Mapping[str, Any], steps: Sequence[Step], note: str) -> Picture:
    units, unit, classes = len(data["w_h"][0]), data["unit"], data["classes"]
    height = 140 + units * THIN + len(PARTS) * ROW + len(classes) * ROW
    width = max(LEFT + CELL * len(steps) + 16, 480)
    title = f"An LSTM reads “{data['word']}”: unit {unit}"
    title += f" ({note})" if note else ""
    picture = Picture(width, height, title)
    words = fit_text(title, width - 32, 13)
    picture.text(16, 24, words, bold=True, size=13)
    for at, step in enumerate(steps):
        middle = LEFT + CELL * (at + 0.5)
        picture.text(middle, 50, step.letter, bold=True, size=14, anchor="middle")
    y = 60.0
    picture.text(16, y + 12, "c of all units", size=11, fill=MUTED)
    for k in range(units):
        _cells(picture, steps, "c", k, y + k * THIN, THIN)
    y += units * THIN + 14
    for name, words in PARTS.items():
        picture.text(16, y + 13, f"{name} {words}", size=11, fill=TEXT)
        _cells(picture, steps, name, unit, y, ROW)
        for at, step in enumerate(steps):
            number = f"{step.parts[name][unit]:.2f}"
            middle = LEFT + CELL * (at + 0.5)
            picture.text(middle, y + 13, number, size=9.5, anchor="middle")
        y += ROW
    y += 14
    for k, name in enumerate(classes):
        picture.text(16, y + 13, name, size=11, fill=TEXT)
        for at, step in enumerate(steps):
            share = step.shares[k]
            _cell(picture, at, y, ROW, share)
            if share >= 0.095:
                middle = LEFT + CELL * (at + 0.5)
                picture.text(
                    middle, y + 13, f"{100 * share:.0f}", size=9.5, anchor="middle"
                )
        y += ROW
    if steps:
        said = answer(steps, len(steps) - 1, classes)
        picture.text(16, y + 24, fit_text(said, width - 32, 12), size=12)
    return picture


def _cells(
    picture: Picture, steps: Sequence[Step], name: str, unit: int, y: float, high: float
) -> None:
    """A row with one unit's values after each letter."""
    for at, step in enumerate(steps):
        value = step.parts[name][unit]
        shade = math.tanh(value) if name == "c" else value
        _cell(picture, at, y, high, shade)


def _cell(picture: Picture, at: int, y: float, high: float, value: float) -> None:
    """A coloured cell: blue for positive, orange for negative, white for 0."""
    picture.rect(
        LEFT + CELL * at, y, CELL - 1, high - 1, fill=_shade(value), stroke="#ffffff"
    )


def _shade(value: float) -> str:
    """A shade from white to blue or orange, on which black letters are legible."""
    full = BLUE if value >= 0 else GRADIENT
    share = 0.6 * min(1.0, abs(value))
    ends = [int(full[k : k + 2], 16) for k in (1, 3, 5)]
    mixed = [round(255 + (end - 255) * share) for end in ends]
    return "#" + "".join(f"{value:02x}" for value in mixed)
