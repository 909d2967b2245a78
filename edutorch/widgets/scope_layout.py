"""Assigns rows and columns in one scope of the graph, for `layout.py`.

`widgets/src/scope_layout.ts` does the same and explains the steps: rows by the longest
path from the sources (weights sink to the op that reads them), dummy items for links
over several rows, barycentre sweeps for the order, then x positions such that each item
is below its deepest parent. Every step is deterministic.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["GAP_X", "Grid", "Item", "Link", "arrange"]

GAP_X = 18.0
MAX_SPAN = 24
MANY = 4  # so many long links to one item become branches of the longest
MERGED_SPAN = 240
DUMMY_W = 10.0
SWEEPS = 4
ROUNDS = 3


@dataclass
class Item:
    """A box of some size.

    Attributes:
        kind: "box", "leaf", "in" (port on the upper edge) or "out".
        anchor: the point that is set above and below others, from the centre.
    """

    w: float
    h: float
    kind: str
    anchor: float


@dataclass
class Link:
    """A link between items; the shifts are offsets of its ends from their centres."""

    start: int
    end: int
    start_dx: float
    end_dx: float


@dataclass
class Grid:
    """Rows, centres and the dummies of each link (None: straight)."""

    rank: list[int]
    x: list[float]
    rows: list[list[int]]
    chains: list[list[int] | None]


def _topo_order(n: int, links: list[Link]) -> list[int]:
    """Kahn's topological order; on a cycle, the first remaining item counts as free."""
    out: list[list[int]] = [[] for _ in range(n)]
    waiting = [0] * n
    for link in links:
        out[link.start].append(link.end)
        waiting[link.end] += 1
    queue = [v for v in range(n) if waiting[v] == 0]
    taken = [w == 0 for w in waiting]
    for done in range(n):
        if done == len(queue):
            left = taken.index(False)
            taken[left] = True
            queue.append(left)
        for u in out[queue[done]]:
            waiting[u] -= 1
            if waiting[u] == 0 and not taken[u]:
                taken[u] = True
                queue.append(u)
    return queue


def _rank_items(
    items: list[Item], links: list[Link], order: list[int]
) -> tuple[list[int], list[int]]:
    """The row of each item, and its depth (longest path from the sources)."""
    n = len(items)
    up: list[list[int]] = [[] for _ in range(n)]
    down: list[list[int]] = [[] for _ in range(n)]
    for link in links:
        down[link.start].append(link.end)
        up[link.end].append(link.start)
    base = int(any(item.kind == "in" for item in items))
    depth, free = [0] * n, [False] * n
    for v in order:
        if items[v].kind != "in":
            depth[v] = max([base, *(depth[u] + 1 for u in up[v])])
            free[v] = len(down[v]) == 1 and all(free[u] for u in up[v])
    inner = [depth[v] for v in order if items[v].kind != "out"]
    last = max(inner, default=0)
    for v in range(n):
        if items[v].kind == "out":
            depth[v] = last + 1
    rank = depth[:]
    for v in reversed(order):
        if free[v] and items[down[v][0]].kind != "out":
            rank[v] = rank[down[v][0]] - 1
    return rank, depth


@dataclass
class _Neighbour:
    """The item at the other end of a link.

    `shift` is the lower centre minus the upper one when the link is upright,
    `anchor` the same if the anchors are vertical.
    """

    item: int
    shift: float
    anchor: float


class _Scope:
    def __init__(self, items: list[Item], links: list[Link]) -> None:
        order = _topo_order(len(items), links)
        position = {v: i for i, v in enumerate(order)}
        is_forward = [position[k.start] < position[k.end] for k in links]
        forward = [k for k, ok in zip(links, is_forward, strict=True) if ok]
        self.items = items
        self.rank, depth = _rank_items(items, forward, order)
        self.depth = [
            -1 if item.kind == "leaf" else d
            for item, d in zip(items, depth, strict=True)
        ]
        self.width = [item.w for item in items]
        self.up: list[list[_Neighbour]] = [[] for _ in items]
        self.down: list[list[_Neighbour]] = [[] for _ in items]
        self.rows: list[list[int]] = [[] for _ in range(max(self.rank, default=0) + 1)]
        for v, r in enumerate(self.rank):
            self.rows[r].append(v)
        self.trunks = self._find_trunks(forward)
        self.buses: dict[tuple[int, float], list[int]] = {}
        self.chains = [
            self._chain(k) if ok else None
            for k, ok in zip(links, is_forward, strict=True)
        ]
        self._sweep()
        self.x = [0.0] * len(self.rank)
        self._place()

    def _span(self, link: Link) -> int:
        return self.rank[link.end] - self.rank[link.start]

    def _find_trunks(self, links: list[Link]) -> dict[tuple[int, float], Link]:
        """Where many long links come together: the longest of them."""
        meeting: dict[tuple[int, float], list[Link]] = {}
        for link in links:
            if 1 < self._span(link) <= MERGED_SPAN:
                meeting.setdefault((link.end, link.end_dx), []).append(link)
        return {
            place: max(group, key=self._span)
            for place, group in meeting.items()
            if len(group) >= MANY
        }

    def _chain(self, link: Link) -> list[int] | None:
        """Dummies for the rows between the ends: its own, or those of a trunk."""
        place, span = (link.end, link.end_dx), self._span(link)
        if place not in self.trunks or not 1 < span <= MERGED_SPAN:
            return self._own_chain(link) if span <= MAX_SPAN else None
        if place not in self.buses:
            self.buses[place] = self._own_chain(self.trunks[place])
        return self.buses[place][1 - span :]

    def _own_chain(self, link: Link) -> list[int]:
        first, last_row = self.rank[link.start] + 1, self.rank[link.end]
        dummies: list[int] = []
        last, shift = link.start, link.start_dx
        for row in range(first, last_row):
            dummy = self._add_dummy(row, self.depth[link.start])
            self._join(last, dummy, shift)
            dummies.append(dummy)
            last, shift = dummy, 0.0
        self._join(last, link.end, shift - link.end_dx)
        return dummies

    def _add_dummy(self, rank: int, depth: int) -> int:
        self.rank.append(rank)
        self.width.append(DUMMY_W)
        self.depth.append(depth)
        self.up.append([])
        self.down.append([])
        self.rows[rank].append(len(self.rank) - 1)
        return len(self.rank) - 1

    def _anchor(self, v: int) -> float:
        return 0.0 if self._is_dummy(v) else self.items[v].anchor

    def _join(self, upper: int, lower: int, shift: float) -> None:
        """Make two items neighbours; `shift` is the lower end's offset when upright."""
        anchor = self._anchor(upper) - self._anchor(lower)
        self.down[upper].append(_Neighbour(lower, shift, anchor))
        self.up[lower].append(_Neighbour(upper, shift, anchor))

    def _sweep(self) -> None:
        position = [0] * len(self.rank)

        def number(row: list[int]) -> None:
            for i, v in enumerate(row):
                position[v] = i

        for row in self.rows:
            number(row)
        for s in range(SWEEPS):
            near = self.down if s % 2 else self.up
            for row in reversed(self.rows) if s % 2 else self.rows:
                key = {v: _mean(near[v], position, position[v]) for v in row}
                row.sort(key=key.__getitem__)
                number(row)

    def _place(self) -> None:
        spine = [self._spine_of(near) for near in self.up]

        def below(v: int) -> float:
            if spine[v] < 0:
                return self.x[v]
            parent = self.up[v][spine[v]]
            return self.x[parent.item] + parent.anchor

        def above(v: int) -> float:
            return self._above(spine, v)

        for row in self.rows:
            self._pack(row)
        for _ in range(ROUNDS):
            for row in self.rows:
                self._settle(row, below)
            for row in reversed(self.rows):
                self._settle(row, above)

    def _spine_of(self, near: list[_Neighbour]) -> int:
        """The index of the deepest parent; a real item wins over a dummy."""
        return self._foremost([neighbour.item for neighbour in near])

    def _foremost(self, items: list[int]) -> int:
        """The index of the item with the highest priority; the middle one of equals."""
        most = max((self._priority(v) for v in items), default=-1)
        equals = [i for i, v in enumerate(items) if self._priority(v) == most]
        return equals[(len(equals) - 1) // 2] if equals else -1

    def _is_dummy(self, v: int) -> bool:
        return v >= len(self.items)

    def _priority(self, v: int) -> float:
        return self.depth[v] + (0.0 if self._is_dummy(v) else 0.5)

    def _pack(self, row: list[int]) -> None:
        x = 0.0
        for v in row:
            self.x[v] = x + self.width[v] / 2
            x += self.width[v] + GAP_X
        for v in row:
            self.x[v] -= (x - GAP_X) / 2

    def _above(self, spine: list[int], v: int) -> float:
        near = self.down[v]
        if not near:
            return self.x[v]
        own = [n for n in near if self.up[n.item][spine[n.item]].item == v]
        real = [n for n in own if not self._is_dummy(n.item)]
        group = real or own or near
        targets = [self.x[n.item] - (n.anchor if own else n.shift) for n in group]
        return sum(targets) / len(targets)

    def _settle(self, row: list[int], target: Callable[[int], float]) -> None:
        """Put the deepest item where it should be, and push the others outwards."""
        if not row:
            return
        x, targets = self.x, [target(v) for v in row]
        m = self._foremost(row)
        x[row[m]] = targets[m]
        for i in range(m + 1, len(row)):
            x[row[i]] = max(targets[i], x[row[i - 1]] + self._space(row, i - 1))
        for i in range(m - 1, -1, -1):
            x[row[i]] = min(targets[i], x[row[i + 1]] - self._space(row, i))

    def _space(self, row: list[int], i: int) -> float:
        """The distance between the centres of the i-th and the next item of a row."""
        return (self.width[row[i]] + self.width[row[i + 1]]) / 2 + GAP_X


def _mean(near: list[_Neighbour], position: list[int], otherwise: float) -> float:
    if not near:
        return otherwise
    return sum(position[n.item] for n in near) / len(near)


def arrange(items: list[Item], links: list[Link]) -> Grid:
    """The rows, order and centres of a scope's items.

    Example:
        >>> boxes = [Item(100, 50, "box", 0.0), Item(100, 50, "box", 0.0)]
        >>> arrange(boxes, [Link(0, 1, 0.0, 0.0)]).rank
        [0, 1]
    """
    scope = _Scope(items, links)
    return Grid(scope.rank, scope.x, scope.rows, scope.chains)
