"""One backward pass as a task: where it starts, in which order, what has arrived."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from operator import attrgetter
from typing import Any

import numpy as np

from ..backends.sparse import Coo
from ..tensor.tensor import Tensor

__all__ = ["Task"]

_by_seq = attrgetter("seq")


class Task:
    """One backward pass: where it starts, what it must find, and how it runs."""

    def __init__(
        self,
        roots: Sequence[Tensor],
        gradients: Sequence[Any],
        *,
        create_graph: bool,
        retain: bool,
        targets: Sequence[Tensor] | None = None,
        accumulate: bool = True,
    ) -> None:
        self.create_graph = create_graph
        self.retain = retain
        self.accumulate = accumulate
        self.buffers: dict[Any, Any] = {}  # what has arrived at a node so far
        self.owned: set[Any] = set()  # nodes whose buffer may be added to in place
        self.targeted = targets is not None
        self.wanted: set[tuple[Any, int]] = set()
        self.found: dict[tuple[Any, int], Any] = {}
        self.booked: dict[Any, tuple[Any, ...]] = {}
        starts = []
        for i, root in enumerate(roots):
            node = root.grad_fn or root
            starts.append(node)
            self.add(node, root._output_nr, gradients[i])
        self.order = _order(starts)
        if targets is not None:
            self.wanted = {(t.grad_fn or t, t._output_nr) for t in targets}
            self.order = _leading_to(self.order, {node for node, _ in self.wanted})

    def add(self, node: Any, nr: int, gradient: Any) -> None:
        """Add a gradient to what a node will receive."""
        buffers = self.buffers
        if node.is_op and type(node.out_dtype) is tuple:
            several = buffers.setdefault(node, [None] * len(node.out_dtype))
            before = several[nr]
            several[nr] = gradient if before is None else before + gradient
            return
        before = buffers.get(node)
        if before is None:
            buffers[node] = gradient
        elif node in self.owned:
            np.add(before, gradient, out=before)
        else:
            if type(before) is Coo:  # a sum is dense where one part is
                before, gradient = gradient, before
            total = buffers[node] = before + gradient
            if type(total) is np.ndarray:
                self.owned.add(node)


def _order(starts: list[Any]) -> list[Any]:
    """All nodes below the starts, newest first; a leaf right after its last use."""
    oldest_use: dict[Any, int] = {}  # of each leaf: the creation number
    ops = {node for node in starts if node.is_op}
    for leaf in starts:
        if not leaf.is_op:
            oldest_use[leaf] = sys.maxsize
    stack = list(ops)
    while stack:
        node = stack.pop()
        for edge in node.edges:
            if edge is None:
                continue
            if edge.is_op:
                if edge not in ops:
                    ops.add(edge)
                    stack.append(edge)
            elif node.seq < oldest_use.get(edge, sys.maxsize):
                oldest_use[edge] = node.seq
    return _with_leaves(sorted(ops, key=_by_seq, reverse=True), oldest_use)


def _with_leaves(ops: list[Any], oldest_use: dict[Any, int]) -> list[Any]:
    after: dict[int, list[Any]] = {}
    for leaf, seq in oldest_use.items():
        after.setdefault(seq, []).append(leaf)
    order = after.pop(sys.maxsize, [])
    for node in ops:
        order.append(node)
        if node.seq in after:
            order += after[node.seq]
    return order


def _leading_to(order: list[Any], targets: set[Any]) -> list[Any]:
    """The part of an order from which a target can be reached."""
    reaching = set()
    for node in reversed(order):
        if node in targets or (
            node.is_op and any(e in reaching for e in node.edges if e is not None)
        ):
            reaching.add(node)
    return [node for node in order if node in reaching]
