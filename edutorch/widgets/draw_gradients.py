"""The still picture of gradients: layers by steps, coloured by norm."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from .box_style import BAD, GRADIENT, MUTED, TEXT
from .format import number
from .svg import Picture, fit_text

__all__ = [
    "Range",
    "nonfinite_steps",
    "colour_of",
    "colours",
    "draw_gradients",
    "range_of",
]

LEFT, TOP, RIGHT = 168.0, 62.0, 96.0
ROW, PLOT = 20.0, 480.0
MAX_LAYERS = 60
NONE = "#f2f4f7"  # no gradient at that step
BROKEN = "#f0c2cd"  # nan or infinite
MARKS = {"vanishing": "#0b3d91", "exploding": GRADIENT, "nonfinite": BAD}

# dark blue to yellow over grey: lightness alone shows the order (after cividis)
_RAMP = (
    (8, 29, 88),
    (46, 66, 125),
    (86, 105, 130),
    (124, 139, 130),
    (176, 170, 110),
    (222, 205, 80),
    (255, 236, 90),
)


class Range(NamedTuple):
    """The powers of ten that a picture spans."""

    low: int
    high: int


def range_of(norms: list[list[float | None]]) -> Range:
    """The powers of ten that enclose all norms, at least two of them.

    Example:
        >>> range_of([[0.02, 3.0], [None, 0.5]])
        Range(low=-2, high=1)
    """
    logs = [math.log10(x) for row in norms for x in row if x is not None and x > 0]
    if not logs:
        return Range(-2, 0)
    low, high = math.floor(min(logs)), math.ceil(max(logs))
    return Range(min(low, high - 2), high)


def colour_of(norm: float | None, span: Range) -> str:
    """The colour of a gradient norm on a logarithmic scale.

    Example:
        >>> colour_of(1.0, Range(-2, 0)), colour_of(None, Range(-2, 0))
        ('#ffec5a', '#f2f4f7')
    """
    if norm is None:
        return NONE
    power = math.log10(norm) if norm > 0 else span.low
    t = (power - span.low) / (span.high - span.low)
    t = min(max(t, 0.0), 1.0) * (len(_RAMP) - 1)
    i = min(int(t), len(_RAMP) - 2)
    pairs = zip(_RAMP[i], _RAMP[i + 1], strict=True)
    mixed = [round(a + (b - a) * (t - i)) for a, b in pairs]
    return "#" + "".join(f"{c:02x}" for c in mixed)


def colours(data: dict[str, Any]) -> list[list[str]]:
    """One row of colours per layer, one column per step."""
    span = range_of(data["norms"])
    layers = range(len(data["layers"]))
    rows = [[colour_of(row[i], span) for row in data["norms"]] for i in layers]
    for colours_of_layer, i in zip(rows, layers, strict=True):
        for j in nonfinite_steps(data, i):
            colours_of_layer[j] = BROKEN
    return rows


def nonfinite_steps(data: dict[str, Any], layer: int) -> list[int]:
    """The indices into `data["steps"]` at which a layer was nan or infinite.

    Series have no norm for these steps: they are the steps without a norm from a
    "nonfinite" mark on.
    """
    name, before, bad, found = data["layers"][layer], -math.inf, False, []
    own = [m for m in data["marks"] if m["layer"] == name and m["kind"] == "nonfinite"]
    for j, step in enumerate(data["steps"]):
        starts = any(before < m["step"] <= step for m in own)
        bad = data["norms"][j][layer] is None and (bad or starts)
        before = step
        if bad:
            found.append(j)
    return found


def draw_gradients(data: dict[str, Any], note: str = "") -> Picture:
    """Draw a gradient series as a heat map with marks and a scale.

    Args:
        data: a series of `edutorch.inspect.GradientRecorder`.
        note: added to the caption.
    """
    layers = len(data["layers"][:MAX_LAYERS])
    rules = _marks(data)
    height = TOP + max(layers, 1) * ROW + 64 + 16 * len(rules[:4])
    caption = _caption(data, note)
    picture = Picture(LEFT + PLOT + RIGHT, height, caption)
    picture.text(16, 22, caption, size=12, fill=MUTED)
    if data["steps"] and layers:
        _cells(picture, data)
        _labels(picture, data)
        _axis(picture, data, TOP + layers * ROW)
        _glyphs(picture, data)
        _legend(picture, range_of(data["norms"]), TOP + layers * ROW + 44)
        _rules(picture, rules, TOP + layers * ROW + 68)
    return picture


def _caption(data: dict[str, Any], note: str) -> str:
    if not data["steps"]:
        text = "Gradient norms: no training step has ended yet"
    else:
        text = (
            f"Gradient norm per parameter, steps {data['steps'][0]}–{data['steps'][-1]}"
        )
        if len(data["layers"]) > MAX_LAYERS:
            text += f", the first {MAX_LAYERS} of {len(data['layers'])} parameters"
    return f"{text} ({note})" if note else text


def _width(data: dict[str, Any]) -> float:
    return PLOT / len(data["steps"])


def _cells(picture: Picture, data: dict[str, Any]) -> None:
    """Draw one strip per layer, with a pixel per step."""
    for i, row in enumerate(colours(data)[:MAX_LAYERS]):
        picture.image(LEFT, TOP + i * ROW + 1, PLOT, ROW - 2, _strip(row))


def _strip(row: list[str]) -> np.ndarray:
    """Colours as an image that is one pixel high."""
    codes = [bytes.fromhex(colour[1:]) for colour in row]
    return np.frombuffer(b"".join(codes), np.uint8).reshape(1, len(row), 3)


def _labels(picture: Picture, data: dict[str, Any]) -> None:
    last = data["norms"][-1]
    picture.text(LEFT + PLOT + 10, TOP - 8, "last norm", size=10.5, fill=MUTED)
    for i, layer in enumerate(data["layers"][:MAX_LAYERS]):
        y = TOP + i * ROW + 14
        name = fit_text(layer, LEFT - 26, 11)
        picture.text(LEFT - 8, y, name, size=11, fill=TEXT, anchor="end")
        ended = len(data["steps"]) - 1 in nonfinite_steps(data, i)
        norm = "nan/inf" if ended else number(last[i])
        picture.text(LEFT + PLOT + 10, y, norm, size=11, fill=TEXT)


def _axis(picture: Picture, data: dict[str, Any], y: float) -> None:
    steps, w = data["steps"], _width(data)
    for j in _ticks(len(steps)):
        x = LEFT + (j + 0.5) * w
        picture.line([(x, y), (x, y + 4)], stroke=MUTED)
        picture.text(x, y + 16, str(steps[j]), size=10.5, fill=MUTED, anchor="middle")
    picture.text(LEFT - 8, y + 16, "step", size=10.5, fill=MUTED, anchor="end")


def _ticks(n: int) -> list[int]:
    """At most eight positions at round distances from the first."""
    rough = max((n - 1) / 7, 1)
    power = 10 ** math.floor(math.log10(rough))
    step = next(k * power for k in (1, 2, 5, 10) if k * power >= rough)
    return list(range(0, n, step))


def _marks(data: dict[str, Any]) -> list[dict[str, Any]]:
    shown = set(data["layers"][:MAX_LAYERS])
    return [m for m in data["marks"] if m["layer"] in shown]


def _glyphs(picture: Picture, data: dict[str, Any]) -> None:
    """Draw a sign where each mark begins: down, up or a cross."""
    w, first = _width(data), data["steps"][0]
    span = max(1, data["steps"][-1] - first)
    for mark in _marks(data):
        if mark["step"] < first:
            continue
        i = data["layers"].index(mark["layer"])
        x = LEFT + w / 2 + (mark["step"] - first) / span * (PLOT - w)
        _glyph(picture, min(x, LEFT + PLOT - 5), TOP + i * ROW + ROW / 2, mark["kind"])


def _glyph(picture: Picture, x: float, y: float, kind: str) -> None:
    colour = MARKS[kind]
    picture.rect(x - 7, y - 7, 14, 14, fill="#ffffff", stroke=colour, radius=7)
    if kind == "nonfinite":
        picture.line([(x - 3, y - 3), (x + 3, y + 3)], stroke=colour, width=2)
        picture.line([(x - 3, y + 3), (x + 3, y - 3)], stroke=colour, width=2)
        return
    tip = 4 if kind == "vanishing" else -4
    corners = [(x - 4, y - tip / 2), (x + 4, y - tip / 2), (x, y + tip)]
    picture.polygon(corners, fill=colour)


def _legend(picture: Picture, span: Range, y: float) -> None:
    powers = np.linspace(span.low, span.high, 48)
    scale = [colour_of(10.0**power, span) for power in powers]
    picture.image(LEFT, y - 10, 200, 10, _strip(scale))
    ends = (f"{10.0**power:g}" for power in span)
    picture.text(LEFT - 8, y, next(ends), size=10.5, fill=MUTED, anchor="end")
    picture.text(LEFT + 208, y, next(ends), size=10.5, fill=MUTED)
    x = LEFT + 292
    for kind in MARKS:
        _glyph(picture, x, y - 5, kind)
        picture.text(x + 11, y - 1, kind, size=10.5, fill=MUTED)
        x += 24 + 6.2 * len(kind)


def _rules(picture: Picture, marks: list[dict[str, Any]], y: float) -> None:
    """Write the latest marks as text."""
    for k, mark in enumerate(marks[-4:]):
        text = f"{mark['layer']} {mark['kind']} at step {mark['step']}: {mark['rule']}"
        words = fit_text(text, LEFT + PLOT + RIGHT - 32, 11)
        picture.text(16, y + 16 * k, words, size=11, fill=MARKS[mark["kind"]])
