"""Folds a graph snapshot by module: determines the visible boxes and edges.

`widgets/src/fold.ts` does the same for the live view and explains the steps;
`widgets/test/fixtures` contains results on which both must agree. In short: consecutive
ops in a module form a *call* of it (a single op that uses none of the module's
parameters, as in a ReLU, is drawn as the op); a call is drawn as one box, or as a frame
around its units if its path is expanded; three or more equal neighbours are one box; a
leaf is drawn once per box that uses it, or only once in a small graph. If a call has
many units, repeated ones form a call, a *loop*.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from .boxes import Box, Edge, Folded, leaf_title, node_box, node_title
from .format import module_title, repeat_title, shape_text
from .loops import MANY_UNITS, PAGE, find_loops

__all__ = ["auto_expanded", "fold", "open_to"]

MAX_DEPTH = 32
MIN_REPEAT = 3
SMALL = 24  # nodes; in smaller graphs each leaf is drawn once


@dataclass(eq=False)
class _Call:
    """A contiguous run of ops in one module; a loop in it has a title."""

    id: str
    path: str
    parent: _Call | None
    first: int
    count: int
    units: list[_Unit] = field(default_factory=list)
    signature: str = ""
    title: str = ""

    @property
    def key(self) -> str:
        """The key of this call among the expanded ones."""
        return self.id if self.title else self.path


@dataclass(eq=False)
class _Unit:
    """A part of a call: an op or a nested module call."""

    op: dict[str, Any] | None
    call: _Call | None
    first: int


def _prefixes(path: str) -> list[str]:
    if path == "":
        return []
    names = path.split(".")[:MAX_DEPTH]
    return [".".join(names[: i + 1]) for i in range(len(names))]


def _within(path: str, outer: str) -> bool:
    return outer == "" or path == outer or path.startswith(outer + ".")


class _Folder:
    def __init__(self, data: dict[str, Any], expanded: Collection[str]) -> None:
        self.data = data
        self.expanded = expanded
        self.classes = {m["path"]: m["cls"] for m in data["modules"]}
        self.nodes = {n["id"]: n for n in data["nodes"]}
        self.position = {n["id"]: i for i, n in enumerate(data["nodes"])}
        self.call_of: dict[str, _Call] = {}
        self.shown: dict[str, Box] = {}  # visible box of an op
        self.cover: dict[_Call, Box] = {}  # folded box that a call lies in
        self.content: dict[_Call, list[tuple[float, Box]]] = {}
        self.once: dict[tuple[str, str], Box] = {}  # a leaf's first box in a frame
        self.drawn: set[str] = set()  # leaves that have a box
        self.root = self._find_calls()
        self._skip_trivial(self.root, self._leaf_readers())
        self._roll_up(self.root)

    def fold(self) -> Folded:
        self._open(self.root, "")
        copies = self._place_leaves()
        boxes: list[Box] = []
        self._flatten(self.root, boxes)
        return Folded(boxes, self._join_edges(copies))

    def _find_calls(self) -> _Call:
        root = _Call("", "", None, 0, 1)
        counts: dict[str, int] = {}
        stack = [root]
        for first, op in enumerate(self.data["nodes"]):
            if op["kind"] != "op":
                continue
            chain = ["", *_prefixes(op["module"])]
            while chain[len(stack) - 1 : len(stack)] != [stack[-1].path]:
                stack.pop()
            for path in chain[len(stack) :]:
                counts[path] = count = counts.get(path, 0) + 1
                ident = f"m:{path}#{count}" if count > 1 else f"m:{path}"
                call = _Call(ident, path, stack[-1], first, count)
                stack[-1].units.append(_Unit(None, call, first))
                stack.append(call)
            stack[-1].units.append(_Unit(op, None, first))
            self.call_of[op["id"]] = stack[-1]
        return root

    def _leaf_readers(self) -> set[tuple[str, str]]:
        """The pairs of an op and the module of a leaf that it reads."""
        leaves = {i: n for i, n in self.nodes.items() if n["kind"] != "op"}
        edges = self.data["edges"]
        return {(b, leaves[a]["module"]) for a, b in edges if a in leaves}

    def _skip_trivial(self, call: _Call, readers: set[tuple[str, str]]) -> None:
        """Replace a call of a single op that reads no leaf of its module by the op.

        A list of modules (it has no class) around a single call is that call.
        """
        for i, unit in enumerate(call.units):
            if unit.call is None:
                continue
            self._skip_trivial(unit.call, readers)
            only, *others = unit.call.units
            if others:
                continue
            if only.call is not None and not self.classes.get(unit.call.path):
                only.call.parent = call
                call.units[i] = only
            elif only.op and (only.op["id"], unit.call.path) not in readers:
                self.call_of[only.op["id"]] = call
                call.units[i] = only

    def _roll_up(self, call: _Call) -> None:
        """Turn loops in a call into nested calls."""
        for unit in call.units:
            if unit.call is not None:
                self._roll_up(unit.call)
        if len(call.units) <= MANY_UNITS:
            return
        units: list[_Unit] = []
        done = 0
        for start, period, count in find_loops([self._mark(u) for u in call.units]):
            units += call.units[done:start]
            done = start + period * count
            title = f"loop ×{count}"
            units.append(self._loop(call, call.units[start:done], count, title, 1))
        call.units = units + call.units[done:]

    def _mark(self, unit: _Unit) -> str:
        """A key that is equal for units that may correspond in different iterations."""
        if unit.call is not None:
            cls = self.classes.get(unit.call.path, "")
            return f"{cls}({';'.join(map(self._mark, unit.call.units))})"
        op = unit.op or {}
        return f"{op['name']}|{op['shape']}"

    def _loop(
        self, parent: _Call, units: list[_Unit], count: int, title: str, first: int
    ) -> _Unit:
        """A call for `count` iterations, split into parts if there are many."""
        head = units[0]
        ident = head.op["id"] if head.op is not None else head.call.id  # type: ignore[union-attr]  # one of the two is there
        loop = _Call(f"l:{ident}*{count}", parent.path, parent, head.first, 1)
        paths = [u.call.path for u in units if u.call is not None]
        modules = len(paths) == count == len(units)
        cls = self.classes.get(paths[0], "") if paths else ""
        loop.title = repeat_title(paths, cls) if modules else title
        if count > PAGE:
            size, period = -(-count // PAGE), len(units) // count
            for k in range(0, count, size):
                part = units[k * period : (k + size) * period]
                iterations = len(part) // period
                name = f"iterations {first + k}–{first + k + iterations - 1}"
                loop.units.append(self._loop(loop, part, iterations, name, first + k))
            return _Unit(None, loop, head.first)
        loop.units = units
        for unit in units:
            if unit.call is not None:
                unit.call.parent = loop
            elif unit.op is not None:
                self.call_of[unit.op["id"]] = loop
        return _Unit(None, loop, head.first)

    def _open(self, call: _Call, frame: str) -> None:
        """Draw the contents of a call: ops, frames of open calls, folded boxes."""
        placed = self.content[call] = []
        i = 0
        while i < len(call.units):
            run = self._equal_run(call.units, i)
            groups = [run] if self._is_repeat(run) else [[unit] for unit in run]
            placed.extend((g[0].first, self._unit_box(g, frame)) for g in groups)
            i += len(run)

    def _unit_box(self, run: list[_Unit], frame: str) -> Box:
        unit = run[0]
        if unit.op is not None:
            box = node_box(unit.op, unit.op["id"], frame, node_title(unit.op))
            self.shown[unit.op["id"]] = box
            return box
        calls = [u.call for u in run if u.call is not None]
        first = calls[0]
        if len(run) == 1 and first.key in self.expanded:
            box = self._module_box("frame", first.id, calls, frame)
            self._open(first, box.id)
            return box
        kind = "repeat" if len(run) > 1 or first.title else "module"
        ident = f"r:{first.id[2:]}" if len(run) > 1 else first.id
        box = self._module_box(kind, ident, calls, frame)
        for call in calls:
            self._cover_all(call, box)
        last = self.nodes.get(box.nodes[-1]) if box.nodes else None
        box.sub = shape_text(last["shape"]) if last else ""
        return box

    def _module_box(
        self, kind: str, ident: str, calls: list[_Call], parent: str
    ) -> Box:
        paths = [c.path for c in calls]
        cls = self.classes.get(paths[0], "")
        if calls[0].title:
            title = calls[0].title
        elif kind == "repeat":
            title = repeat_title(paths, cls)
        else:
            outer = calls[0].parent.path if calls[0].parent else ""
            title = module_title(paths[0], cls, calls[0].count, outer)
        return Box(ident, kind, "", calls[0].key, parent, title, "", [])

    def _cover_all(self, call: _Call, box: Box) -> None:
        self.cover[call] = box
        for unit in call.units:
            if unit.call is not None:
                self._cover_all(unit.call, box)
            elif unit.op is not None:
                self.shown[unit.op["id"]] = box
                box.nodes.append(unit.op["id"])

    def _equal_run(self, units: list[_Unit], i: int) -> list[_Unit]:
        """The equal calls that follow each other from `i` on; an op is alone."""
        call = units[i].call
        end = i + 1
        while call and end < len(units) and self._same(units[end].call, call):
            end += 1
        return units[i:end]

    def _same(self, call: _Call | None, other: _Call) -> bool:
        if call is None or call.title or other.title:
            return False
        return self._signature(call) == self._signature(other)

    def _is_repeat(self, run: list[_Unit]) -> bool:
        calls = [unit.call for unit in run if unit.call is not None]
        if len(calls) < MIN_REPEAT or f"r:{calls[0].id[2:]}" in self.expanded:
            return False
        return not any(call.path in self.expanded for call in calls)

    def _signature(self, call: _Call) -> str:
        if not call.signature:
            parts = ";".join(map(self._unit_signature, call.units))
            call.signature = f"{self.classes.get(call.path, '')}({parts})"
        return call.signature

    def _unit_signature(self, unit: _Unit) -> str:
        if unit.call is not None:
            return self._signature(unit.call)
        op = unit.op or {}
        return f"{op['name']}|{op['attrs']}|{op['shape']}"

    def _place_leaves(self) -> dict[tuple[str, str], Box]:
        """Put leaves next to their consumers; return the copy for each use."""
        uses: dict[str, list[str]] = {}
        for a, b in self.data["edges"]:
            if b in self.call_of and a not in self.call_of:
                uses.setdefault(a, []).append(b)
        copies: dict[tuple[str, str], Box] = {}
        for index, leaf in enumerate(self.data["nodes"]):
            if leaf["kind"] == "op":
                continue
            if leaf["id"] in uses:
                self._place_uses(leaf, uses[leaf["id"]], copies)
            else:
                self._place_unused(leaf, index)
        for placed in self.content.values():
            placed.sort(key=lambda entry: entry[0])
        return copies

    def _place_uses(
        self,
        leaf: dict[str, Any],
        consumers: list[str],
        copies: dict[tuple[str, str], Box],
    ) -> None:
        for op in consumers:
            home = _home_of(leaf["module"], self.call_of[op])
            while len(consumers) > 1 and home.title and home in self.cover:
                home = home.parent or home  # leaves of all iterations are drawn outside
            if home in self.cover:
                _add_once(self.cover[home].nodes, leaf["id"])
            else:
                self._place_copy(leaf, op, home, copies)

    def _place_copy(
        self,
        leaf: dict[str, Any],
        op: str,
        home: _Call,
        copies: dict[tuple[str, str], Box],
    ) -> None:
        """Draw a leaf next to an op that uses it, unless it is drawn there already."""
        target = self.shown[op]
        if (leaf["id"], target.id) in copies:
            return
        place = leaf["id"], home.id
        box = self.once.get(place) if len(self.nodes) <= SMALL else None
        if box is None:
            ident = (
                f"{leaf['id']}@{target.id}" if leaf["id"] in self.drawn else leaf["id"]
            )
            box = node_box(leaf, ident, home.id, leaf_title(leaf, home.path))
            key = self._unit_key(op, self.call_of[op], home) - 0.5
            self.content[home].append((key, box))
            self.once[place] = box
            self.drawn.add(leaf["id"])
        copies[leaf["id"], target.id] = box

    def _place_unused(self, leaf: dict[str, Any], index: int) -> None:
        home = self.root
        for path in _prefixes(leaf["module"]):
            inner = [u.call for u in home.units if u.call and u.call.path == path]
            if not inner:
                break
            home = inner[0]
        if home in self.cover:
            self.cover[home].nodes.append(leaf["id"])
        else:
            box = node_box(leaf, leaf["id"], home.id, leaf_title(leaf, home.path))
            self.content[home].append((index, box))

    def _unit_key(self, op: str, own: _Call, home: _Call) -> int:
        """The sort key of the unit of `home` that contains an op of the call `own`."""
        if own is home:
            return self.position[op]
        call = own
        while call.parent is not None and call.parent is not home:
            call = call.parent
        return call.first

    def _flatten(self, call: _Call, out: list[Box]) -> None:
        frames = {u.call.id: u.call for u in call.units if u.call is not None}
        for _, box in self.content.get(call, ()):
            out.append(box)
            if box.kind == "frame" and box.id in frames:
                self._flatten(frames[box.id], out)

    def _join_edges(self, copies: dict[tuple[str, str], Box]) -> list[Edge]:
        edges: dict[tuple[str, str], Edge] = {}
        for a, b in self.data["edges"]:
            end = self.shown.get(b)
            if end is None:
                continue
            start = self.shown.get(a) or copies.get((a, end.id))
            if start is None or start is end:
                continue
            edge = edges.get((start.id, end.id))
            if edge is None:
                edges[start.id, end.id] = Edge(start.id, end.id, [a])
            else:
                _add_once(edge.sources, a)
        return list(edges.values())


def _home_of(module: str, consumer: _Call) -> _Call:
    """The call in which a leaf is drawn: its module's, if the consumer is in that."""
    if not _within(consumer.path, module):
        return consumer
    call = consumer
    while call.parent is not None and call.path != module:
        call = call.parent
    return call


def _add_once(items: list[str], item: str) -> None:
    if item not in items:
        items.append(item)


def fold(data: dict[str, Any], expanded: Collection[str]) -> Folded:
    """Fold a snapshot; `expanded` contains the open module paths and repeat ids.

    Example:
        >>> ops = [{"id": f"op{i}", "kind": "op", "name": name, "module": "act",
        ...         "shape": [4], "attrs": ""} for i, name in enumerate(("mul", "exp"))]
        >>> modules = [{"path": "act", "cls": "Gauss", "parent": ""}]
        >>> data = {"nodes": ops, "edges": [], "modules": modules}
        >>> [box.title for box in fold(data, ()).boxes]
        ['(act): Gauss']
    """
    return _Folder(data, expanded).fold()


def open_to(data: dict[str, Any], depth: int) -> set[str]:
    """All module paths with at most `depth` names."""
    return {p for n in data["nodes"] for p in _prefixes(n["module"])[:depth]}


def auto_expanded(data: dict[str, Any], target: int = 40) -> set[str]:
    """The calls that are open at first: the depth with about `target` boxes.

    Of equally good depths it is the deepest, which says most about what is inside:
    twelve layers, not their list.
    """
    depths = [len(_prefixes(n["module"])) for n in data["nodes"] if n["kind"] == "op"]
    best: set[str] = set()
    distance = float("inf")
    for depth in range(max(depths, default=0) + 1):
        opened = open_to(data, depth)
        boxes = sum(box.kind != "frame" for box in fold(data, opened).boxes)
        if abs(boxes - target) <= distance:
            best, distance = opened, abs(boxes - target)
    return best
