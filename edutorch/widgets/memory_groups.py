"""Rows of memory as nested groups, at one moment or as a difference of two.

The same as `widgets/src/memory_groups.ts`. The data come from
`edutorch.inspect.MemoryTreeRecorder.series`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..inspect.memory_rows import OUTSIDE
from .format import shape_text, short_file

__all__ = ["WAYS", "Group", "group_rows"]

WAYS = ("module", "category", "line", "tensor")


@dataclass
class Group:
    """A module, category, line or tensor, with its contents.

    Attributes:
        name: within the group around it.
        short: the text of its tile.
        category: of a tensor, or of a sum of small ones; -1 for groups.
        before: bytes at the first of two moments, else 0.
        after: bytes at the moment.
        grown: bytes more than before, added up over the rows that grew.
        shrunk: bytes less, over the others.
        count: tensors at the moment.
        children: the largest first.
    """

    name: str
    category: int = -1
    before: int = 0
    after: int = 0
    grown: int = 0
    shrunk: int = 0
    count: int = 0
    children: list[Group] = field(default_factory=list)
    short: str = ""

    def __post_init__(self) -> None:
        self.short = self.short or self.name

    @property
    def size(self) -> int:
        """The size of the tile: bytes, or for a difference the bytes that changed."""
        return self.grown + self.shrunk

    def add(self, other: Group) -> None:
        """Add the bytes of another group."""
        self.before += other.before
        self.after += other.after
        self.grown += other.grown
        self.shrunk += other.shrunk
        self.count += other.count


def group_rows(
    data: dict[str, Any],
    device: int,
    by: str = "module",
    after: int = 0,
    before: int | None = None,
) -> Group:
    """All memory of a device as a tree.

    Args:
        data: the series.
        device: its place in `data["devices"]`.
        by: one of `WAYS`.
        after: the place of the moment in `data["moments"]`.
        before: that of the moment it is compared with, if any.

    Example:
        >>> row = {"device": 0, "category": 0, "module": 0, "line": 0, "name": "w",
        ...        "shape": [2], "dtype": "float32", "counts": [1], "bytes": [8]}
        >>> data = {"rows": [row], "modules": [{"model": "Net", "path": "a.b"}],
        ...         "lines": [{"file": ""}], "categories": ["parameter"]}
        >>> tree = group_rows(data, 0)
        >>> tree.after, [child.name for child in tree.children]
        (8, ['Net.a.b'])
    """
    root = Group("all")
    inside: dict[int, dict[str, Group]] = {}
    for row in data["rows"]:
        leaf = _leaf(data, row, by, after, before)
        if row["device"] != device or leaf.before == leaf.after == 0:
            continue
        group = root
        group.add(leaf)
        for step in _steps(data, row, by):
            named = inside.setdefault(id(group), {})
            found = named.get(step)
            if found is None:
                found = named[step] = Group(step)
                group.children.append(found)
            group = found
            group.add(leaf)
        group.children.append(leaf)
    _tidy(root, by == "module")
    return root


def _leaf(
    data: dict[str, Any],
    row: dict[str, Any],
    by: str,
    after: int,
    before: int | None,
) -> Group:
    now = row["bytes"][after]
    then = 0 if before is None else row["bytes"][before]
    name = _name(row) + _origin(data, row, by)
    leaf = Group(name, row["category"], then, now, count=row["counts"][after])
    leaf.grown, leaf.shrunk = max(0, now - then), max(0, then - now)
    path = data["modules"][row["module"]]["path"]
    if row["shape"] is not None:
        leaf.short = row["name"].replace(f"{path}.", "", 1) if path else row["name"]
    return leaf


def _name(row: dict[str, Any]) -> str:
    """A tensor with its shape, or how many small ones a row sums up."""
    if row["shape"] is None:
        most = max(row["counts"])
        return f"{most:,} smaller tensor{'s' if most != 1 else ''}"
    return f"{row['name']} {shape_text(row['shape'])} {row['dtype']}"


def _origin(data: dict[str, Any], row: dict[str, Any], by: str) -> str:
    """The line that made a tensor, or its model, unless the groups around it tell."""
    if row["shape"] is None:
        return ""
    line = data["lines"][row["line"]]
    if line["file"]:
        return "" if by == "line" else f" · {short_file(line['file'])}:{line['line']}"
    model = data["modules"][row["module"]]["model"]
    if by in ("module", "category") or model == OUTSIDE:
        return ""
    several = any(m["model"] not in (model, OUTSIDE) for m in data["modules"])
    return f" · {model}" if several else ""


def _steps(data: dict[str, Any], row: dict[str, Any], by: str) -> list[str]:
    """The names of the groups that enclose a row, outermost first."""
    if by == "tensor":
        return []
    if by == "line":
        line = data["lines"][row["line"]]
        if not line["file"]:
            return [line["text"]]
        file = short_file(line["file"])
        return [file, f"line {line['line']}: {line['text']}"]
    module = data["modules"][row["module"]]
    path = module["path"].split(".") if module["path"] else []
    if by == "module":
        return [module["model"], *path]
    return [data["categories"][row["category"]], ".".join([module["model"], *path])]


def _tidy(group: Group, merge: bool) -> None:
    """Sort the largest first, and merge a group with its only child."""
    for i, child in enumerate(group.children):
        group.children[i] = _only(child) if merge else child
        _tidy(group.children[i], merge)
    group.children.sort(key=lambda child: (-child.size, child.name))


def _only(group: Group) -> Group:
    while len(group.children) == 1 and group.children[0].children:
        (inner,) = group.children
        inner.name = inner.short = f"{group.name}.{inner.name}"
        group = inner
    return group
