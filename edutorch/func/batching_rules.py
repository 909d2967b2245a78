"""Batching rules: run ops defined for one sample on a batch.

In every rule the batch is the first dimension of the values; a rule returns its result
in the same form, or NotImplemented where the op has to run sample by sample.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..autograd.batched_tensor import forbid_fallback
from ..autograd.dispatch import Op
from ..autograd.saved_tensors import Restored
from ..autograd.view_history import AsStrided
from ..ops.activations.parametric_and_gated import Glu
from ..ops.activations.rectifiers import ReluGradient
from ..ops.convert.copy_fill import Clone
from ..ops.convert.to import ToCopy
from ..ops.index.gathering import Gather
from ..ops.index.masked import MaskedFill
from ..ops.linalg.cholesky_qr import Cholesky
from ..ops.linalg.determinants import Det
from ..ops.linalg.inverse_solve import Inv
from ..ops.loss.regression import Distance
from ..ops.matmul.addmm_family import Addbmm, Addmm, Addmv, Baddbmm
from ..ops.matmul.batched_products import Bmm
from ..ops.matmul.contractions import Cross
from ..ops.matmul.linear import Linear
from ..ops.matmul.matrix_products import Matmul, Mm, TransposedMatmul, matmul
from ..ops.matmul.vector_products import Dot, Mv, Outer
from ..ops.norm.layer import LayerNorm
from ..ops.pointwise.ternary import Where
from ..ops.promotion import Pointwise, common_dtype
from ..ops.reduce.argmin_argmax import Argmax, Argmin
from ..ops.reduce.mean_var import Mean, Std, Var
from ..ops.reduce.min_max import (
    Amax,
    Amin,
    Aminmax,
    MaxAll,
    MaxDim,
    MinAll,
    MinDim,
)
from ..ops.reduce.norms import VectorNorm
from ..ops.reduce.prod_logsumexp import Logsumexp, Prod
from ..ops.reduce.sums import Sum, SumAll
from ..ops.reduce.variance_with_mean import StdMean, VarMean
from ..ops.scan.cumulative import Cumprod, Cumsum, Logcumsumexp
from ..ops.shape import stack
from ..ops.shape.diagonals import Tril, Triu
from ..ops.shape.flip_roll import Flip, Roll
from ..ops.shape.joining import Cat, Stack
from ..ops.shape.pad import ConstantPad
from ..ops.shape.slices import Slice
from ..ops.shape.splitting import Split, Unbind
from ..ops.shape.squeezing import Squeeze, Unsqueeze
from ..ops.shape.transposing import Permute, T, Transpose
from ..ops.shape.views import Expand, Reshape, ReshapeAlias, View
from ..ops.softmax import LogSoftmax, Softmax
from ..ops.sort.ordering import Sort, Topk
from .batched_dispatch import Call, rule, run_op, to_batch_dim

__all__: list[str] = []

ONE_DIM = (Argmax, Argmin, Prod)  # along one dimension, or over all elements


# ---- element by element


@rule(Pointwise, Where, MaskedFill, Clone, ToCopy, ReluGradient, Restored)
def _elementwise(call: Call) -> Any:
    """Operands with fewer dimensions get theirs after the batch."""
    ndim = max(call.ndim(i) for i in range(len(call.operands)))
    values = [_broadcastable(call, i, ndim) for i in range(len(call.values))]
    if isinstance(call.op, Pointwise) and len(values) == 2:
        values = _without_promotion(call, values)
    return run_op(call.op, *values)


def _broadcastable(call: Call, i: int, ndim: int) -> Any:
    value = call.values[i]
    if not call.is_batched(i) or call.ndim(i) == ndim:
        return value
    sizes = value._data.shape
    return value.reshape(sizes[0], *(1,) * (ndim - call.ndim(i)), *sizes[1:])


def _without_promotion(call: Call, values: list[Any]) -> list[Any]:
    """Single numbers in each sample take no part in type promotion."""
    if all(call.ndim(i) or not call.is_batched(i) for i in (0, 1)):
        return values
    target = common_dtype(*(getattr(t, "_data", t) for t in call.operands))
    return [
        v.to(target)
        if call.is_batched(i) and not call.ndim(i) and v.dtype is not target
        else v
        for i, v in enumerate(values)
    ]


@rule(Cross)
def _not_elementwise(call: Call) -> Any:
    return NotImplemented


@rule(Distance)
def _distance(call: Call) -> Any:
    """Losses: the elements of each sample, then their sum or mean."""
    reduction = call.op.reduction
    each = _elementwise(_with_op(call, call.op_with(reduction="none")))
    if reduction == "none":
        return each
    rows = each.reshape(call.size, -1)
    return rows.mean(1) if reduction == "mean" else rows.sum(1)


def _with_op(call: Call, op: Op) -> Call:
    call.op = op
    return call


# ---- along dimensions


@rule(
    Sum, Mean, Var, Std, VarMean, StdMean, VectorNorm, Logsumexp, Amax, Amin, Aminmax,
    MaxDim, MinDim, Argmax, Argmin, Prod, Cumsum, Cumprod, Logcumsumexp, Softmax,
    LogSoftmax, Glu, Flip, Split, Unbind, Permute, Sort, Topk,
)  # fmt: skip
def _along_dims(call: Call) -> Any:
    """Run along the dimension after the batch dimension is inserted."""
    name = "dims" if hasattr(call.op, "dims") else "dim"
    dim, ndim = getattr(call.op, name), call.ndim(0)
    takes_tuple = isinstance(
        call.op, (Sum, Mean, Var, Std, VectorNorm, Amax, Amin, Aminmax)
    )
    if not ndim:
        return NotImplemented
    if dim is None and not takes_tuple:  # over all elements
        if getattr(call.op, "keepdim", False) or not isinstance(call.op, ONE_DIM):
            return NotImplemented
        rows = call.values[0].reshape(call.size, -1)
        return run_op(call.op_with(dim=1, in_batch=True), rows)
    batch_dim = to_batch_dim(dim, ndim)
    if name == "dims" and isinstance(call.op, Permute):
        batch_dim = (0, *batch_dim)
    changes = {name: batch_dim}
    if isinstance(call.op, Prod):
        changes["in_batch"] = True
    return run_op(call.op_with(**changes), call.values[0])


@rule(SumAll, MaxAll, MinAll)
def _full_reduction(call: Call) -> Any:
    """Reduce all elements of each sample."""
    rows = call.values[0].reshape(call.size, -1)
    if isinstance(call.op, SumAll):
        return rows.sum(1)
    return rows.amax(1) if isinstance(call.op, MaxAll) else rows.amin(1)


@rule(Gather)
def _gather(call: Call) -> Any:
    if not (call.ndim(0) and call.ndim(1)):
        return NotImplemented
    op = call.op_with(dim=to_batch_dim(call.op.dim, call.ndim(0)))
    return run_op(op, call.expanded(0), call.expanded(1))


@rule(Cat)
def _cat(call: Call) -> Any:
    if any(call.operands[i]._data.shape == (0,) for i in range(len(call.operands))):
        return NotImplemented
    op = call.op_with(dim=to_batch_dim(call.op.dim, call.ndim(0)))
    try:
        return run_op(op, *[call.expanded(i) for i in range(len(call.values))])
    except RuntimeError:
        _refuse_shapes(call)
        raise


def _refuse_shapes(call: Call) -> None:
    """Refuse to concatenate shapes that differ, with the batches' sizes as in PyTorch.

    Raises:
        RuntimeError: for them.
    """
    sizes = call.level_sizes
    dim = call.op.dim + len(sizes) if call.op.dim >= 0 else call.op.dim
    whole = [np.broadcast_to(False, (*sizes, *t._data.shape)) for t in call.operands]
    try:
        Cat(dim).forward(*whole)
    except RuntimeError as error:
        raise forbid_fallback(error) from None


@rule(Stack)
def _stack(call: Call) -> Any:
    dim = getattr(call.op, "dim", 0)
    if dim < 0:
        dim += call.ndim(0) + 1
    return stack([call.expanded(i) for i in range(len(call.values))], dim + 1)


# ---- shapes


@rule(View, Reshape, ReshapeAlias, Squeeze, Unsqueeze)
def _reshape(call: Call) -> Any:
    """The batch size, then the shape that one sample gets."""
    sample = np.empty(call.operands[0]._data.shape, np.bool_)
    return call.values[0].reshape(call.size, *call.op.forward(sample).shape)


@rule(Expand)
def _expand(call: Call) -> Any:
    shape = call.op.forward(np.empty(call.operands[0]._data.shape, np.bool_)).shape
    return _broadcastable(call, 0, len(shape)).expand(call.size, *shape)


@rule(Transpose)
def _transpose(call: Call) -> Any:
    ndim, op = call.ndim(0), call.op
    if not ndim:
        return NotImplemented
    dims = to_batch_dim((op.dim0, op.dim1), ndim)
    return call.values[0].transpose(*dims)


@rule(AsStrided)
def _as_strided(call: Call) -> Any:
    """The same strides within each sample; access outside of it is refused."""
    op: Any = call.op
    x, n = call.values[0], call.ndim(0)
    first = x.storage_offset()
    offset = first if op.offset is None else op.offset
    own = _last_offset(x.shape[-n:] if n else (), x.stride()[-n:] if n else ())
    last = offset + _last_offset(op.size, op.stride)
    if offset < first or last > first + own:
        raise forbid_fallback(
            RuntimeError(
                f"result = tensor.as_strided({list(op.size)}, {list(op.stride)}, "
                f"{offset}) can access memory outside of `tensor`. `result` can access "
                f"some memory in range [{offset}, {last + 1}], but `tensor` can only "
                f"access some memory in range [{first}, {first + own + 1}]. This is "
                "not supported inside of vmap, please try to rewrite the `as_strided` "
                "call as a sequence of PyTorch view operations"
            )
        )
    return x.as_strided((call.size, *op.size), (x.stride(0), *op.stride), offset)


def _last_offset(size: Any, stride: Any) -> int:
    """The offset of the last element from the first."""
    return sum(max(0, n - 1) * s for n, s in zip(size, stride, strict=True))


@rule(T)
def _matrix_transpose(call: Call) -> Any:
    return call.values[0].transpose(-2, -1) if call.ndim(0) == 2 else NotImplemented


@rule(Slice)
def _slice(call: Call) -> Any:
    index = (slice(None), *call.op.index)
    return run_op(call.op_with(index=index), call.values[0])


# ---- products


MAX_STACKED_ROWS = 16  # of a sample; more are multiplied sample by sample


@rule(Mm, Bmm, Matmul)
def _matmul(call: Call) -> Any:
    """Batched matrices; vectors are treated as rows or columns."""
    row, column = call.ndim(0) == 1, call.ndim(1) == 1
    a, b = call.values
    a = a.unsqueeze(-2) if row else a
    b = b.unsqueeze(-1) if column else b
    ndim = max(call.ndim(0) + row, call.ndim(1) + column)
    a, b = (
        v.reshape(v.shape[0], *(1,) * (ndim + 1 - v.ndim), *v.shape[1:])
        if call.is_batched(i)
        else v
        for i, v in enumerate((a, b))
    )
    if not call.is_batched(1):
        y = _shared_matrix_product(a, b)
    elif not call.is_batched(0) and b.shape[-1] <= MAX_STACKED_ROWS:
        y = _shared_matrix_product(b.transpose(-2, -1), a.transpose(-2, -1)).transpose(
            -2, -1
        )
    elif isinstance(call.op, Mm) and b.stride(-2) < b.stride(-1):
        y = run_op(TransposedMatmul(), a, b)
    else:
        y = matmul(a, b)
    y = y.squeeze(-1) if column else y
    return y.squeeze(-1 if column else -2) if row else y


def _shared_matrix_product(a: Any, b: Any) -> Any:
    """Products with matrices shared by all samples, which are read once.

    Shape: (B, *, n, k), (*, k, m) -> (B, *, n, m)
    """
    size, n, k = a.shape[0], a.shape[-2], a.shape[-1]
    same = b.ndim > 2 and a.shape[1:-2] == b.shape[:-2]
    if not same or n > MAX_STACKED_ROWS or k == 1:
        return matmul(a, b)
    rows = a.movedim(0, -3).reshape(*b.shape[:-2], size * n, k)
    y = matmul(rows, b)  # (*, B·n, m)
    return y.reshape(*b.shape[:-2], size, n, b.shape[-1]).movedim(-3, 0)


@rule(Mv)
def _matrix_vector(call: Call) -> Any:
    if not call.is_batched(0):
        return matmul(call.values[1], call.values[0].transpose(0, 1))
    return matmul(call.batch_first(0), call.batch_first(1).unsqueeze(-1)).squeeze(-1)


@rule(Dot)
def _dot(call: Call) -> Any:
    return (call.batch_first(0) * call.batch_first(1)).sum(-1)


@rule(Outer)
def _outer(call: Call) -> Any:
    return call.batch_first(0).unsqueeze(-1) * call.batch_first(1).unsqueeze(-2)


@rule(Linear)
def _linear(call: Call) -> Any:
    """`Linear` for a shared weight, otherwise a batched matrix product."""
    biased = len(call.values) == 3
    several = any(call.is_batched(i) for i in range(1, len(call.values)))
    if not several and not (biased and call.ndim(2) != 1):
        return run_op(call.op, *call.values)
    x, w = call.batch_first(0), call.batch_first(1)
    shape = call.operands[0]._data.shape
    rows = x.reshape(x.shape[0], -1, shape[-1])  # (B or 1, n, k)
    y = run_op(TransposedMatmul(), rows, w.transpose(-2, -1))  # (B or 1, n, m)
    if biased:
        y = y + _broadcastable(call, 2, 2)
    y = y.expand(call.size, *y.shape[1:])
    return y.reshape(call.size, *shape[:-1], y.shape[-1])


@rule(Addmm, Baddbmm)
def _addmm(call: Call) -> Any:
    product = matmul(call.batch_first(1), call.batch_first(2))
    ndim = call.ndim(1)
    added = _broadcastable(call, 0, ndim)
    return _scaled_sum(call.op, added, product)


@rule(Addbmm)
def _addbmm(call: Call) -> Any:
    """Matrix products summed over the first dimension of each sample."""
    product = matmul(call.batch_first(1), call.batch_first(2)).sum(1)
    return _scaled_sum(call.op, _broadcastable(call, 0, 2), product)


@rule(Addmv)
def _addmv(call: Call) -> Any:
    product = matmul(call.batch_first(1), call.batch_first(2).unsqueeze(-1)).squeeze(-1)
    return _scaled_sum(call.op, _broadcastable(call, 0, 1), product)


def _scaled_sum(op: Any, added: Any, product: Any) -> Any:
    if op.alpha != 1:
        product = product * op.alpha
    if op.beta == 0:
        return product
    return product + (added if op.beta == 1 else added * op.beta)


# ---- layers


@rule(Roll)
def _roll(call: Call) -> Any:
    op: Any = call.op
    if not op.dims:
        return NotImplemented
    return run_op(
        call.op_with(dims=to_batch_dim(op.dims, call.ndim(0))), call.values[0]
    )


@rule(ConstantPad)
def _pad(call: Call) -> Any:
    pads = call.op.pads
    return run_op(call.op_with(pads=((0, 0), *pads)), call.values[0])


@rule(Tril, Triu, Inv, Det, Cholesky)
def _matrices(call: Call) -> Any:
    """Ops on stacks of matrices take a batch as one more dimension."""
    return run_op(call.op, call.values[0])


@rule(LayerNorm)
def _layer_norm(call: Call) -> Any:
    if call.is_batched(0) and not any(call.is_batched(i) for i in (1, 2)):
        return run_op(call.op, *call.values)
    op: Any = call.op
    x, ndim = call.expanded(0), call.ndim(0)
    dims = tuple(range(-len(op.normalized_shape), 0))
    centred = x - x.mean(dims, keepdim=True)
    y = centred / (centred.square().mean(dims, keepdim=True) + op.eps).sqrt()
    y = y if call.values[1] is None else y * _broadcastable(call, 1, ndim)
    return y if call.values[2] is None else y + _broadcastable(call, 2, ndim)
