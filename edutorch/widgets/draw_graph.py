"""The still picture of a graph."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any, Literal

from .box_style import (
    BAD,
    COLOURS,
    GRADIENT,
    MUTED,
    TEXT,
    BoxStyle,
    backward_done,
    has_gradients,
    style_of,
)
from .boxes import Box, Folded
from .direction import READABLE, Direction, better_direction, visible_scale
from .fold import auto_expanded, fold
from .format import graph_title
from .layout import BOX_H, Layout, Rect, Route, layout
from .svg import Picture, fit_text, text_width

__all__ = ["MAX_BOXES", "draw_graph"]

MAX_BOXES = 300
PAGE = (1000.0, 500.0)  # the visible part of a notebook
MARGIN = 16.0
HEAD = 34.0  # height of the caption
LEGEND, STROKE = 26.0, 30.0  # height of the legend below; width of a line in it
LINE, NOW = "#8c96a5", "#ffd34d"
# colour, width of the line and name of each entry of the legend
_SIGNS = (
    (LINE, 1.2, "value"),
    (GRADIENT, 1.8, "value and gradient"),
    (GRADIENT, 0, "∇ gradient norm"),
)
BORDER, FRAME = "#c3cad5", ("#f5f7fa", "#ebeff5", "#e1e7f0")


def draw_graph(
    data: dict[str, Any],
    expanded: Collection[str] | None = None,
    note: str = "",
    direction: Direction | Literal[""] = "",
) -> Picture:
    """Draw a graph snapshot folded by module.

    Args:
        data: a snapshot of `edutorch.inspect`.
        expanded: the module paths that are open; by default as many as make
            about 40 boxes.
        note: added to the caption.
        direction: the way of the flow; by default from left to right where the
            whole can then be read on a page without turning the head, else downwards,
            as pages are read.
    """
    whole, own = data, note
    opened = auto_expanded(data) if expanded is None else set(expanded)
    folded = fold(data, opened)
    if len(folded.boxes) > MAX_BOXES:
        folded = fold(data, ())
        note = _also(note, "too many boxes for a picture: all modules folded")
    if len(folded.boxes) > MAX_BOXES:
        data, folded = _newest(data)
        ops = sum(n["kind"] == "op" for n in data["nodes"])
        note = _also(own, f"too many boxes: the last {ops} operations are drawn")
    placed = _placed(folded, direction)
    caption = graph_title(whole) + (f" ({note})" if note else "")
    legend = has_gradients(data)
    least = _signs_width() if legend else 320 - 2 * MARGIN
    width = max(placed.width, 8.0 * len(caption), least) + 2 * MARGIN
    height = placed.height + HEAD + MARGIN + (LEGEND if legend else 0)
    picture = Picture(width, height, caption)
    _Painter(picture, data, placed).paint(folded.boxes, caption)
    return picture


def _placed(folded: Folded, direction: Direction | Literal[""]) -> Layout:
    if direction:
        return layout(folded, direction)
    down, right = layout(folded, "down"), layout(folded, "right")
    size = right.width, right.height
    better = better_direction("", (down.width, down.height), size, PAGE)
    return (
        right if better == "right" and visible_scale(size, PAGE) >= READABLE else down
    )


def _also(note: str, more: str) -> str:
    return f"{note}; {more}" if note else more


def _signs_width() -> float:
    lines = STROKE * sum(width > 0 for _, width, _ in _SIGNS)
    return lines + sum(text_width(name, 11) + 12 for _, _, name in _SIGNS)


def _newest(data: dict[str, Any]) -> tuple[dict[str, Any], Folded]:
    """The last part of a graph, with as many operations as can be drawn."""
    ops = [n["id"] for n in data["nodes"] if n["kind"] == "op"]
    count = min(len(ops), MAX_BOXES)
    while True:
        part = _part(data, set(ops[-count:]))
        folded = fold(part, ())
        if len(folded.boxes) <= MAX_BOXES or count == 1:
            return part, folded
        count //= 2


def _part(data: dict[str, Any], ops: set[str]) -> dict[str, Any]:
    """A graph of these operations and the leaves they use."""
    is_op = {n["id"]: n["kind"] == "op" for n in data["nodes"]}
    edges = [e for e in data["edges"] if e[1] in ops]
    kept = ops | {start for start, _ in edges if not is_op[start]}
    return data | {
        "nodes": [n for n in data["nodes"] if n["id"] in kept],
        "edges": [e for e in edges if e[0] in kept],
    }


class _Painter:
    def __init__(self, picture: Picture, data: dict[str, Any], placed: Layout) -> None:
        self.picture = picture
        self.placed = placed
        self.by_id = {node["id"]: node for node in data["nodes"]}
        self.lit = has_gradients(data)
        self.now = data.get("now", "")
        self.started = backward_done(data)
        self.dx = (picture.width - placed.width) / 2
        self.dy = HEAD
        self.styles: dict[str, BoxStyle] = {}

    def paint(self, boxes: list[Box], caption: str) -> None:
        self.picture.text(MARGIN, 21, caption, size=12, fill=MUTED)
        self.styles = {b.id: style_of(b, self.by_id, self.started) for b in boxes}
        depth = {"": 0}
        for box in boxes:
            depth[box.id] = depth[box.parent] + 1
            if box.kind == "frame":
                self.frame(self.rect(box), depth[box.parent])
        for route in sorted(self.placed.routes, key=self.carries_gradient):
            self.route(route)
        for box in boxes:
            if box.kind == "frame":
                self.title(box, self.rect(box), depth[box.parent])
            else:
                self.box(box, self.rect(box))
        if self.lit:
            self.legend()

    def legend(self) -> None:
        """Draw the meaning of the line colours and of the sign on boxes."""
        x, y = MARGIN, self.picture.height - MARGIN
        for colour, width, name in _SIGNS:
            if width:
                ends = [(x, y - 4), (x + STROKE - 6, y - 4)]
                self.picture.line(ends, stroke=colour, width=width)
                x += STROKE
            self.picture.text(x, y, name, fill=MUTED if colour == LINE else colour)
            x += text_width(name, 11) + 12

    def rect(self, box: Box) -> Rect:
        r = self.placed.rects[box.id]
        return Rect(r.x + self.dx, r.y + self.dy, r.w, r.h)

    def frame(self, r: Rect, depth: int) -> None:
        fill = FRAME[min(depth, len(FRAME) - 1)]
        self.picture.rect(r.x, r.y, r.w, r.h, fill=fill, stroke=BORDER, radius=12)

    def title(self, box: Box, r: Rect, depth: int) -> None:
        """Draw a frame's title on a background that hides the lines below."""
        title, fill = self.styles[box.id].title, FRAME[min(depth, len(FRAME) - 1)]
        self.picture.rect(r.x + 11, r.y + 9, text_width(title, 12) + 4, 16, fill=fill)
        self.picture.text(r.x + 13, r.y + 21, title, size=12, fill=MUTED, bold=True)

    def carries_gradient(self, route: Route) -> bool:
        """Whether a gradient returns along the line; such lines are drawn on top."""
        style = self.styles.get(route.net)
        return style is not None and style.grad

    def route(self, route: Route) -> None:
        points = [(x + self.dx, y + self.dy) for x, y in route.points]
        lit = self.carries_gradient(route)
        colour, width = (GRADIENT, 1.8) if lit else (LINE, 1.2)
        if route.long:
            self.picture.line(points, stroke=colour, width=width, dash="5 4")
        else:
            level = self.placed.direction == "right"
            self.picture.curve(points, stroke=colour, width=width, level=level)
        if route.arrow:
            self._arrow(points, route.long, colour)

    def _arrow(self, points: list[Any], straight: bool, colour: str) -> None:
        """Draw an arrowhead along the end of a line; a curve ends along the flow."""
        (x0, y0), (x1, y1) = points[-2:]
        flow = 0.0 if self.placed.direction == "right" else math.pi / 2
        angle = math.atan2(y1 - y0, x1 - x0) if straight else flow
        c, s = math.cos(angle), math.sin(angle)
        wings = [(x1 - 8 * c + 4 * k * s, y1 - 8 * s - 4 * k * c) for k in (-1, 1)]
        self.picture.polygon([(x1, y1), *wings], fill=colour)

    def box(self, box: Box, r: Rect) -> None:
        style = self.styles[box.id]
        radius = {"param": BOX_H / 2, "input": 3.0}.get(box.kind, 9.0)
        dash = "4 3" if box.kind in ("const", "input") else ""
        edge, width = (BAD, 2.0) if style.bad else (BORDER, 1.0)
        if self.now in box.nodes:  # the op at which the reader has paused
            self.picture.rect(
                r.x - 4, r.y - 4, r.w + 8, r.h + 8, fill=NOW, radius=radius + 4
            )
        if box.kind in ("module", "repeat"):  # a stack, since there is more inside
            self.picture.rect(
                r.x + 4, r.y + 4, r.w, r.h, fill="#f0f2f6", stroke=BORDER, radius=radius
            )
        self.picture.rect(
            r.x, r.y, r.w, r.h,
            fill="#ffffff", stroke=edge, width=width, radius=radius, dash=dash,
        )  # fmt: skip
        inset = 14.0 if box.kind == "param" else 9.0
        colour = COLOURS[style.family]
        self.picture.rect(r.x + inset, r.y + 12, 4, r.h - 24, fill=colour, radius=2)
        self._lines(style, r, inset + 12)

    def _lines(self, style: BoxStyle, r: Rect, inset: float) -> None:
        x, width = r.x + inset, r.w - inset - 3
        grad = GRADIENT if style.grad else MUTED
        self.picture.text(
            x, r.y + 19, fit_text(style.title, width, 12), size=12, fill=TEXT, bold=True
        )
        self.picture.text(x, r.y + 33.5, fit_text(style.sub, width, 11), fill=MUTED)
        self.picture.text(
            x, r.y + 48, fit_text(style.foot, width, 11),
            fill=BAD if style.bad else grad, bold=style.grad or style.bad,
        )  # fmt: skip
