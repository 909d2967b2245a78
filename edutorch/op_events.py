"""Records of operations: `op`, `bwd`, `read`, `root` and `optim`.

Dispatch, the engine and the optimizers call these functions while there are listeners.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, Final, TypeVar

import numpy as np

from . import events
from .callers import Source, caller
from .events import (
    clock,
    described,
    emit,
    handlers,
    next_number,
    tensor_id,
    thread_local,
)
from .memory_events import (
    announce_alloc,
    drain,
    dtype_names,
    freed,
    live,
    name_dtype,
)
from .value_events import announce_gradients, announce_value, announce_values

__all__ = [
    "announce_bwd",
    "announce_error",
    "announce_op",
    "announce_optimizer",
    "announce_read",
    "announce_roots",
    "reported",
    "reported_as",
]

F = TypeVar("F", bound=Callable[..., Any])

ndarray = np.ndarray
MAX_DESCRIBED: Final = 10_000  # with more, the older half is forgotten
_NONE: tuple[int, ...] = ()


def _describe(t: Any) -> None:
    if len(described) >= MAX_DESCRIBED:
        for old in list(described)[: MAX_DESCRIBED // 2]:
            described.pop(old, None)
    described[tensor_id(t)] = (tuple(t._data.shape), str(t._data.dtype), str(t._device))


def _define(ident: int, line: Source) -> None:
    emit("def", clock(), 0, "src", ident, f"{line.file}:{line.line}:{line.func}")


def announce_op(
    op: Any, inputs: Iterable[Any], outputs: tuple[Any, ...], started: int
) -> None:
    """Report an op that has run."""
    now = clock()
    if freed:
        drain(now)
    out, state, src = outputs[0], thread_local.state, caller(_define)
    recorded = out._grad_fn is op
    if recorded and (state.call or events.node_watchers):
        _note_node(op, state, src)
    tracked = handlers["alloc"] is not None
    ins = versions = _NONE
    for t in inputs:
        try:
            ident = t._tensor_id
        except AttributeError:  # a number or an array
            continue
        storage = t._storage
        version = 0 if storage is None else storage.version
        if version or versions:
            versions = (versions or (0,) * len(ins)) + (version,)
        if tracked and id(t._data if storage is None else storage.array) not in live:
            announce_alloc(t, "other", src, now)
        if t._grad_fn is None and ident not in described:
            _describe(t)
        ins += (ident or t._tensor_id,)
    category, data = "activation" if recorded else "other", out._data
    # The node's own tuple, if it has one, is one object less for the collector.
    shape = op.out_shape if recorded and len(outputs) == 1 else data.shape
    dtype = dtype_names.get(data.dtype) or name_dtype(data.dtype)
    if len(outputs) > 1:
        outs, nbytes = _announce_results(outputs, category, src, now, op.public)
    else:
        outs, nbytes = (out._tensor_id or tensor_id(out),), 0
        storage = out._storage
        if id(data if storage is None else storage.array) not in live:
            nbytes = announce_alloc(out, category, src, now, op.public, shape, dtype)
    for tap in events.taps:
        tap.op(op, inputs, outputs)
    handler = handlers["op"]
    if handler is not None:
        handler(
            ("op", next_number(), started, now - started, state.thread, events.step,
             op.public, op.op_class.__name__, state.phase, ins, versions, outs,
             op.seq if recorded else 0, src, state.call, shape, dtype,
             out._device._text, nbytes, op.describe() if events.level >= 2 else "",
             op.is_view, "")
        )  # fmt: skip
    if events.level >= 2:
        announce_values(op, inputs, outputs)


def _note_node(node: Any, state: events.ThreadState, src: int) -> None:
    """Note where a node was recorded, and notify those who watch nodes."""
    if state.call:
        node.module_path, node.module_model = state.path, state.model
    for watcher in events.node_watchers:
        watcher(node, src)


def _announce_results(
    outputs: tuple[Any, ...], category: str, src: int, now: int, op: str
) -> tuple[tuple[int, ...], int]:
    """Ids of an op's results, and how many new bytes they take."""
    outs, nbytes = _NONE, 0
    for t in outputs:
        storage = t._storage
        if id(t._data if storage is None else storage.array) not in live:
            nbytes += announce_alloc(t, category, src, now, op)
        outs += (t._tensor_id or tensor_id(t),)
    return outs, nbytes


def announce_error(op: Any, inputs: Iterable[Any], started: int, error: str) -> None:
    """Report an op that failed, before the exception propagates."""
    given = [t for t in inputs if hasattr(t, "_tensor_id")]
    for t in given:
        if t._grad_fn is None and t._tensor_id not in described:
            _describe(t)
    ins, state = tuple(map(tensor_id, given)), thread_local.state
    for tap in events.taps:
        tap.op(op, inputs, ())
    emit(
        "op", started, clock() - started, op.public, op.op_class.__name__, state.phase,
        ins, (), (), 0, caller(_define), state.call, (), "", "", 0, op.describe(),
        False, error,
    )  # fmt: skip


def announce_bwd(
    task: Any, node: Any, gradient: Any, started: int, results: Any = None
) -> None:
    """Report a node, or a leaf, whose backward has run.

    Args:
        task: the backward pass.
        node: an op or a leaf.
        gradient: what has arrived there.
        started: when its backward began.
        results: what it has sent on, one for each of its operands.
    """
    now = clock()
    if freed:
        drain(now)
    order = task.visited
    task.visited = order + 1
    g = gradient if type(gradient) is ndarray else _array_of(gradient)
    for tap in events.taps:
        tap.bwd(node, gradient, results)
    handler = handlers["bwd"]
    if handler is not None:
        if node.is_op:
            name, ident, target, device = node.name(), node.seq, 0, node.device
        else:
            target, device = node._tensor_id or tensor_id(node), node._device
            name, ident = "AccumulateGrad", 0
        if g is gradient and ident:
            shape = node.out_shape  # not a new tuple: less for the collector
        else:
            shape = _NONE if g is None else g.shape
        handler(
            ("bwd", next_number(), started, now - started, thread_local.state.thread,
             events.step, name, ident, target, shape, 0 if g is None else g.nbytes,
             order, device._text)
        )  # fmt: skip
    if events.level >= 2 and g is not None:
        announce_gradients(node, g, results)


def _array_of(gradient: Any) -> Any:
    """The first of several gradients, or that of a tensor, as an array."""
    g = gradient[0] if type(gradient) is list else gradient
    return getattr(g, "_data", g)


def announce_read(output: Any, read: Any) -> None:
    """Report a tensor that an op has read, and that is not one of its operands."""
    if read._grad_fn is None and tensor_id(read) not in described:
        _describe(read)
    now, storage = clock(), read._storage
    known = id(read._data if storage is None else storage.array) in live
    if not known and handlers["alloc"] is not None:
        announce_alloc(read, "other", -1, now)
    for tap in events.taps:
        tap.read(read)
    emit("read", now, 0, tensor_id(output), (tensor_id(read),))
    if events.level >= 2 and read._grad_fn is None:
        announce_value(read)


def announce_roots(roots: Any) -> None:
    """Report the sum of the roots of a backward pass, if all are single numbers."""
    tensors = roots if isinstance(roots, (list, tuple)) else [roots]
    for t in tensors:
        if not (hasattr(t, "_tensor_id") and t._data.size == 1):
            return
        if t._device.type == "meta" or not t.is_floating_point():
            return
    emit("root", clock(), 0, float(sum(t._data.item() for t in tensors)))


def announce_optimizer(cls: str, parameters: Iterable[Any]) -> None:
    """Report that an optimizer has updated these parameters."""
    updated = tuple(parameters)
    for tap in events.taps:
        tap.optim(updated)
    emit("optim", clock(), 0, cls, tuple(map(tensor_id, updated)))


def reported(function: F) -> F:
    """Report each call to profiles: PyTorch counts the function as one operation.

    That takes 0.1 us. Functions that take only a few report the call themselves.

    Example:
        >>> import edutorch as torch
        >>> with torch.profiler.profile() as prof:
        ...     x = torch.arange(2)
        >>> [event.name for event in prof.events()]
        ['aten::arange']
    """
    return reported_as(function.__name__)(function)


def reported_as(name: str) -> Callable[[F], F]:
    """Like `reported`, for functions that have another name in profiles.

    Example:
        >>> import edutorch as torch
        >>> x = torch.ones(2, 2)
        >>> with torch.profiler.profile() as prof:
        ...     y = torch.linalg.multi_dot([x, x])
        >>> prof.events()[0].name
        'aten::linalg_multi_dot'
    """

    def decorator(function: F) -> F:
        @wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            if not events.hears_spans:
                return function(*args, **kwargs)
            started = events.clock()
            try:
                return function(*args, **kwargs)
            finally:
                events.span(f"aten::{name}", "op", started)

        return wrapper  # type: ignore[return-value]  # of the same signature

    return decorator
