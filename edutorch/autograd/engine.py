"""The engine: walks the graph from outputs to leaves and multiplies Jacobians.

Nodes are visited in the reverse of the order they were made in, which is a
topological order, without recursion. An ordinary backward runs on arrays, and saved
values are freed on the way; with `create_graph` it runs on tensors through the gate,
so that the backward pass is itself recorded.

`steps` is the engine. It is a generator, so that a stepper can stop after any node.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import events
from ..backends import backend_of
from ..backends.sparse import Coo
from ..tensor.tensor import Tensor, wrap
from . import breakpoints
from . import modes as _m
from .hooks import AccumulateGrad
from .modes import modes, set_grad
from .op import FREED, Op
from .saved import expose
from .task import Task
from .unbroadcast import as_gradient

__all__ = ["Step", "Task", "run", "steps"]


@dataclass
class Step:
    """One node of a backward pass, just after it ran.

    Attributes:
        node: the op (or the leaf tensor, for the step that stores its gradient).
        grad_outputs: the gradients that arrived.
        grad_inputs: the gradients that leave, None where nobody needs them.
        index: 0 for the first node visited.
    """

    node: Any
    grad_outputs: tuple[Any, ...]
    grad_inputs: tuple[Any, ...]
    index: int

    @property
    def name(self) -> str:
        """PyTorch's name of the node."""
        if isinstance(self.node, Tensor):
            return "AccumulateGrad"
        return str(self.node.name())

    def __repr__(self) -> str:
        shapes = [None if g is None else tuple(g.shape) for g in self.grad_inputs]
        return f"Step({self.index}: {self.name} -> {shapes})"


def run(task: Task) -> None:
    """Walk a task to its end."""
    for _ in steps(task):
        pass


def steps(task: Task, stepping: bool = False) -> Iterator[Step]:
    """The engine's loop; with `stepping` it yields after every node."""
    place = events.place
    phase, place.phase = place.phase, "backward"
    around, modes.task = modes.task, task
    recording = set_grad(task.create_graph)
    try:
        for index, node in enumerate(task.order):
            gradient = task.buffers.pop(node, None)
            if gradient is None:
                continue
            started = events.clock() if events.active else 0
            if node.is_op:
                results = _run_node(task, node, gradient)
                if task.booked:
                    _end_booking(task, node, gradient, results)
            else:
                results = _reach_leaf(task, node, gradient)
            if started:
                _announce(task, node, gradient, started, index)
            if stepping:
                place.phase, modes.task = phase, around
                set_grad(recording)
                yield Step(node, _tensors(gradient), _tensors(results), index)
                place.phase, modes.task = "backward", task
                set_grad(task.create_graph)
            results = None  # see Note [Who else holds a gradient]
    finally:
        place.phase, modes.task = phase, around
        set_grad(recording)
        for booking in task.booked.values():
            _unbook(booking)


def _run_node(task: Task, node: Op, gradient: Any) -> Any:
    """Run one node's backward and hand its results on."""
    hooks = node.hooks
    if hooks is not None:
        gradient = _before(task, node, gradient)
    if task.wanted and _capture(task, node, gradient):
        return ()
    inputs, output = node.inputs, node.output
    if inputs is not None or output is not None:
        expose(node, inputs, output, task.create_graph)
    try:
        if breakpoints.active and breakpoints.before(node, "backward"):
            breakpoint()  # noqa: T100 (asked for; "step into" leads to node.backward)
        if type(gradient) is list:
            results = node.backward(*_materialise(node, gradient, task))
        else:
            results = node.backward(gradient)
        if breakpoints.active and breakpoints.after(node, "backward", results):
            breakpoint()  # noqa: T100 (asked for; the gradients are in results)
    except Exception as error:
        raise _in_backward(node, error) from None
    finally:
        if task.retain:
            node.inputs, node.output = inputs, output
        else:
            _free(node, inputs, output)
    if type(results) is not tuple:
        results = (results,)
    if hooks is not None and hooks.post:
        results = _after(task, node, results, gradient)
    if _m.anomaly:
        _check_nan(node, results)
    _hand_on(task, node, gradient, results)
    return results


def _free(node: Op, inputs: Any, output: Any) -> None:
    """Let go of what backward needed; a second backward is told so."""
    if inputs is not None:
        node.inputs = FREED
    if output is not None:
        node.inputs, node.output, node.output_storage = FREED, None, None
    if node.saves_extra:
        node.inputs, node.saved = FREED, None


def _hand_on(task: Task, node: Op, gradient: Any, results: tuple[Any, ...]) -> None:
    """Add each gradient to its target's buffer, in the target's shape and dtype."""
    buffers = task.buffers
    for i, edge in enumerate(node.edges):
        if edge is None or (g := results[i]) is None:
            continue
        if edge.is_op:
            shape, dtype = edge.out_shape, edge.out_dtype
            if type(dtype) is tuple:
                nr = node.edge_nrs[i]
                task.add(edge, nr, as_gradient(g, shape[nr], dtype[nr], node, i))
                continue
        else:
            shape, dtype = edge._data.shape, edge._data.dtype
        array = g._data if task.create_graph else g
        if array.shape != shape or array.dtype is not dtype:
            g = as_gradient(g, shape, dtype, node, i)
        if edge in buffers:
            task.add(edge, 0, g)
        else:
            buffers[edge] = g
            if events.active and g is not gradient:
                _book(task, edge, g)


def _materialise(node: Op, gradients: list[Any], task: Task) -> list[Any]:
    """Zeros for outputs of a multi-output node that nothing came back from."""
    if not node.materialize:
        return gradients
    return [
        _zeros(node, nr, task) if g is None else g for nr, g in enumerate(gradients)
    ]


def _zeros(node: Op, nr: int, task: Task) -> Any:
    xp = backend_of(node.device).xp
    zeros = xp.zeros(node.out_shape[nr], dtype=node.out_dtype[nr])
    return wrap(zeros, node.device) if task.create_graph else zeros


# ---- leaves, captured gradients


def _reach_leaf(task: Task, leaf: Tensor, gradient: Any) -> tuple[Any, ...]:
    if leaf._hooks:
        gradient = _call_hooks(task, leaf._hooks, gradient, leaf._device)
    if task.wanted and _capture(task, leaf, gradient):
        return ()
    if task.accumulate:
        end = AccumulateGrad(leaf) if leaf._end_hooks else None  # type: ignore[attr-defined]
        if end is not None:
            gradient = _before(task, end, gradient)
        accumulate(leaf, gradient, task.booked.pop(leaf, None))
        if end is not None:
            _after(task, end, (), gradient)
        for hook in list((leaf._post_hooks or {}).values()):
            hook(leaf)
    return ()


def _capture(task: Task, node: Any, gradient: Any) -> bool:
    """Keep gradients that `autograd.grad` asks for; True if nothing is below them."""
    several = type(gradient) is list
    for nr, g in enumerate(gradient) if several else ((0, gradient),):
        if (node, nr) in task.wanted and g is not None:
            task.found[node, nr] = g
    return not node.is_op and not task.accumulate


def accumulate(leaf: Tensor, gradient: Any, booking: Any = None) -> None:
    """leaf.grad += gradient, in place where an earlier gradient is there.

    A gradient that was announced on its way here (`booking`) either becomes `.grad`,
    with the same entry in the books, or its entry ends.
    """
    before = leaf._grad
    if isinstance(gradient, Tensor):
        leaf._grad = gradient if before is None else before + gradient
    elif before is None:
        taken = _unshared(gradient)
        array = gradient if taken else _array(gradient.copy())
        fresh = leaf._grad = wrap(array, leaf._device)
        if events.active:
            _announce_gradient(leaf, fresh, booking if taken else None)
            booking = None if taken else booking
    elif before._requires_grad or _is_mixed(before._data, gradient):
        leaf._grad = wrap(gradient + before._data, leaf._device)
    else:
        np.add(before._data, gradient, out=before._data)
        before.untyped_storage().version += 1
    if booking is not None:
        events.unbook(booking)


def _is_mixed(before: Any, gradient: Any) -> bool:
    """Whether a dense gradient comes to a sparse one, which cannot hold the sum."""
    return type(before) is Coo and type(gradient) is not Coo


def _announce_gradient(leaf: Tensor, gradient: Tensor, booking: Any) -> None:
    storage = gradient.untyped_storage()
    if booking is None:
        events.recategorise(storage, "gradient")
    else:
        events.adopt(storage, booking)
    own = leaf.untyped_storage()
    if not own.category:  # a leaf that collects gradients is a parameter
        events.recategorise(own, "parameter")


# Note [Who else holds a gradient]
# A formula may return the very array it was given (add does), a view of it, or one the
# user passed in. Such an array must be copied before it becomes somebody's `.grad`. An
# array that owns its memory and that nobody else refers to can be taken as it is: the
# engine's own references are the loop's name and the argument of each call.
_OURS = 5


def _array(value: Any) -> Any:
    """NumPy's formulas give scalars where an array has no dimensions."""
    return np.array(value) if isinstance(value, np.generic) else value


def _unshared(array: Any) -> bool:
    return (
        type(array) is np.ndarray
        and array.base is None
        and array.flags.c_contiguous
        and sys.getrefcount(array) <= _OURS
    )


# ---- hooks


def _before(task: Task, node: Any, gradient: Any) -> Any:
    """Hooks on a node's output tensors, retained gradients, and pre-hooks."""
    hooks = node.hooks
    several = gradient if type(gradient) is list else [gradient]
    for nr, g in enumerate(several):
        if g is None:
            continue
        if nr in hooks.tensor:
            g = several[nr] = _call_hooks(task, hooks.tensor[nr], g, node.device)
        tensor = hooks.retained[nr]() if nr in hooks.retained else None
        if tensor is not None:
            kept = g if isinstance(g, Tensor) else wrap(np.array(g), node.device)
            tensor._grad = kept if tensor._grad is None else tensor._grad + kept
    for hook in list(hooks.pre.values()):
        answer = hook(_tensors(several, node.device))
        if answer is not None:
            several = _like_task(task, answer)
    return list(several) if type(gradient) is list else several[0]


def _after(task: Task, node: Any, results: Any, gradient: Any) -> tuple[Any, ...]:
    for hook in list(node.hooks.post.values()):
        answer = hook(_tensors(results, node.device), _tensors(gradient, node.device))
        if answer is not None:
            answer = answer if isinstance(answer, tuple) else (answer,)
            results = tuple(_like_task(task, answer))
    return tuple(results)


def _call_hooks(task: Task, hooks: dict[int, Any], gradient: Any, device: Any) -> Any:
    for hook in list(hooks.values()):
        shown = isinstance(gradient, Tensor)
        answer = hook(gradient if shown else wrap(_array(gradient), device))
        if answer is not None:
            gradient = answer if task.create_graph else answer._data
    return gradient


def _like_task(task: Task, tensors: Any) -> list[Any]:
    return [
        t if t is None or task.create_graph or not isinstance(t, Tensor) else t._data
        for t in tensors
    ]


def _tensors(values: Any, device: Any = None) -> tuple[Any, ...]:
    """What hooks and steppers are shown: gradients as tensors."""
    several = values if isinstance(values, (tuple, list)) else (values,)
    return tuple(
        v if v is None or isinstance(v, Tensor)
        else wrap(np.asarray(v) if isinstance(v, np.generic) else v,
                  *(() if device is None else (device,)))
        for v in several
    )  # fmt: skip


# ---- watching, anomalies


def _book(task: Task, node: Any, g: Any) -> None:
    where = node.device if node.is_op else node._device
    booked = events.book(g.nbytes, where, "gradient")
    if booked is not None:
        task.booked[node] = booked


def _end_booking(task: Task, node: Any, gradient: Any, results: Any) -> None:
    """A node has used its gradient: the entry ends, or goes on with the same array."""
    booking = task.booked.pop(node, None)
    if booking is None:
        return
    for edge, g in zip(node.edges, results, strict=False):
        if g is gradient and edge is not None and edge not in task.booked:
            task.booked[edge] = booking
            return
    _unbook(booking)


def _unbook(booking: Any) -> None:
    if events.active:
        events.unbook(booking)


def _announce(task: Task, node: Any, gradient: Any, started: int, index: int) -> None:
    g = gradient[0] if type(gradient) is list else gradient
    if isinstance(node, Tensor):
        events.announce_bwd("AccumulateGrad", 0, events.tid(node), g, started, index)
    else:
        events.announce_bwd(node.name(), node.seq, 0, g, started, index)
    if events.level >= 2 and g is not None:
        array = g._data if isinstance(g, Tensor) else g
        if isinstance(node, Tensor):
            events.statistics("grad", events.tid(node), array)
        else:
            events.statistics("node_grad", node.seq, array)


def _check_nan(node: Op, results: tuple[Any, ...]) -> None:
    if not _m.anomaly_check_nan:
        return
    for nr, g in enumerate(results):
        array = g._data if isinstance(g, Tensor) else g
        if array is not None and np.isnan(array).any():
            raise _in_backward(
                node,
                RuntimeError(
                    f"Function '{node.name()}' returned nan values in its {nr}th "
                    "output."
                ),
            )


def _in_backward(node: Op, error: Exception) -> Exception:
    """Say which node failed, and with anomaly detection which line had run it."""
    if not getattr(error, "__notes__", None):
        error.add_note(f"  in the backward of {node.describe()} ({node.name()})")
    trace = getattr(node, "trace", None)
    if trace is not None:
        user = [f for f in trace if not f.filename.startswith(events._HOME)]
        where = user[-1] if user else trace[-1]
        error.add_note(
            f"  forward ran at {where.filename}:{where.lineno}, in {where.name}: "
            f"{where.line}"
        )
    return error
