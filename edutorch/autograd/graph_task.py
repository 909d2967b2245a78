"""One backward pass: its roots, the order of nodes, and the gradients so far."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Any

import numpy as np

from .. import events, op_events
from ..backends import array_module, backend_of
from ..backends.sparse import Coo
from ..tensor.tensor import Tensor, wrap
from . import large_arrays
from .foreign_operands import call_user
from .graph import GradientEdge
from .large_arrays import LARGE
from .leaf_node import AccumulateGrad
from .modes import modes, set_grad

__all__ = [
    "Task", "backward_task", "check_root", "leaves_below", "need_history",
    "root_gradients", "sequence_of",
]  # fmt: skip

_by_seq, _is_op = attrgetter("seq"), attrgetter("is_op")


class Task:
    """One backward pass: its roots, the requested gradients, and its progress.

    Attributes:
        starts: the nodes and leaves where it begins.
        order: the nodes to visit, newest first.
        buffers: the sum of gradients that have arrived at a node or leaf.
        awaited: for each leaf, how many gradients have not arrived yet.
        ready: the leaves at which all have arrived.
        captures: which outputs of which nodes `autograd.grad` requests.
        ends: those nodes.
        partial: whether some leaves need no gradient.
        above: the nodes from which a requested node or leaf can be reached.
        found: the requested gradients.
        callbacks: functions to call when all gradients are complete.
    """

    captures: Any = frozenset()
    above: Any = frozenset()
    ends: Any = frozenset()
    partial = False
    zeros: tuple[Any, ...] = ()  # nodes and leaves that only received zeros
    visited = 0  # number of nodes and leaves, while there are listeners
    stepped = 0  # number of steps taken by `backward_steps`
    slow_path = False  # whether all nodes run in `engine._run_slow_path`
    records = True  # with `create_graph`: tensors without it are batches in `vmap`
    # The state of this thread before the pass; None, "": unchanged.
    enclosing: Any = None
    took_arrays = False
    phase = ""
    began = 0  # nanoseconds; set while there are listeners
    recording: bool | None = None
    callbacks: Any = ()  # callbacks of `queue_callback`

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
        self.buffers: dict[Any, Any] = {}
        self.owned: set[Any] = set()  # nodes whose buffer may be added to in place
        self.targeted = targets is not None
        self.overflowed: Any = None  # the first node whose gradient was infinite
        self.found: dict[tuple[Any, int], Any] = {}
        starts: list[Any] = []
        self.starts = starts
        for root, gradient in zip(roots, gradients, strict=True):
            node = (root._grad_fn if root._base is None else root.grad_fn) or root
            if node not in self.buffers:
                starts.append(node)
            self.add(node, root._output_nr, gradient)
        self.order, self.awaited = _topological_order(starts)
        self.ready: list[Tensor] = []
        for start in starts:
            if not (start.is_op or start in self.awaited):
                self.ready.append(start)
        if targets is not None:
            self._keep_only(targets)

    def begin(self, watched: Any) -> bool:
        """Set up this thread to run the task; whether nodes need `_run_slow_path`.

        Args:
            watched: whether every node is checked, as by anomaly detection.
        """
        self.slow_path = bool(
            watched or self.create_graph or self.retain or self.captures
        )  # a node that is retained is shared: see `engine._private_copy`
        self.enclosing, modes.task = modes.task, self
        self.took_arrays, modes.takes_arrays = modes.takes_arrays, True
        if events.active:
            state = events.thread_local.state
            self.phase, state.phase = state.phase, "backward"
            self.began = events.clock()
        if self.slow_path:
            self.stop_recording()
        return self.slow_path

    def stop_recording(self) -> None:
        """From now on, record what hooks compute only with `create_graph`."""
        if self.recording is None:
            self.recording = set_grad(self.create_graph and self.records)

    def run_callbacks(self) -> None:
        """Run the callbacks, which may add more."""
        self.stop_recording()
        for callback in self.callbacks:  # the list may grow
            call_user(callback)
        self.callbacks = ()

    def end(self) -> None:
        """Restore the state of this thread."""
        if modes.task is self:
            modes.task, modes.takes_arrays = self.enclosing, self.took_arrays
        if self.phase:
            events.thread_local.state.phase, self.phase = self.phase, ""
        if self.recording is not None:
            set_grad(self.recording)
            self.recording = None
        if self.began:
            began, self.began = self.began, 0
            events.span("backward", "backward", began)

    def add(self, node: Any, nr: int, gradient: Any) -> None:
        """Add a gradient to a node's buffer."""
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
            if type(before) is Coo:  # a sum is dense if one term is
                before, gradient = gradient, before
            if type(before) is np.ndarray and before.size > LARGE:
                total = large_arrays.add(before, gradient)
            else:
                total = before + gradient
            buffers[node] = total
            if type(total) is np.ndarray:
                self.owned.add(node)

    def _keep_only(self, targets: Sequence[Tensor]) -> None:
        """Omit nodes from which no target can be reached."""
        self.captures = {(t.grad_fn or t, t._output_nr) for t in targets}
        ends = self.ends = {node for node, _ in self.captures}
        self.order, self.above = _prune_to_targets(self.order, ends)
        awaited = {leaf: n for leaf, n in self.awaited.items() if leaf in ends}
        self.partial = len(awaited) < len(self.awaited)
        self.awaited = awaited
        self.ready = [leaf for leaf in self.ready if leaf in ends]

    def needs_of(self, node: Any) -> tuple[bool, ...]:
        """For each input of a node whether its gradient leads to a requested one."""
        above, ends = self.above, self.ends
        return tuple([edge in above or edge in ends for edge in node.edges])

    def waiting_leaves(self) -> list[Tensor]:
        """Leaves that still wait, since a node above them got no gradient."""
        if self.zeros:
            self._propagate_zeros()
        if not self.buffers:
            return []
        return [leaf for leaf in self.awaited if leaf in self.buffers]

    def _propagate_zeros(self) -> None:
        """Zeros for nodes that receive no other gradient: see `zero_gradient`."""
        reached = list(self.zeros)
        seen = set(reached)
        for node, nr in reached:  # the list grows on the way
            if not node.is_op:
                if self.awaited.get(node) and node not in self.buffers:
                    xp = backend_of(node._device).xp
                    self.buffers[node] = xp.zeros(node._data.shape, node._data.dtype)
                continue
            if (node, nr) in self.captures and (node, nr) not in self.found:
                shape, dtype = node.out_shape, node.out_dtype
                if type(dtype) is tuple:
                    shape, dtype = shape[nr], dtype[nr]
                zeros = backend_of(node.device).xp.zeros(shape, dtype)
                self.found[node, nr] = zeros
            for place in zip(node.edges, node.edge_nrs, strict=False):
                if place[0] is not None and place not in seen:
                    seen.add(place)
                    reached.append(place)


def _topological_order(starts: list[Any]) -> tuple[list[Any], dict[Any, int]]:
    """The nodes below the starts, newest first; and how many edges lead to each leaf.

    Newest first is a topological order: a node is newer than its inputs.
    """
    nodes = list(filter(_is_op, starts))
    seen = set(nodes)
    awaited: dict[Any, int] = {}
    for node in nodes:  # the list grows on the way
        for edge in node.edges:
            if edge is None:
                continue
            if not edge.is_op:
                awaited[edge] = awaited.get(edge, 0) + 1
            elif edge not in seen:
                seen.add(edge)
                nodes.append(edge)
    nodes.sort(key=_by_seq, reverse=True)
    return nodes, awaited


def _prune_to_targets(
    order: list[Any], targets: set[Any]
) -> tuple[list[Any], set[Any]]:
    """The nodes of an order that lead to targets, and all that do."""
    above: set[Any] = set()
    for node in reversed(order):
        if any(edge in targets or edge in above for edge in node.edges):
            above.add(node)
    return [node for node in order if node in above or node in targets], above


def leaves_below(tensors: Iterable[Tensor]) -> set[Tensor]:
    """The leaves that a backward from these tensors would reach."""
    starts = [tensor.grad_fn or tensor for tensor in tensors if tensor.requires_grad]
    _, awaited = _topological_order(list(dict.fromkeys(starts)))
    return {*awaited, *(start for start in starts if not start.is_op)}


# ---- the roots of a pass


def backward_task(
    tensors: Any, gradients: Any, retain: bool | None, create: bool, inputs: Any
) -> Task:
    """The task of a `backward`: its roots, their gradients, and its targets.

    Raises:
        RuntimeError: for roots that cannot be differentiated, and gradients that do
            not fit them.
        TypeError: for arguments that are not tensors.
    """
    targets = None if inputs is None else _inputs_of(inputs)
    one = gradients is None or isinstance(gradients, Tensor)
    if one and isinstance(tensors, Tensor):  # the most common case
        roots, given = [tensors], [_root_gradient(0, tensors, gradients, create)]
    else:
        roots = sequence_of(tensors)
        given = root_gradients(roots, gradients, create)
    if targets is not None:
        for t in targets:
            t.retain_grad()  # which does nothing for leaves
    task = Task(
        roots,
        given,
        create_graph=create,
        retain=create if retain is None else retain,
        targets=targets,
    )
    if targets is not None:
        task.captures = set()
    if events.hears_roots:
        op_events.announce_roots(tensors)
    return task


def sequence_of(value: Any) -> list[Any]:
    """One or several tensors, or places in the graph, as a list of tensors."""
    if isinstance(value, (Tensor, GradientEdge)):
        value = [value]
    return [_tensor_at(v) if type(v) is GradientEdge else v for v in value]


def _tensor_at(edge: GradientEdge) -> Tensor:
    """A tensor without values that has a place in the graph."""
    node, nr = edge.node, edge.output_nr
    if isinstance(node, AccumulateGrad):
        return node.variable
    shape, dtype = node.out_shape, node.out_dtype
    if type(dtype) is tuple:
        shape, dtype = shape[nr], dtype[nr]
    tensor = wrap(np.broadcast_to(np.zeros((), dtype), shape), node.device)
    tensor._requires_grad, tensor._grad_fn, tensor._output_nr = True, node, nr
    return tensor


def _inputs_of(inputs: Any) -> list[Any]:
    """The tensors, one or several, that a `backward` is for."""
    targets = sequence_of(inputs)
    if not targets:
        raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    return targets


def root_gradients(roots: Sequence[Any], gradients: Any, create: bool) -> list[Any]:
    """The gradient to start with at each root.

    Raises:
        RuntimeError: for roots without history, and gradients that do not fit.
        AssertionError: for roots that are not tensors.
    """
    given = [None] * len(roots) if gradients is None else sequence_of(gradients)
    if len(given) < len(roots):
        for i, (root, g) in enumerate(zip(roots, given, strict=False)):
            if g is not None:
                _check_gradient(i, root, g)
        raise RuntimeError(f"got {len(roots)} tensors and {len(given)} gradients")
    return [
        _root_gradient(i, root, g, create)
        for i, (root, g) in enumerate(zip(roots, given, strict=False))
    ]  # PyTorch ignores further gradients, too


def check_root(root: Any) -> None:
    """Raise for an output to be differentiated that is no tensor.

    Raises:
        AssertionError: as in PyTorch.
    """
    if not isinstance(root, Tensor):
        raise AssertionError("Expected output to be a torch.Tensor")


def need_history(i: int, root: Tensor) -> None:
    """Raise for an output that depends on nothing that requires grad.

    Raises:
        RuntimeError: with its position among the outputs.
    """
    if not root._requires_grad:
        raise RuntimeError(
            f"element {i} of tensors does not require grad and does not have a grad_fn"
        )


def _root_gradient(i: int, root: Any, gradient: Any, create: bool) -> Any:
    """The initial gradient at one root."""
    if not isinstance(root, Tensor):
        check_root(root)
    if gradient is not None:
        _check_gradient(i, root, gradient)
        if gradient._data.dtype != root._data.dtype:
            gradient = gradient.to(root.dtype)
    if not root._requires_grad:
        need_history(i, root)
    if gradient is not None:
        return gradient if create else gradient._data
    if root._data.size != 1:
        raise RuntimeError("grad can be implicitly created only for scalar outputs")
    if root._data.dtype.kind in "cW":
        raise RuntimeError(
            "grad can be implicitly created only for real scalar outputs but got "
            f"{root.dtype}"
        )
    if events.hears_spans:
        events.span("aten::ones_like", "op", events.clock())
    if type(root._data) is np.ndarray and not root._data.ndim:
        ones = np.array(1, root._data.dtype)  # in half the time
    else:
        ones = array_module(root._data).ones(root._data.shape, root._data.dtype)
    return wrap(ones, root._device) if create else ones


def _check_gradient(i: int, root: Tensor, gradient: Any) -> None:
    """A given gradient: a tensor like its root."""
    if not isinstance(gradient, Tensor):
        raise TypeError(
            "gradients can be either Tensors or None, but got "
            f"{type(gradient).__name__}"
        )
    if gradient._data.shape != root._data.shape:
        raise RuntimeError(
            f"Mismatch in shape: grad_output[{i}] has a shape of {gradient.shape} and "
            f"output[{i}] has a shape of {root.shape}."
        )
    if (gradient._data.dtype.kind in "cW") != (root._data.dtype.kind in "cW"):
        raise RuntimeError(
            "For complex Tensors, both grad_output and output are required to have the "
            f"same dtype. Mismatch in dtype: grad_output[{i}] has a dtype of "
            f"{gradient.dtype} and output[{i}] has a dtype of {root.dtype}."
        )
