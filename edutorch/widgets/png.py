"""Renders pictures as PNG, with Matplotlib if installed; heat maps also without it.

Shapes are passed directly to Matplotlib's renderer. Figures, axes and artists would
take most of a second for the thousand shapes of a view.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from .png_file import encode, encode_indexed
from .png_text import Lettering, is_simple
from .svg import Picture, pieces

__all__ = ["heatmap", "render"]

SCALE = 2.0  # pixels of the PNG per pixel of the picture, reduced
MOST = 4e6  # to have at most so many pixels
LONGEST = 16_000  # and at most so many along each side
_POINTS = 72.0  # Matplotlib's lengths are points, 72 to an inch


def heatmap(colours: list[list[str]], cell: int = 8) -> bytes:
    """A PNG of a table of "#rrggbb" colours, `cell` pixels per entry."""
    table = [[_rgb(c) for c in row] for row in colours] or [[(255, 255, 255)]]
    pixels = np.array(table, np.uint8)  # (rows, columns, 3)
    return encode(pixels.repeat(cell, axis=0).repeat(cell, axis=1))


def _rgb(colour: str) -> tuple[int, int, int]:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return red, green, blue


def render(picture: Picture) -> bytes | None:
    """`picture` as a PNG, or None where Matplotlib is not installed."""
    try:
        canvas = _Canvas(picture)
    except ImportError:
        return None
    for kind, shape in picture.shapes:
        canvas.draw[kind](shape)
    return canvas.png()


def _scale(width: float, height: float) -> float:
    return min(SCALE, math.sqrt(MOST / (width * height)), LONGEST / max(width, height))


class _Canvas:
    """Matplotlib's renderer with one method per kind of shape.

    Attributes:
        draw: the method for each kind.
    """

    def __init__(self, picture: Picture) -> None:
        from matplotlib.backends.backend_agg import RendererAgg
        from matplotlib.colors import to_rgb
        from matplotlib.font_manager import FontProperties
        from matplotlib.path import Path
        from matplotlib.transforms import Affine2D

        scale = _scale(picture.width, picture.height)
        width, height = round(picture.width * scale), round(picture.height * scale)
        self._scale, self._height = scale, height
        # at this resolution, a point is a pixel of the picture
        self._renderer = RendererAgg(width, height, _POINTS * scale)
        self._flip = Affine2D().scale(scale, -scale).translate(0, height)
        self._path, self._face = Path, to_rgb
        self._fonts: dict[Any, Any] = {}
        self._font = FontProperties
        self.draw = {
            "image": self.image,
            "rect": self.rect,
            "line": self.line,
            "polygon": self.polygon,
            "curve": self.curve,
            "text": self.text,
        }

    def _fill(self, path: Any, s: dict[str, Any]) -> None:
        """Draw a path in the colours, width and dashes of a shape."""
        pen, stroke = self._renderer.new_gc(), s.get("stroke", "none")
        pen.set_linewidth(0 if stroke == "none" else s.get("width", 1))
        if stroke != "none":
            pen.set_foreground(stroke)
        if s.get("dash"):
            pen.set_dashes(0, [float(d) for d in s["dash"].split()])
        fill = s.get("fill", "none")
        face = None if fill == "none" else self._face(fill)
        self._renderer.draw_path(pen, path, self._flip, face)
        pen.restore()

    def rect(self, s: dict[str, Any]) -> None:
        """Draw a rectangle, optionally with round corners."""
        x, y, w, h = (s[k] for k in "xywh")
        right, foot = x + w, y + h
        r = min(s["radius"], w / 2, h / 2)
        if not r:
            self.polygon(s | {"points": [(x, y), (right, y), (right, foot), (x, foot)]})
            return
        corners = [  # control points before, at and after each corner
            [(right - r, y), (right, y), (right, y + r)],
            [(right, foot - r), (right, foot), (right - r, foot)],
            [(x + r, foot), (x, foot), (x, foot - r)],
            [(x, y + r), (x, y), (x + r, y)],
        ]
        move, line, bend, end = self._codes("MOVETO", "LINETO", "CURVE3", "CLOSEPOLY")
        points = [point for corner in corners for point in corner]
        codes = [line, bend, bend] * 4
        codes[0] = move
        self._fill(self._path([*points, points[0]], [*codes, end]), s)

    def _codes(self, *names: str) -> list[int]:
        return [getattr(self._path, name) for name in names]

    def line(self, s: dict[str, Any]) -> None:
        """Draw a polyline."""
        self._fill(self._path(s["points"]), s | {"fill": "none"})

    def polygon(self, s: dict[str, Any]) -> None:
        """Draw a polygon."""
        self._fill(self._path([*s["points"], s["points"][0]], closed=True), s)

    def curve(self, s: dict[str, Any]) -> None:
        """Draw consecutive cubic Bézier pieces."""
        move, bend = self._codes("MOVETO", "CURVE4")
        points, codes = [s["points"][0]], [move]
        for piece in pieces(s["points"], s["level"]):
            points.extend(piece)
            codes.extend([bend] * 3)
        self._fill(self._path(points, codes), s | {"fill": "none"})

    def text(self, s: dict[str, Any]) -> None:
        """Draw a line of text."""
        font, words = self._font_of(s), s["text"]
        if is_simple(words) and self._letters(s, font, words):
            return
        measure = partial(self._renderer.get_text_width_height_descent, ismath=False)
        width = 0.0 if s["anchor"] == "start" else measure(words, font)[0]
        x = self._left(s, width)
        pen = self._renderer.new_gc()
        pen.set_foreground(s["fill"])
        self._renderer.draw_text(pen, x, s["y"] * self._scale, words, font, 0)
        pen.restore()

    def _letters(self, s: dict[str, Any], font: Any, words: str) -> bool:
        """Draw a line of text from letters; False where one is missing."""
        lettering = self._fonts.get(font)
        if lettering is None:
            lettering = Lettering(font, _POINTS * self._scale)
            self._fonts[font] = lettering
        line = lettering.line(words)
        if line is None:
            return False
        mask, above = line
        dots = np.empty((*mask.shape, 4), np.uint8)
        dots[..., :3] = _rgb(s["fill"])
        dots[..., 3] = mask
        y = round(s["y"] * self._scale) - above
        self._draw_dots(round(self._left(s, mask.shape[1])), y, dots)
        return True

    def _left(self, s: dict[str, Any], width: float) -> float:
        """The pixel at which a line of such a width begins."""
        x: float = s["x"] * self._scale
        return x - {"start": 0.0, "middle": width / 2, "end": width}[s["anchor"]]

    def _draw_dots(self, x: int, y: int, dots: np.ndarray) -> None:
        """Draw an (h, w, 4) array of colours with its top left corner at (x, y)."""
        pen = self._renderer.new_gc()
        self._renderer.draw_image(pen, x, self._height - y - len(dots), dots[::-1])
        pen.restore()

    def _font_of(self, s: dict[str, Any]) -> Any:
        look = s["size"], s["bold"], s["mono"]
        if look not in self._fonts:
            family = "DejaVu Sans Mono" if s["mono"] else "DejaVu Sans"
            weight = "bold" if s["bold"] else "normal"
            size = s["size"] * 0.92  # DejaVu is wider than Helvetica
            self._fonts[look] = self._font(family=family, weight=weight, size=size)
        return self._fonts[look]

    def image(self, s: dict[str, Any]) -> None:
        """Draw pixels scaled by nearest-neighbour interpolation."""
        x, y, w, h = (round(s[k] * self._scale) for k in "xywh")
        rows, columns, channels = s["pixels"].shape
        down = np.arange(h) * rows // max(h, 1)
        along = np.arange(w) * columns // max(w, 1)
        dots = np.full((h, w, 4), 255, np.uint8)
        dots[..., :channels] = s["pixels"][down][:, along]  # (h, w, 3 or 4)
        self._draw_dots(x, y, dots)

    def png(self) -> bytes:
        """The drawing as a PNG file."""
        return encode_indexed(np.asarray(self._renderer.buffer_rgba())[..., :3])
