"""Pictures as lists of simple shapes, written as SVG with plain attributes.

Viewers of saved notebooks strip scripts, styles and classes, so every shape has its own
colours and fonts as attributes, there are no ids, and arrow heads are ordinary
polygons.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Sequence
from html import escape
from itertools import pairwise
from typing import Any

import numpy as np

from .png_file import data_uri

__all__ = ["FONT", "MONO", "Picture", "fit_text", "printable", "text_width"]

FONT = "Helvetica, Arial, DejaVu Sans, sans-serif"
MONO = "Menlo, Consolas, DejaVu Sans Mono, monospace"

Point = tuple[float, float]

_FORBIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_NARROW = frozenset("iljtfrI.,:;'|!()[]/ -")
_WIDE = frozenset("mwMWQO@%")


def text_width(text: str, size: float) -> float:
    """The estimated width in pixels of `text` in a sans-serif font of `size`.

    Example:
        >>> text_width("ill", 10) < text_width("mmm", 10)
        True
    """
    units = 0.0
    for c in text:
        units += 0.36 if c in _NARROW else 0.92 if c in _WIDE else 0.62
    return units * size


def fit_text(text: str, width: float, size: float) -> str:
    """Shorten `text` in the middle until it fits into `width` pixels.

    Example:
        >>> fit_text("features.0.weight", 60, 10)
        'featu…eight'
    """
    most = int(width / (0.36 * size)) + 2  # the number of letters if all were narrow
    if len(text) > 2 * most:
        text = text[:most] + text[-most:]
    if text_width(text, size) <= width:
        return text
    # The width increases with the number of letters kept.
    lengths = range(len(text))
    keep = bisect(lengths, width, key=lambda n: text_width(_short(text, n), size)) - 1
    return _short(text, keep) if keep > 2 else text[:1] + "…"


def _short(text: str, keep: int) -> str:
    """The first and last letters of a text, `keep` in total."""
    left, right = (keep + 1) // 2, keep // 2
    return text[:left] + "…" + text[len(text) - right :]


class Picture:
    """A drawing of fixed size in pixels: boxes, lines, polygons, text.

    The shapes are kept as tuples, so that the SVG writer here and
    the PNG writer in `png.py` draw the very same picture.

    Example:
        >>> p = Picture(40, 20, "one box")
        >>> p.rect(5, 5, 30, 10, fill="#eef")
        >>> p.svg().count("<rect")    # the background is one as well
        2
    """

    def __init__(self, width: float, height: float, title: str = "") -> None:
        self.width = width
        self.height = height
        self.title = title
        self.shapes: list[tuple[str, dict[str, Any]]] = []
        self.rect(0, 0, width, height, fill="#ffffff")

    def rect(
        self,
        x: float,
        y: float,
        w: float,
        h: float,
        *,
        fill: str,
        stroke: str = "none",
        width: float = 1,
        radius: float = 0,
        dash: str = "",
    ) -> None:
        """Draw a rectangle with its top left corner at (x, y)."""
        box = {"x": x, "y": y, "w": w, "h": h, "radius": radius}
        look = {"fill": fill, "stroke": stroke, "width": width, "dash": dash}
        self.shapes.append(("rect", box | look))

    def footnote(self, words: str) -> None:
        """Write a line of text below the drawing, which grows by its height.

        Example:
            >>> p = Picture(200, 20)
            >>> p.footnote("of step 3")
            >>> p.height, ">of step 3<" in p.svg()
            (40, True)
        """
        self.height += 20
        self.shapes[0][1]["h"] = self.height  # the background
        self.text(16, self.height - 8, words, size=10.5, fill="#56606e")

    def line(
        self,
        points: Sequence[Point],
        *,
        stroke: str,
        width: float = 1,
        dash: str = "",
    ) -> None:
        """Draw a polyline through `points`."""
        look = {"stroke": stroke, "width": width, "dash": dash}
        self.shapes.append(("line", {"points": list(points)} | look))

    def polygon(
        self, points: Sequence[Point], *, fill: str, stroke: str = "none"
    ) -> None:
        """Draw a filled polygon."""
        look = {"fill": fill, "stroke": stroke}
        self.shapes.append(("polygon", {"points": list(points)} | look))

    def curve(
        self,
        points: Sequence[Point],
        *,
        stroke: str,
        width: float = 1,
        level: bool = False,
    ) -> None:
        """Draw a smooth curve through `points`, vertical (or `level`) at each."""
        look = {"stroke": stroke, "width": width, "level": level}
        self.shapes.append(("curve", {"points": list(points)} | look))

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = 11,
        fill: str = "#1c2430",
        anchor: str = "start",
        bold: bool = False,
        mono: bool = False,
    ) -> None:
        """Draw `text` with its baseline at `y`; `anchor` is start, middle or end."""
        look = {"size": size, "fill": fill, "anchor": anchor}
        face = {"bold": bold, "mono": mono}
        place = {"x": x, "y": y, "text": printable(text)}
        self.shapes.append(("text", place | look | face))

    def image(self, x: float, y: float, w: float, h: float, pixels: np.ndarray) -> None:
        """Draw (h, w, 3) or (h, w, 4) uint8 colours, scaled without smoothing."""
        box = {"x": x, "y": y, "w": w, "h": h}
        self.shapes.append(("image", box | {"pixels": pixels}))

    def svg(self) -> str:
        """The picture as a standalone SVG document."""
        w, h = _number(self.width), _number(self.height)
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" '
            f'viewBox="0 0 {w} {h}" role="img">'
        )
        title = f"<title>{escape(printable(self.title))}</title>"
        body = "".join(_WRITERS[kind](s) for kind, s in self.shapes)
        return f"{head}{title}{body}</svg>"


def printable(text: str) -> str:
    """Turn characters that XML forbids or a terminal would obey into spaces.

    Those are control characters, and halves of pairs of UTF-16 (lone surrogates).

    Example:
        >>> printable("a\\x1b[2J\\ud800b")
        'a [2J b'
    """
    return _FORBIDDEN.sub(" ", text)


def pieces(
    points: Sequence[Point], level: bool
) -> Iterable[tuple[Point, Point, Point]]:
    """Control points of the cubic pieces of a smooth curve."""
    for (x0, y0), (x1, y1) in pairwise(points):
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        if level:
            yield (x, y0), (x, y1), (x1, y1)
        else:
            yield (x0, y), (x1, y), (x1, y1)


def _number(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")


def _points(points: Iterable[Point]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _dash(shape: dict[str, Any]) -> str:
    return f' stroke-dasharray="{shape["dash"]}"' if shape["dash"] else ""


def _stroke(shape: dict[str, Any]) -> str:
    if shape["stroke"] == "none":
        return ' stroke="none"'
    width = _number(shape["width"])
    return f' stroke="{shape["stroke"]}" stroke-width="{width}"{_dash(shape)}'


def _rect(s: dict[str, Any]) -> str:
    x, y, w, h = (_number(s[k]) for k in "xywh")
    radius = f' rx="{_number(s["radius"])}"' if s["radius"] else ""
    place = f'x="{x}" y="{y}" width="{w}" height="{h}"{radius}'
    return f'<rect {place} fill="{s["fill"]}"{_stroke(s)}/>'


def _line(s: dict[str, Any]) -> str:
    return f'<polyline points="{_points(s["points"])}" fill="none"{_stroke(s)}/>'


def _polygon(s: dict[str, Any]) -> str:
    look = f'fill="{s["fill"]}" stroke="{s["stroke"]}"'
    return f'<polygon points="{_points(s["points"])}" {look}/>'


def _curve(s: dict[str, Any]) -> str:
    points = s["points"]
    path = "M" + _points(points[:1])
    across = 1 if s["level"] else 0
    for piece in pieces(points, s["level"]):
        straight = piece[0][across] == piece[1][across]
        path += "L" + _points(piece[2:]) if straight else "C" + _points(piece)
    width = _number(s["width"])
    look = f'stroke="{s["stroke"]}" stroke-width="{width}"'
    return f'<path d="{path}" fill="none" {look}/>'


def _text(s: dict[str, Any]) -> str:
    place = f'x="{_number(s["x"])}" y="{_number(s["y"])}"'
    face = f'font-family="{MONO if s["mono"] else FONT}"'
    bold = ' font-weight="bold"' if s["bold"] else ""
    look = f'font-size="{_number(s["size"])}" fill="{s["fill"]}"{bold}'
    anchor = "" if s["anchor"] == "start" else f' text-anchor="{s["anchor"]}"'
    return f"<text {place} {face} {look}{anchor}>{escape(s['text'])}</text>"


def _image(s: dict[str, Any]) -> str:
    x, y, w, h = (_number(s[k]) for k in "xywh")
    place = f'x="{x}" y="{y}" width="{w}" height="{h}" preserveAspectRatio="none"'
    look = f'image-rendering="pixelated" href="{data_uri(s["pixels"])}"'
    return f"<image {place} {look}/>"


_WRITERS = {
    "image": _image,
    "rect": _rect,
    "line": _line,
    "polygon": _polygon,
    "curve": _curve,
    "text": _text,
}
