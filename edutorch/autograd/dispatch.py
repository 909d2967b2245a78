"""Dispatch: runs every operation, and records its node in the graph.

An `Op` object (`node.py`) is one application of an operation: its attributes, its
inputs, and its saved values. It is also the node of the graph (`grad_fn`): a graph
consists of tensors and ops.

`apply1`, `apply2` and `apply` run an op on one, two or any operands. In order: `check`
and `forward`; wrap the result; record the node if a gradient is needed; tell listeners
if there are any. Given arrays, as in formulas of `backward`, they only call `forward`.
"""

from __future__ import annotations

import itertools
import weakref
from typing import Any

import numpy as np

from .. import devices, dtypes, events, op_events
from ..backends import array_module
from ..tensor.conj_neg_view import ConjNegView
from ..tensor.tensor import Tensor, bare_tensor
from . import batched_tensor as vmapped
from . import breakpoints, half_precision, large_arrays, views
from . import modes as _m
from .anomaly import record_forward
from .batched_tensor import Batched, any_batched
from .device_placement import align_devices, common_device, place_result
from .floating_point_warnings import forward_again
from .foreign_operands import FOREIGN, as_operand, foreign_result
from .large_arrays import LARGE
from .modes import modes
from .node import FREED, Op
from .op_errors import refuse_operand
from .save_for_backward import (
    save_factors,
    save_inputs,
    save_result_versions,
)
from .saved_tensor_hooks import pack_saved
from .views import link_view, refresh_view

__all__ = [
    "ENTRY_POINTS", "FREED", "Op", "apply", "apply1", "apply2", "next_sequence",
    "record",
]  # fmt: skip

CPU = devices.CPU
ndarray, generic, new_array = np.ndarray, np.generic, np.array
SINGLE, DOUBLE, LONG = map(np.dtype, (np.float32, np.float64, np.int64))
ORDINARY = dtypes.ORDINARY
LEAST, BEYOND = dtypes.LEAST, dtypes.BEYOND
_new = object.__new__
# `needs` of one and two operands, created once to save work for the collector.
ONE, BOTH, FIRST, SECOND = (True,), (True, True), (True, False), (False, True)
next_sequence = itertools.count(1).__next__


def apply1(op: Op, a: Any) -> Tensor:
    """Run `op` on one operand: forward, wrap, record, announce.

    It contains its own copy of the recorder: see Note [Three copies of the recorder].
    """
    if type(a) is not Tensor:
        if not isinstance(a, Tensor):
            return op.forward(a) if _is_array(a) else refuse_operand(op, a)
        if type(a) is Batched:
            return vmapped.run(op, (a,))
        if type(a) is ConjNegView and op.is_view:
            return views.run_lazily(op, a)
    started = events.clock() if events.active else 0
    simple, x = op.simple, a._data
    dtype = x.dtype
    try:
        if not simple and op.checks:
            op.check(a)
        if started and breakpoints.active:
            y = _between_breakpoints(op, x)
        elif dtype is SINGLE or dtype is DOUBLE or dtype is LONG or dtype in ORDINARY:
            y = op.forward(x) if x.size < LARGE else large_arrays.forward(op, x)
        else:
            y = half_precision.forward(op, x)
    except Exception as error:
        y = forward_again(op, (a,), error, started, x)
    if type(y) is not ndarray:
        y = _as_array(y, x)
    out = _new(Tensor)
    out._data = y
    out._device = device = a._device
    out._output_nr = 0
    out._storage = out._base = None
    if device is not CPU:
        place_result(op, out, device, (x,))
    if not simple and op.is_view:
        link_view(op, a, out)
    if a._base is not None and op.differentiable:
        refresh_view(a)
    if (
        a._requires_grad
        and (simple or op.differentiable)
        and (not _m.pauses or modes.grad)
    ):
        op.edges = (a._grad_fn or a,)
        if a._output_nr:
            op.edge_nrs = (a._output_nr,)
        op.needs = ONE
        op.seq = next_sequence()
        op.out_shape = y.shape
        op.out_dtype = y.dtype
        op.inputs = op.output = op.hooks = None
        op.device, op.module_path = device, ""
        if op.saves_anything:
            if op.saves_output:
                op.output, op.output_storage = out._data, out._storage
            if op.saves_inputs:
                save_inputs(op, (a,))
        out._requires_grad = True
        out._grad_fn = op
    else:
        out._requires_grad = False
        out._grad_fn = None
    if _m.special_modes:
        _apply_special_modes(op, out)
    if started:
        op_events.announce_op(op, (a,), (out,), started)
    return out


def apply2(op: Op, a: Any, b: Any) -> Tensor:
    """Run `op` on two operands: forward, wrap, record, announce.

    It contains its own copy of the recorder: see Note [Three copies of the recorder].
    """
    if type(a) is not Tensor or type(b) is not Tensor:
        if not (isinstance(a, Tensor) and isinstance(b, Tensor)):
            return _apply2_mixed(op, a, b)
        if type(a) is Batched or type(b) is Batched:
            return vmapped.run(op, (a, b))
    started = events.clock() if events.active else 0
    simple = op.simple
    x, y, device = a._data, b._data, a._device
    try:
        if not simple and op.checks:
            op.check(a, b)
        if device is not b._device:
            x, y, device = align_devices(op, a, b)
        dtype = x.dtype
        if dtype is not y.dtype:
            x, y = op.promote(x, y)
            dtype = x.dtype if y.dtype in ORDINARY else y.dtype  # the narrow one
        if started and breakpoints.active:
            z = _between_breakpoints(op, x, y)
        elif dtype is SINGLE or dtype is DOUBLE or dtype is LONG or dtype in ORDINARY:
            z = op.forward(x, y) if x.size < LARGE else large_arrays.forward(op, x, y)
        else:
            z = half_precision.forward(op, x, y)
    except Exception as error:
        z = forward_again(op, (a, b), error, started, x, y)
    if type(z) is not ndarray:
        z = _as_array(z, x)
    out = _new(Tensor)
    out._data = z
    out._device = device
    out._output_nr = 0
    out._storage = out._base = None
    if device is not CPU:
        place_result(op, out, device, (x, y))
    if (a._base is not None or b._base is not None) and op.differentiable:
        refresh_view(a)
        refresh_view(b)
    needed = (a._requires_grad or b._requires_grad) and (simple or op.differentiable)
    if needed and (not _m.pauses or modes.grad):
        needs_a, needs_b = a._requires_grad, b._requires_grad
        op.edges = (
            (a._grad_fn or a) if needs_a else None,
            (b._grad_fn or b) if needs_b else None,
        )
        if a._output_nr or b._output_nr:
            op.edge_nrs = (a._output_nr, b._output_nr)
        op.needs = BOTH if needs_a and needs_b else FIRST if needs_a else SECOND
        op.seq = next_sequence()
        op.out_shape = z.shape
        op.out_dtype = z.dtype
        op.inputs = op.output = op.hooks = None
        op.device, op.module_path = device, ""
        if op.saves_anything:
            if op.saves_output:
                op.output, op.output_storage = out._data, out._storage
            if op.saves_factors and not _m.special_modes:
                save_factors(op, a if needs_b else None, b if needs_a else None)
            elif op.saves_inputs:
                save_inputs(op, (a, b))
        out._requires_grad = True
        out._grad_fn = op
    else:
        out._requires_grad = False
        out._grad_fn = None
    if _m.special_modes:
        _apply_special_modes(op, out)
    if started:
        op_events.announce_op(op, (a, b), (out,), started)
    return out


def _between_breakpoints(op: Op, *arrays: Any) -> Any:
    """Run `forward`; at a breakpoint, "step into" leads to it."""
    ordinary = all(getattr(x, "dtype", LONG) in ORDINARY for x in arrays)
    if breakpoints.stop_before(op, "forward"):
        breakpoint()  # noqa: T100 (a breakpoint)
    if ordinary:
        result = op.forward(*arrays)
    else:
        result = half_precision.forward(op, *arrays)
    if breakpoints.stop_after(op, "forward", result):
        breakpoint()  # noqa: T100 (a breakpoint)
    return result


def _is_array(x: Any) -> bool:
    """Whether `x` is an array, and arrays may be operands now."""
    return hasattr(x, "dtype") and modes.takes_arrays


def _apply2_mixed(op: Op, a: Any, b: Any) -> Any:
    """Two operands, not both of them tensors."""
    if type(a) is ndarray and type(b) is ndarray and modes.takes_arrays:
        return op.forward(a, b)
    if not op.takes_scalars:
        for position, x in enumerate((a, b), 1):
            if isinstance(x, (int, float, complex, generic)):
                refuse_operand(op, x, position)
    if isinstance(a, Tensor):
        if type(b) is float or (type(b) is int and LEAST <= b < BEYOND):
            return _apply2_number(op, a, b, a)
        x = as_operand(b)
        return foreign_result(op, a, b) if x is FOREIGN else apply(op, a, x)
    if isinstance(b, Tensor):
        if not op.takes_scalar_first:
            refuse_operand(op, a)
        if type(a) is float or (type(a) is int and LEAST <= a < BEYOND):
            return _apply2_number(op, a, b, b)
        x = as_operand(a)
        return foreign_result(op, a, b) if x is FOREIGN else apply(op, x, b)
    if not (_is_array(a) or _is_array(b)):
        refuse_operand(op, a)
    return op.forward(a, b)


def _apply2_number(op: Op, a: Any, b: Any, tensor: Tensor) -> Any:
    """Run `op` on a tensor and a Python number, in either order."""
    if _m.special_modes and type(tensor) is Batched:
        return vmapped.run(op, (a, b))
    started = events.clock() if events.active else 0
    x, y = (tensor._data, b) if tensor is a else (a, tensor._data)
    try:
        if op.checks:
            op.check(a, b)
        single = (dtype := tensor._data.dtype) is SINGLE or dtype is DOUBLE
        if started and breakpoints.active:
            z = _between_breakpoints(op, *((x, y) if single else op.promote(x, y)))
        elif single and tensor._data.size < LARGE:
            z = op.forward(x, y)
        elif single:
            z = large_arrays.forward(op, x, y)
        else:
            z = half_precision.forward_with_number(op, x, y, dtype)
    except Exception as error:
        z = forward_again(op, (a, b), error, started, *op.promote(x, y))
    if type(z) is not ndarray:
        z = _as_array(z, tensor._data)
    out: Tensor = bare_tensor(Tensor, z, tensor._device)
    if tensor._device is not CPU:
        place_result(op, out, tensor._device, (x, y))
    if tensor._base is not None and op.differentiable:
        refresh_view(tensor)
    if tensor._requires_grad and modes.grad and op.differentiable:
        edge, nr = tensor._grad_fn or tensor, tensor._output_nr
        first = tensor is a
        op.needs = FIRST if first else SECOND
        op.edges = (edge, None) if first else (None, edge)
        if nr:
            op.edge_nrs = (nr, 0) if first else (0, nr)
        _attach(op, (a, b), out)
    if _m.special_modes:
        _apply_special_modes(op, out)
    if started:
        op_events.announce_op(op, (a, b), (out,), started)
    return out


def apply(op: Op, *operands: Any) -> Any:
    """Run `op` on any operands: tensors, arrays (constants), numbers and None.

    An op whose `forward` returns a tuple gives a tuple of tensors.
    """
    a: Any = None  # the first operand that is a tensor
    arrays: Any = []
    together = True
    for t in operands:
        if isinstance(t, Tensor):
            if a is None:
                a, device = t, t._device
            elif t._device is not device:
                together = False
            t = t._data
        arrays.append(t)
    if a is None:
        if not modes.takes_arrays:
            refuse_operand(op, operands[0])
        return op.forward(*operands)
    if _m.special_modes and any_batched(operands):
        return vmapped.run(op, operands)
    if type(a) is ConjNegView and op.is_view:
        return views.run_lazily(op, a)
    started = events.clock() if events.active else 0
    try:
        if op.checks:
            op.check(*operands)
        if not together:
            device = common_device(op, operands)
        if op.promotes:
            arrays = op.promote(*arrays)
        if started and breakpoints.active:
            y = _between_breakpoints(op, *arrays)
        elif (arrays[op.dtype_operand] if op.promotes else a._data).dtype.char in "fd":
            y = op.forward(*arrays)
        else:
            y = half_precision.forward(op, *arrays)
    except Exception as error:
        y = forward_again(op, operands, error, started, *arrays)
    several = isinstance(y, (tuple, list))
    if several:
        outs = tuple([_wrapped(op, a, z, device, nr, arrays) for nr, z in enumerate(y)])
    else:
        outs = (_wrapped(op, a, y, device, 0, arrays),)
    record(op, operands, outs, several)
    if started:
        op_events.announce_op(op, operands, outs, started)
    return outs if several else outs[0]


ENTRY_POINTS = frozenset(f.__code__ for f in (apply, apply1, apply2))


def _wrapped(
    op: Op, a: Tensor, array: Any, device: Any, nr: int, operands: Any
) -> Tensor:
    """A result as a tensor, without history."""
    if type(array) is not ndarray:
        array = _as_array(array, a._data)
    out: Tensor = bare_tensor(Tensor, array)
    if device is not CPU:
        place_result(op, out, device, () if nr else operands)
    if op.is_view:
        link_view(op, a, out, nr)
    return out


def record(
    op: Op, operands: tuple[Any, ...], outs: tuple[Tensor, ...], several: bool
) -> None:
    """Make `op` the node of its results, if a gradient may flow back through it."""
    edges, needs, nrs = [], [], []
    for t in operands:
        edge, needed, nr = None, False, 0
        if isinstance(t, Tensor):
            if t._base is not None and op.differentiable:
                refresh_view(t)
            if t._requires_grad:
                edge, needed, nr = t._grad_fn or t, True, t._output_nr
        edges.append(edge)
        needs.append(needed)
        nrs.append(nr)
    if not (True in needs and modes.grad and op.differentiable):
        if _m.special_modes:
            for out in outs:
                _apply_special_modes(op, out)
        return
    op.needs, op.edges = tuple(needs), tuple(edges)
    if any(nrs):
        op.edge_nrs = tuple(nrs)
    _attach(op, operands, outs[0])
    if several:
        op.out_shape = tuple(out._data.shape for out in outs)
        op.out_dtype = tuple(out._data.dtype for out in outs)
        for nr, out in enumerate(outs):
            recorded = out._data.dtype.kind in "fcVW"
            out._requires_grad, out._grad_fn = recorded, op if recorded else None
            out._output_nr = nr if recorded else 0
    if several:
        save_result_versions(op, outs)
    if _m.special_modes:
        _apply_special_modes(op, outs[0])


def _apply_special_modes(op: Op, out: Tensor) -> None:
    """Apply anomaly detection, inference mode and saved-tensor hooks to a result."""
    if _m.anomaly and out._grad_fn is op:
        record_forward(op, out)
    if op.is_view and out._base is not None:
        out._inference = out._base._inference
    elif modes.inference:
        out._inference = True
    if modes.saved_hooks and out._grad_fn is op:
        pack_saved(op, out)
        if modes.dual and not modes.grad_in_dual:
            modes.unrecorded.append(weakref.ref(out))


# Note [Three copies of the recorder]
# `_attach` is the recorder; `apply1` and `apply2` repeat its lines, since a call
# would make a recorded op 4% slower (70 ns of 1.8 us for relu of 8 x 8). A test
# records the same ops through all three and compares the nodes.


def _attach(op: Op, operands: tuple[Any, ...], out: Tensor) -> None:
    """Make `op`, whose edges are known, the node of its result."""
    op.seq = next_sequence()
    op.out_shape, op.out_dtype = out._data.shape, out._data.dtype
    op.inputs = op.output = op.hooks = None
    op.device, op.module_path = out._device, ""
    if op.saves_output:
        op.output, op.output_storage = out._data, out._storage
    if op.saves_inputs:
        save_inputs(op, operands)
    out._requires_grad, out._grad_fn = True, op


def _as_array(value: Any, like: Any) -> Any:
    """Turn NumPy's scalars, its results without dimensions, into arrays again."""
    if isinstance(value, generic):
        return new_array(value)
    return (
        array_module(like).asarray(value) if isinstance(value, (int, float)) else value
    )
