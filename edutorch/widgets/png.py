"""Pictures as PNG: through Matplotlib where it is, heat maps without it."""

from __future__ import annotations

import io
import math
from typing import Any

import numpy as np

from .png_file import encode
from .svg import Picture, pieces

__all__ = ["heatmap", "render"]

SCALE = 2.0  # pixels of the PNG per pixel of the picture ...
MOST = 24e6  # ... unless these would be more in all ...
LONGEST = 16_000  # ... or along one side
_DOT = 96.0  # CSS pixels per inch


def heatmap(colours: list[list[str]], cell: int = 8) -> bytes:
    """A PNG of a table of "#rrggbb" colours, `cell` pixels per entry."""
    table = [[_rgb(c) for c in row] for row in colours] or [[(255, 255, 255)]]
    pixels = np.array(table, np.uint8)  # (rows, columns, 3)
    return encode(pixels.repeat(cell, axis=0).repeat(cell, axis=1))


def _rgb(colour: str) -> tuple[int, int, int]:
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))  # type: ignore[return-value]


def render(picture: Picture) -> bytes | None:
    """`picture` as a PNG, or None where Matplotlib is not installed."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        return None
    size = (picture.width / _DOT, picture.height / _DOT)
    figure = Figure(figsize=size, dpi=_DOT * _scale(picture.width, picture.height))
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, picture.width)
    axes.set_ylim(picture.height, 0)
    axes.axis("off")
    for order, (kind, shape) in enumerate(picture.shapes):
        _DRAW[kind](axes, shape, order)
    file = io.BytesIO()
    canvas.print_png(file)
    return file.getvalue()


def _scale(width: float, height: float) -> float:
    return min(SCALE, math.sqrt(MOST / (width * height)), LONGEST / max(width, height))


def _pt(pixels: float) -> float:
    return pixels * 72 / _DOT


def _style(s: dict, order: int) -> dict:
    dashes = [float(d) for d in s.get("dash", "").split()]
    line = (0, tuple(dashes)) if dashes else "-"
    return {"lw": _pt(s.get("width", 1)), "ls": line, "zorder": order}


def _rect(axes: Any, s: dict, order: int) -> None:
    from matplotlib.patches import FancyBboxPatch, Rectangle

    look = _style(s, order) | {"fc": s["fill"], "ec": s["stroke"]}
    at, r = (s["x"], s["y"]), s["radius"]
    if not r:
        axes.add_patch(Rectangle(at, s["w"], s["h"], **look))
        return
    style = f"round,pad=0,rounding_size={min(r, s['h'] / 2)}"
    axes.add_patch(FancyBboxPatch(at, s["w"], s["h"], boxstyle=style, **look))


def _line(axes: Any, s: dict, order: int) -> None:
    x, y = zip(*s["points"], strict=True)
    axes.plot(x, y, color=s["stroke"], **_style(s, order))


def _polygon(axes: Any, s: dict, order: int) -> None:
    from matplotlib.patches import Polygon

    look = {"fc": s["fill"], "ec": s["stroke"], "lw": 0.5, "zorder": order}
    axes.add_patch(Polygon(s["points"], closed=True, **look))


def _curve(axes: Any, s: dict, order: int) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    points, codes = [s["points"][0]], [Path.MOVETO]
    for piece in pieces(s["points"], s["level"]):
        points.extend(piece)
        codes.extend([Path.CURVE4] * 3)
    look = _style(s, order) | {"fc": "none", "ec": s["stroke"]}
    axes.add_patch(PathPatch(Path(points, codes), **look))


def _text(axes: Any, s: dict, order: int) -> None:
    family = "DejaVu Sans Mono" if s["mono"] else "DejaVu Sans"
    anchor = {"start": "left", "middle": "center", "end": "right"}[s["anchor"]]
    axes.text(
        s["x"],
        s["y"],
        s["text"],
        fontsize=_pt(s["size"]) * 0.92,  # DejaVu runs wider than Helvetica
        color=s["fill"],
        ha=anchor,
        va="baseline",
        family=family,
        weight="bold" if s["bold"] else "normal",
        parse_math=False,
        zorder=order,
    )


def _image(axes: Any, s: dict, order: int) -> None:
    x, y, w, h = (s[k] for k in "xywh")
    place = {"extent": (x, x + w, y + h, y), "aspect": "auto", "zorder": order}
    axes.imshow(s["pixels"], interpolation="nearest", **place)


_DRAW = {
    "image": _image,
    "rect": _rect,
    "line": _line,
    "polygon": _polygon,
    "curve": _curve,
    "text": _text,
}
