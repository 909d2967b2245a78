"""The visible elements of a graph: boxes and lines between them, as in `boxes.ts`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .format import number, shape_text

__all__ = ["Box", "Edge", "Folded", "leaf_title", "node_box", "node_title"]


@dataclass
class Box:
    """One element of the drawing: an op, a leaf, a folded module, a repeat or a frame.

    Attributes:
        id: unique in the picture.
        kind: "op", "param", "input", "const", "module", "repeat" or "frame".
        node: id of the snapshot's node, "" if it represents a module.
        path: module path it lies in, or that it represents.
        parent: id of the frame around it, "" at the top.
        title, sub: its two lines of text.
        nodes: ids of all nodes it represents.
    """

    id: str
    kind: str
    node: str
    path: str
    parent: str
    title: str
    sub: str
    nodes: list[str]


@dataclass
class Edge:
    """A line between two boxes; `sources` are the nodes whose values it carries."""

    start: str
    end: str
    sources: list[str]


@dataclass
class Folded:
    """The boxes in drawing order, frames before their contents, and the edges."""

    boxes: list[Box]
    edges: list[Edge]


def leaf_title(leaf: dict[str, Any], home: str) -> str:
    """The name of a leaf relative to the module in which it is drawn.

    Where no model is given, paths of modules begin with that of the model, and names
    of parameters do not.

    Example:
        >>> leaf_title({"name": "fc.weight"}, "fc")
        'weight'
        >>> leaf_title({"name": "fc.weight"}, "Net.fc")
        'weight'
    """
    name: str = leaf["name"]
    owner, _, last = name.rpartition(".")
    if owner and f".{home}".endswith(f".{owner}"):
        return last
    return name.removeprefix(home + ".") if home else name


def node_title(op: dict[str, Any]) -> str:
    """An op's name, and the program's name of its result.

    Example:
        >>> node_title({"name": "mul", "var": "z"}), node_title({"name": "mul"})
        ('z = mul', 'mul')
    """
    name: str = op["name"]
    return f"{op['var']} = {name}" if op.get("var") else name


def node_box(node: dict[str, Any], ident: str, parent: str, title: str) -> Box:
    """The box of an op or leaf; its second line is the error, value or shape."""
    error = "" if node["dtype"] else node.get("error", "")
    sub = error.partition(":")[0] or _value_or_shape(node)
    kind, path = node["kind"], node["module"]
    return Box(ident, kind, node["id"], path, parent, title, sub, [node["id"]])


def _value_or_shape(node: dict[str, Any]) -> str:
    """The value if it is a single known number, else the shape."""
    stats = node.get("stats")
    if node["shape"] or not stats or stats["n"] != 1:
        return shape_text(node["shape"])
    return "nan/inf" if stats["nonfinite"] else number(stats["mean"])
