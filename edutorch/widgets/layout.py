"""Positions of boxes and lines: a layered layout of nested graphs.

`widgets/src/layout.ts` does the same and explains the steps: frames are laid out first,
from the inside out; edges of one source that cross a frame share a port;
`scope_layout.py` determines the rows and x positions of each scope. If the graph is
drawn from left to right, rows are vertical; in this file, *along* is the direction of
the flow and *across* that of a row. Both agree to 0.1 on `widgets/test/fixtures`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

from .boxes import Box, Folded
from .direction import Direction
from .format import clip, columns
from .scope_layout import Grid, Item, Link, arrange

__all__ = [
    "BOX_H",
    "HEADER",
    "SUB_COLUMNS",
    "TITLE_COLUMNS",
    "Layout",
    "Rect",
    "Route",
    "box_width",
    "layout",
]

BOX_H = 54.0
GAP_Y = 32.0
GAP_RIGHT = 44.0  # between rows in the direction "right", where lines are steeper
LEAD = 30.0  # from a frame's left edge to its first row
HEADER = 34.0
PAD = 16.0
TITLE_COLUMNS = 34
SUB_COLUMNS = 30
# pixels for each column of text, for the widest of the usual fonts
TITLE_W = 8.2
SUB_W = 7.0
PORT_W = 8.0

Point = tuple[float, float]


@dataclass
class Rect:
    """The position of a box: upper left corner and size."""

    x: float
    y: float
    w: float
    h: float


@dataclass
class Route:
    """A piece of an edge within one scope.

    Attributes:
        net: id of the source box of the whole edge.
        arrow: whether the line ends at a box, with an arrowhead.
        long: spans too many rows: a straight line.
    """

    net: str
    start: str
    end: str
    points: list[Point]
    arrow: bool
    long: bool


@dataclass
class Layout:
    """The size of the drawing, the boxes' positions by id, and the lines."""

    direction: Direction
    width: float
    height: float
    rects: dict[str, Rect]
    routes: list[Route]


def box_width(box: Box) -> float:
    """The width of a box, computed from its text in steps of 8."""
    folded = box.kind in ("module", "repeat")
    title = (columns(clip(box.title, TITLE_COLUMNS)) + 2 * folded) * TITLE_W
    sub = columns(clip(box.sub, SUB_COLUMNS)) * SUB_W
    sides = 44 if box.kind == "param" else 30
    wide = math.ceil((max(title, sub) + sides) / 8) * 8.0
    return max(168.0 if folded else 104.0, wide)


def _frame_title_width(box: Box) -> float:
    return columns(clip(box.title, TITLE_COLUMNS)) * TITLE_W + 44


class _Scope:
    """The top level or one frame. Ports have ids `<net` (in) and `>net` (out)."""

    def __init__(self) -> None:
        self.index: dict[str, int] = {}
        self.links: dict[tuple[str, str, str], None] = {}
        self.items: list[Item] = []
        self.link_list: list[Link] = []
        self.grid = Grid([], [], [], [])
        self.tops: list[float] = []  # where each row begins and ends
        self.bottoms: list[float] = []
        self.across = 0.0
        self.along = 0.0

    def add(self, ident: str) -> str:
        self.index.setdefault(ident, len(self.index))
        return ident

    def link(self, net: str, start: str, end: str) -> None:
        self.links[net, start, end] = None

    def row_height(self, row: list[int]) -> float:
        real = [self.items[v].h for v in row if v < len(self.items)]
        return max(real, default=0.0)

    def row_kind(self, r: int) -> str:
        row = self.grid.rows[r]
        return self.items[row[0]].kind if row and row[0] < len(self.items) else ""

    def stack(self, before: float, gap: float, pad: float, least: float) -> None:
        """The start and end of each row; port rows lie on the frame's edges."""
        y = before
        for r, row in enumerate(self.grid.rows):
            kind = self.row_kind(r)
            h = self.row_height(row)
            if r > 0 and kind != "out" and self.row_kind(r - 1) != "in":
                y += gap
            if kind == "in":
                y = 0.0
            end = max(y + pad, least)
            self.tops.append(end if kind == "out" else y)
            self.bottoms.append(end if kind == "out" else y + h)
            y = before if kind == "in" else y + h
        self.along = max(y + pad, least)

    def center(self, before: float, after: float, least: float) -> None:
        """Leave space before and after the items; what is left over is split evenly."""
        x = self.grid.x
        half = [
            self.items[v].w / 2 if v < len(self.items) else 0.0 for v in range(len(x))
        ]
        left = min((a - h for a, h in zip(x, half, strict=True)), default=0.0)
        right = max((a + h for a, h in zip(x, half, strict=True)), default=0.0)
        taken = right - left + before + after
        self.across = max(taken, least)
        shift = before + (self.across - taken) / 2 - left
        self.grid.x = [a + shift for a in x]

    def top_of(self, v: int) -> float:
        """The top of an item: leaves are aligned to the bottom, others to the top."""
        item, r = self.items[v], self.grid.rank[v]
        return self.bottoms[r] - item.h if item.kind == "leaf" else self.tops[r]

    def trace(self, link: Link, chain: list[int] | None) -> list[Point]:
        """The points of a link through its dummies, each as (across, along)."""
        rank, x = self.grid.rank, self.grid.x
        a, b = link.start, link.end
        bottom = self.top_of(a) + self.items[a].h
        top = self.top_of(b)
        start = (x[a] + link.start_dx, bottom)
        end = (x[b] + link.end_dx, top)
        if chain is None:
            return [start, end]
        points = [start]
        if bottom < self.bottoms[rank[a]]:
            points.append((start[0], self.bottoms[rank[a]]))
        for d in chain:
            high, low = self.tops[rank[d]], self.bottoms[rank[d]]
            points.append((x[d], high))
            if low > high:
                points.append((x[d], low))
        if top > self.tops[rank[b]]:
            points.append((end[0], self.tops[rank[b]]))
        return [*points, end]


class _Nested:
    def __init__(self, folded: Folded, direction: Direction) -> None:
        self.direction = direction
        self.right = direction == "right"
        self.boxes = {box.id: box for box in folded.boxes}
        self.frames = [box for box in folded.boxes if box.kind == "frame"]
        self.scopes = {"": _Scope()} | {box.id: _Scope() for box in self.frames}
        self.rects: dict[str, Rect] = {}
        self.routes: list[Route] = []
        for box in folded.boxes:
            self.scopes[box.parent].add(box.id)
        for edge in folded.edges:
            self._thread(edge.start, edge.end)

    def layout(self) -> Layout:
        for frame in reversed(self.frames):
            self._arrange(frame.id)
        self._arrange("")
        self._emit("", 0.0, 0.0)
        for frame in self.frames:
            at = self.rects[frame.id]
            self._emit(frame.id, at.x, at.y)
        top = self.scopes[""]
        width, height = self._turn(top.across, top.along)
        return Layout(self.direction, width, height, self.rects, self.routes)

    def _turn(self, across: float, along: float) -> Point:
        """Convert (across, along) to (x, y), or back."""
        return (along, across) if self.right else (across, along)

    def _chain_of(self, ident: str) -> list[str]:
        """The box and its enclosing frames, innermost first."""
        chain = [ident]
        while ident in self.boxes and self.boxes[ident].parent:
            ident = self.boxes[ident].parent
            chain.append(ident)
        return chain

    def _thread(self, start: str, end: str) -> None:
        """Split an edge into links: out of frames, across, into frames."""
        ups, downs = self._chain_of(start), self._chain_of(end)
        while len(ups) > 1 and len(downs) > 1 and ups[-1] == downs[-1]:
            ups.pop()
            downs.pop()
        for inner, outer in pairwise(ups):
            scope = self.scopes[outer]
            scope.link(start, inner, scope.add(f">{start}"))
        last = self.boxes.get(ups[-1])
        meeting = self.scopes[last.parent if last else ""]
        meeting.link(start, ups[-1], downs[-1])
        for i in range(len(downs) - 2, -1, -1):
            scope = self.scopes[downs[i + 1]]
            scope.link(start, scope.add(f"<{start}"), downs[i])

    def _item_of(self, ident: str) -> Item:
        box = self.boxes.get(ident)
        if box is None:
            return Item(PORT_W, 0.0, "in" if ident.startswith("<") else "out", 0.0)
        if box.kind == "frame":
            scope = self.scopes[ident]
            return Item(scope.across, scope.along, "box", self._anchor_of(ident))
        leaf = box.kind in ("param", "input", "const")
        w, h = self._turn(box_width(box), BOX_H)
        return Item(w, h, "leaf" if leaf else "box", 0.0)

    def _anchor_of(self, frame: str) -> float:
        """The offset at which a frame is aligned: its middle out-port, or in-port."""
        ids = list(self.scopes[frame].index)
        ports = [i for i in ids if i[0] == ">"] or [i for i in ids if i[0] == "<"]
        middle = (len(ports) - 1) // 2
        return self._port_dx(frame, ports[middle]) if ports else 0.0

    def _port_dx(self, frame: str, port: str) -> float:
        """Where a net crosses a frame's edge, relative to the frame's centre."""
        scope = self.scopes.get(frame)
        if scope is None or port not in scope.index:
            return 0.0
        return scope.grid.x[scope.index[port]] - scope.across / 2

    def _arrange(self, ident: str) -> None:
        scope = self.scopes[ident]
        scope.items = [self._item_of(item) for item in scope.index]
        scope.link_list = [
            Link(
                scope.index[start],
                scope.index[end],
                self._port_dx(start, f">{net}"),
                self._port_dx(end, f"<{net}"),
            )
            for net, start, end in scope.links
        ]
        scope.grid = arrange(scope.items, scope.link_list)
        frame = self.boxes.get(ident)
        if frame is None:
            scope.stack(0.0, self._gap, 0.0, 0.0)
            scope.center(0.0, 0.0, 0.0)
            return
        title = _frame_title_width(frame)
        if self.right:
            scope.stack(LEAD, self._gap, PAD, title)
            scope.center(HEADER, PAD, 0.0)
        else:
            scope.stack(HEADER, self._gap, PAD, 0.0)
            scope.center(PAD, PAD, title)

    @property
    def _gap(self) -> float:
        return GAP_RIGHT if self.right else GAP_Y

    def _emit(self, ident: str, dx: float, dy: float) -> None:
        """Append a scope's rectangles and routes at their position on the page."""
        scope = self.scopes[ident]
        for item, v in scope.index.items():
            if item in self.boxes:
                w, h = scope.items[v].w, scope.items[v].h
                x, y = self._turn(scope.grid.x[v] - w / 2, scope.top_of(v))
                self.rects[item] = Rect(dx + x, dy + y, *self._turn(w, h))
        for i, (net, start, end) in enumerate(scope.links):
            chain = scope.grid.chains[i]
            points = scope.trace(scope.link_list[i], chain)
            turned = [self._turn(*point) for point in points]
            placed = [(x + dx, y + dy) for x, y in turned]
            target = self.boxes.get(end)
            arrow = target is not None and target.kind != "frame"
            self.routes.append(Route(net, start, end, placed, arrow, chain is None))


def layout(folded: Folded, direction: Direction = "down") -> Layout:
    """Lay out a folded graph.

    Args:
        folded: the boxes and edges that are drawn.
        direction: "down" or "right", the way of the flow.

    Example:
        >>> layout(Folded([], [])).routes
        []
    """
    return _Nested(folded, direction).layout()
