"""Batching rules of convolutions and pools: the batch becomes images, or channels.

With one bank of kernels for all samples the batch is only more images. With a bank for
each sample, the samples lie side by side as channels: of one result where the other
operand is shared, in separate groups where it is not.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ops.conv.convolution import Convolution, ConvTranspose, ConvWeight
from ..ops.pool.adaptive import AdaptiveAvgPool, AdaptiveAvgSpread
from ..ops.pool.average import AvgPool, AvgPoolSpread
from ..ops.pool.max import MaxPool, MaxPoolGather, MaxPoolScatter
from ..ops.vision.interpolate import Upsample, UpsampleBackward
from .batched_dispatch import Call, rule, run_op

__all__: list[str] = []


@rule(Convolution, ConvTranspose)
def _convolution(call: Call) -> Any:
    """More images for one bank of kernels; for many banks, more channels."""
    x, _, b = call.values
    if call.is_batched(1):
        return (
            _batched_images_and_kernels(call)
            if call.is_batched(0)
            else _shared_images(call)
        )
    if not call.is_batched(0):  # the bias alone
        y = run_op(call.op_with(), *call.operands[:2], None)
        return y.unsqueeze(0) + _broadcast_bias(b, y)
    shared = None if call.is_batched(2) else b
    y = run_op(call.op_with(), _as_images(x), call.values[1], shared)
    y = y.reshape(*x.shape[:2], *y.shape[1:])  # (B, N, O, *S')
    return y + _broadcast_bias(b, y[0]) if call.is_batched(2) else y


def _as_images(x: Any) -> Any:
    """(B, N, *rest) -> (B·N, *rest)"""
    return x.reshape(-1, *x.shape[2:])


def _broadcast_bias(b: Any, y: Any) -> Any:
    """A bias for each sample, (B, O), shaped to be added to results (N, O, *S')."""
    return b.reshape(b.shape[0], 1, -1, *(1,) * (y.ndim - 2))


def _batched_images_and_kernels(call: Call) -> Any:
    """Images and kernels of each sample: each sample is a group of channels."""
    op: Any = call.op
    x, w = call.expanded(0), call.expanded(1)  # (B, N, C, *S), (B, O, C/g, *K)
    b = None if call.values[2] is None else call.expanded(2).reshape(-1)
    batched_op = call.op_with(groups=call.size * op.groups)
    y = run_op(batched_op, _as_channels(x), _as_images(w), b)  # (N, B·O, *S')
    return _from_channels(y, call.size)


def _as_channels(x: Any) -> Any:
    """(B, N, C, *S) -> (N, B·C, *S)"""
    if x._data.shape[1] == 1:  # in memory they lie so already
        return x.reshape(1, -1, *x.shape[3:])
    return x.transpose(0, 1).reshape(x.shape[1], -1, *x.shape[3:])


def _from_channels(y: Any, size: int) -> Any:
    """(N, B·C, *S) -> (B, N, C, *S)"""
    if y._data.shape[0] == 1:
        return y.reshape(size, 1, -1, *y.shape[2:])
    return y.reshape(y.shape[0], size, -1, *y.shape[2:]).transpose(0, 1)


def _shared_images(call: Call) -> Any:
    """Kernels of each sample on the same images: more channels of the result."""
    op: Any = call.op
    w, groups = call.values[1], op.groups
    if isinstance(op, ConvTranspose):  # (B, C, O/g, *K) -> (C, B·O/g, *K)
        banks = w.transpose(0, 1).reshape(w.shape[1], -1, *w.shape[3:])
    else:
        banks = _batch_to_groups(w, groups)  # (g·B·O/g, C/g, *K)
    b = call.values[2]
    if b is not None:
        b = _batch_to_groups(call.expanded(2), groups)
    y = run_op(call.op_with(), call.values[0], banks, b)  # (N, g·B·O/g, *S')
    return _groups_to_batch(y, 1, groups, call.size)


def _batch_to_groups(w: Any, groups: int) -> Any:
    """(B, g·O, *rest) -> (g·B·O, *rest): in each group the samples lie side by side."""
    parts = w.reshape(w.shape[0], groups, -1, *w.shape[2:])  # (B, g, O, *rest)
    return parts.transpose(0, 1).reshape(-1, *w.shape[2:])


def _groups_to_batch(y: Any, dim: int, groups: int, size: int) -> Any:
    """(.., g·B·O, *rest) -> (B, .., g·O, *rest), the channels at `dim`."""
    head, rest = y.shape[:dim], y.shape[dim + 1 :]
    parts = y.reshape(*head, groups, size, -1, *rest).movedim(dim + 1, 0)
    return parts.reshape(size, *head, -1, *rest)


@rule(ConvWeight)
def _kernel_gradient(call: Call) -> Any:
    """Kernels of each sample; what is shared is read once for all samples."""
    op: Any = call.op
    groups, size = op.groups, call.size
    if call.is_batched(0) and call.is_batched(1):
        g, x = (_as_channels(value) for value in call.values)
        batched_op = call.op_with(groups=size * groups)
        gw = run_op(batched_op, g, x)  # (B·O, C/g, *K)
        return gw.reshape(size, -1, *gw.shape[1:])
    side = 0 if call.is_batched(0) else 1
    v = call.values[side]  # (B, N, C, *S)
    n, rest = v.shape[1], v.shape[3:]
    parts = v.reshape(size, n, groups, -1, *rest).movedim(0, 2)  # (N, g, B, C/g, *S)
    wide = parts.reshape(n, -1, *rest)
    given = [wide if i == side else call.values[i] for i in (0, 1)]
    gw = run_op(call.op_with(), *given)
    if side == 0:  # (g·B·O/g, C/g, *K)
        return _groups_to_batch(gw, 0, groups, size)
    o, kernel = gw.shape[0], gw.shape[2:]
    return gw.reshape(o, size, -1, *kernel).transpose(0, 1)  # (O, B·C/g, *K)


# ---- pools: planes by themselves


@rule(AvgPool, AdaptiveAvgPool)
def _pool(call: Call) -> Any:
    """Planes are pooled one by one: the batch is only more of them."""
    x = call.values[0]
    y = run_op(call.op, _as_images(x))
    return y.reshape(*x.shape[:2], *y.shape[1:])


@rule(MaxPool)
def _max_pool(call: Call) -> Any:
    if not call.op.indices:
        return _pool(call)
    x = call.values[0]
    found = run_op(call.op, _as_images(x))
    return tuple(y.reshape(*x.shape[:2], *y.shape[1:]) for y in found)


@rule(Upsample)
def _upsample(call: Call) -> Any:
    return _pool(call)


@rule(AvgPoolSpread, AdaptiveAvgSpread, UpsampleBackward)
def _pool_backward(call: Call) -> Any:
    """The size of the planes that a gradient is spread over has the batch, too."""
    name = "shape" if isinstance(call.op, UpsampleBackward) else "size"
    size = getattr(call.op, name)
    changes = {name: (call.size * size[0], *size[1:])}
    y = run_op(call.op_with(**changes), _as_images(call.values[0]))
    return y.reshape(call.size, *size)


@rule(MaxPoolScatter, MaxPoolGather)
def _max_pool_backward(call: Call) -> Any:
    """The positions of the maxima are the same for each sample."""
    op: Any = call.op
    v, ndim = call.values[0], len(op.kernel) + 1  # of a plane's shape: (C, *S)
    argmax = np.concatenate([op.argmax] * call.size)
    batched_op = call.op_with(argmax=argmax, size=(len(argmax), *op.size[-ndim:]))
    y = run_op(batched_op, v.reshape(len(argmax), *v.shape[-ndim:]))
    return y.reshape(*v.shape[:-ndim], *y.shape[1:])
