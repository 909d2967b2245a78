"""Batching rules of operations that are used in gradients.

Under `vmap`, as in `jacrev`, a formula receives a batch of gradients and values
shared by all samples.
"""

from __future__ import annotations

from typing import Any

from ..autograd.dispatch import apply
from ..autograd.double_backward import GradientOf
from ..ops.index.gathering import GatherBackward, IndexSelect
from ..ops.pointwise.ternary import Masked
from ..ops.reduce.selection import Place
from ..ops.scan.cumulative import CumsumFromEnd
from ..ops.shape.diagonals import DiagEmbed, Diagonal
from ..ops.shape.pad import BorderPad, BorderPadBackward
from ..ops.shape.repeating import Repeat
from ..ops.shape.slices import SliceBackward
from ..ops.shape.splitting import Gathered, Rejoined
from ..ops.softmax import LogSoftmaxGrad, SoftmaxGrad
from .batched_dispatch import Call, rule, run_op, to_batch_dim

__all__: list[str] = []


@rule(GradientOf)
def _gradient_of(call: Call) -> Any:
    """The gradient passes through; where zeros go does not depend on the batch."""
    if not call.is_batched(0):
        return call.expanded(0)
    return apply(call.op_with(), *call.values)


@rule(Masked)
def _masked(call: Call) -> Any:
    if call.op.mask.ndim > call.ndim(0):
        return NotImplemented
    return run_op(call.op_with(), call.values[0])


@rule(SliceBackward)
def _slice_backward(call: Call) -> Any:
    op: Any = call.op
    index, shape = (slice(None), *op.index), (call.size, *op.shape)
    return run_op(call.op_with(index=index, shape=shape), call.values[0])


@rule(Place)
def _place(call: Call) -> Any:
    op: Any = call.op
    if not (call.ndim(0) and op.shape):
        return NotImplemented
    changes = {
        "index": op.index[None], "dim": to_batch_dim(op.dim, call.ndim(0)),
        "shape": (call.size, *op.shape),
    }  # fmt: skip
    return run_op(call.op_with(**changes), call.values[0])


@rule(Diagonal, DiagEmbed)
def _diagonals(call: Call) -> Any:
    op: Any = call.op
    ndim = call.ndim(0) + isinstance(op, DiagEmbed)
    changes = {"dim1": to_batch_dim(op.dim1, ndim), "dim2": to_batch_dim(op.dim2, ndim)}
    if isinstance(op, DiagEmbed):
        changes["shape"] = (call.size, *op.shape)
    return run_op(call.op_with(**changes), call.values[0])


@rule(SoftmaxGrad, LogSoftmaxGrad, Gathered, Rejoined)
def _along_dim(call: Call) -> Any:
    """Operands of one shape, along a dimension after the batch dimension."""
    op: Any = call.op
    if not call.ndim(0) and not isinstance(op, Gathered):
        return NotImplemented
    dim = to_batch_dim(op.dim, call.ndim(0) + isinstance(op, Gathered))
    wholes = [call.expanded(i) for i in range(len(call.values))]
    return run_op(call.op_with(dim=dim), *wholes)


@rule(CumsumFromEnd)
def _cumsum_from_end(call: Call) -> Any:
    op: Any = call.op
    if not call.ndim(0):
        return call.values[0].clone()
    return run_op(call.op_with(dim=to_batch_dim(op.dim, call.ndim(0))), call.values[0])


@rule(IndexSelect)
def _index_select(call: Call) -> Any:
    op: Any = call.op
    if call.is_batched(1) or not call.ndim(0):
        return NotImplemented
    dim = to_batch_dim(op.dim, call.ndim(0))
    return run_op(call.op_with(dim=dim), *call.values)


@rule(GatherBackward)
def _gather_backward(call: Call) -> Any:
    op: Any = call.op
    if not (call.ndim(0) and op.shape):
        return NotImplemented
    dim, shape = to_batch_dim(op.dim, call.ndim(0)), (call.size, *op.shape)
    return run_op(
        call.op_with(dim=dim, shape=shape), call.expanded(0), call.expanded(1)
    )


@rule(BorderPad, BorderPadBackward)
def _border_pad(call: Call) -> Any:
    op: Any = call.op
    changes: dict[str, Any] = {"pads": ((0, 0), *op.pads)}
    if isinstance(op, BorderPadBackward):
        changes["shape"] = (call.size, *op.shape)
    return run_op(call.op_with(**changes), call.values[0])


@rule(Repeat)
def _repeat(call: Call) -> Any:
    repeats = call.op.repeats
    x = call.values[0]
    x = x.reshape(call.size, *(1,) * (len(repeats) - call.ndim(0)), *x.shape[1:])
    return run_op(call.op_with(repeats=(1, *repeats)), x)
