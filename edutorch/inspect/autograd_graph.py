"""The graph recorded by autograd, for a GraphView of an unwatched computation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from ..tensor.tensor import Tensor

__all__ = ["autograd_graph"]

MOST = 200  # nodes
NAMELESS: Final[Mapping[int, str]] = MappingProxyType({})


def autograd_graph(
    op: str, message: str, ends: Sequence[Any], names: Mapping[int, str] = NAMELESS
) -> dict[str, Any] | None:
    """The graph that led to a failed op, in GraphView's format; None without one.

    Args:
        op: the failed op, which is the last node.
        message: that of the error.
        ends: the operands, or the node whose backward failed.
        names: of tensors, by their `id`.

    Example:
        >>> import edutorch as torch
        >>> w = torch.ones(2, requires_grad=True)
        >>> graph = autograd_graph("add", "sizes differ", [w * 2], {id(w): "w"})
        >>> [node["name"] for node in graph["nodes"]]
        ['w', 'mul', 'add']
    """
    starts = [
        one if not isinstance(one, Tensor) or one._grad_fn is None else one._grad_fn
        for one in ends
    ]
    if all(isinstance(start, Tensor) for start in starts):
        return None
    found = _Found(names)
    made = [found.visit(start) for start in starts]
    nodes = found.in_order()
    if isinstance(ends[0], Tensor):
        nodes.append(_node("op", op, (), "", "") | {"id": "failed"})
        made = [found.short[one] for one in made if one in found.short]
        found.edges += [[one, "failed"] for one in made]
    nodes[-1]["error"] = message
    return {
        "v": 1, "rev": 1, "step": 0, "phase": "forward", "recorded_step": 0,
        "dropped": found.dropped, "passes": 0, "pending": False, "now": "",
        "nodes": nodes, "edges": found.edges, "modules": [],
    }  # fmt: skip


class _Found:
    """Nodes and leaves in order of discovery, at most `MOST`."""

    def __init__(self, names: Mapping[int, str]) -> None:
        self.names = names
        self.nodes: dict[int, tuple[int, dict[str, Any]]] = {}  # by id
        self.edges: list[list[str]] = []
        self.short: dict[str, str] = {}
        self.dropped = 0

    def visit(self, start: Any) -> str:
        """Return the id of a node or leaf, after visiting everything that led to it."""
        waiting = [start]
        while waiting:
            here = waiting.pop(0)
            if id(here) in self.nodes:
                continue
            if len(self.nodes) >= MOST:
                self.dropped += 1
                continue
            self.nodes[id(here)] = self._describe(here)
            for edge in getattr(here, "edges", ()):
                if edge is not None:
                    self.edges.append([f"n{id(edge)}", f"n{id(here)}"])
                    waiting.append(edge)
        return f"n{id(start)}"

    def _describe(self, here: Any) -> tuple[int, dict[str, Any]]:
        name = f"n{id(here)}"
        if isinstance(here, Tensor):
            kind = "param" if here._requires_grad else "input"
            usual = "parameter" if kind == "param" else "input"
            label = self.names.get(id(here), usual)
            shape = tuple(map(int, here._data.shape))
            node = _node(kind, label, shape, here.dtype.name, str(here._device))
            return -1, node | {"id": name}
        dtype = getattr(here.out_dtype, "name", str(here.out_dtype))
        shape = tuple(map(int, here.out_shape))
        node = _node("op", here.public, shape, dtype, str(here.device))
        node |= {"id": name, "cls": type(here).__name__, "attrs": here.describe()}
        return int(here.seq), node

    def in_order(self) -> list[dict[str, Any]]:
        """Leaves, then operations in execution order, renumbered consecutively."""
        ordered = [node for _, node in sorted(self.nodes.values(), key=_first)]
        short = {node["id"]: f"op{i}" for i, node in enumerate(ordered)}
        for node in ordered:
            node["id"] = short[node["id"]]
        self.edges = [
            [short[a], short[b]] for a, b in self.edges if a in short and b in short
        ]
        self.short = short
        return ordered


def _first(pair: tuple[int, dict[str, Any]]) -> int:
    return pair[0]


def _node(
    kind: str, name: str, shape: tuple[int, ...], dtype: str, device: str
) -> dict[str, Any]:
    return {
        "id": "", "kind": kind, "name": name, "var": "", "cls": "", "module": "",
        "shape": list(shape), "dtype": dtype, "device": device, "attrs": "",
        "src": None, "lib": None, "stats": None, "grad": None, "fwd_us": None,
        "bwd_us": None, "bytes": 0, "error": "",
    }  # fmt: skip
