"""Joins tensors: cat and stack."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...autograd import modes as _m
from ...autograd.batched_tensor import forbid_fallback, level_sizes
from ...autograd.dispatch import Op, apply, apply1
from ...kernels.memory_format import channels_last, has_channels_last, row_major
from ...kernels.thread_pool import parallel_blocks
from ...tensor.tensor import Tensor
from ..argument_checks import need_each
from ..argument_errors import argument_error, check_call
from ..dims import axis_for, dim_of
from ..promotion import common_dtype
from ..registration import copyto
from .slices import slice_dim
from .splitting import unbind

__all__ = ["cat", "concat", "concatenate", "stack"]

LARGE = 1 << 20  # bytes; larger copies are made by several threads
NANOSECONDS_PER_BYTE = 0.25


def row_major_or_channels_last(y: Any, arrays: Any) -> Any:
    """`y` in row-major order, or in channels last if all arrays are."""
    if y.flags.c_contiguous and (y.ndim < 4 or arrays[0].flags.c_contiguous):
        return y
    if all(map(has_channels_last, arrays)):
        return y if has_channels_last(y) else channels_last(y)
    return row_major(y)


class Joined(Op):
    """Base class of `cat` and `stack`: operands are promoted to one dtype."""

    takes_float8 = True
    forward_in_single = False
    backward_in_single = False
    attributes = ("dim",)
    saves = ()

    def __init__(self, dim: int) -> None:
        self.dim = dim

    def promote(self, *arrays: Any) -> Any:
        """All operands in their common dtype."""
        first = arrays[0].dtype
        if all(x.dtype is first for x in arrays):
            return arrays
        target = common_dtype(*arrays).numpy
        return [x.astype(target, copy=False) for x in arrays]


class Cat(Joined):
    """Concatenates tensors along an existing dimension.

    Math: y = [x0 | x1 | ...]      ∂L/∂xi = the part of g where xi lies
    """

    onnx = "Concat"
    same_device = slice(None)

    def forward(self, *arrays: Any) -> Any:
        self.shapes = [x.shape for x in arrays]
        try:
            return row_major_or_channels_last(np.concatenate(arrays, self.dim), arrays)
        except ValueError:
            full = [x for x in arrays if x.shape != (0,)]  # empty vectors are ignored
            self._check(full)
            return row_major_or_channels_last(np.concatenate(full, self.dim), full)

    def _check(self, arrays: list[Any]) -> None:
        """Raise PyTorch's error unless all dimensions but `dim` are equal."""
        for i, x in enumerate(arrays):
            if not x.ndim:
                raise RuntimeError(
                    f"zero-dimensional tensor (at position {i}) cannot be concatenated"
                )
            self._compare(arrays[0].shape, x.shape, i)

    def _compare(self, first: Any, shape: Any, i: int) -> None:
        if len(shape) != len(first):
            raise RuntimeError(
                f"Tensors must have same number of dimensions: got {len(first)} and "
                f"{len(shape)}"
            )
        for d, (n, m) in enumerate(zip(first, shape, strict=True)):
            if d != self.dim and n != m:
                raise RuntimeError(
                    "Sizes of tensors must match except in dimension "
                    f"{self.dim}. Expected size {n} but got size {m} for tensor number "
                    f"{i} in the list."
                )

    def backward(self, g: Any) -> Any:
        parts: list[Any] = []
        start = 0
        for shape, need in zip(self.shapes, self.needs, strict=True):
            if shape == (0,):  # ignored beside tensors of any dimensions
                parts.append(g.reshape(-1)[:0] if need else None)
                continue
            n = shape[self.dim]
            parts.append(slice_dim(g, self.dim, start, start + n) if need else None)
            start += n
        return tuple(parts)


def tensor_list(name: str, tensors: Any) -> list[Tensor]:
    """The tensors of a sequence, checked.

    Raises:
        TypeError: for something else.
    """
    if isinstance(tensors, Tensor) or not isinstance(tensors, (list, tuple)):
        raise argument_error() or TypeError(
            f"{name}(): argument 'tensors' (position 1) must be tuple of Tensors, not "
            f"{type(tensors).__name__}"
        )
    need_each(tensors)
    return list(tensors)


def cat(
    tensors: Sequence[Tensor],
    dim: int = 0,
    *,
    out: Tensor | None = None,
    axis: Any = None,
) -> Tensor:
    """Concatenate tensors along an existing dimension.

    Math: y = [x0 | x1 | ...]      ∂L/∂xi = the part of g where xi lies
    Shape: (.., n0, ..), (.., n1, ..) -> (.., n0 + n1, ..)

    Raises:
        RuntimeError: if other dimensions differ.
        ValueError: if the list is empty.

    Example:
        >>> import edutorch as torch
        >>> torch.cat([torch.ones(2), torch.zeros(1)])
        tensor([1., 1., 0.])
    """
    if _m.special_modes and cat in _m.modes.autocast:
        return _m.autocast(cat, tensors, dim, out=out, axis=axis)
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis, 0)
    tensors = tensor_list("cat", tensors)
    if not tensors:
        raise ValueError("torch.cat(): expected a non-empty list of Tensors")
    ndim = max([t._data.ndim for t in tensors])
    flat = [i for i, t in enumerate(tensors) if t._data.ndim == 0]
    if flat:
        raise RuntimeError(
            f"zero-dimensional tensor (at position {flat[0]}) cannot be concatenated"
        )
    empty = all(t._data.shape == (0,) for t in tensors)  # without operands to join
    if empty:
        check_call(isinstance(dim, int) and type(dim) is not bool)
    result = apply(Cat(0 if empty else dim_of(dim, ndim, "cat")), *tensors)
    if out is None:
        return result
    return copyto(out, result, "cat", (tensors,), disjoint=tuple(tensors))


concat = cat
concatenate = cat


def stack_rows(arrays: Sequence[Any]) -> Any:
    """Stack arrays of one shape and dtype in row-major order."""
    first, n = arrays[0], len(arrays)
    if first.ndim == 0:
        return np.concatenate([x[None] for x in arrays])
    shape = (n, *first.shape)  # made by `reshape`, since `np.stack` takes three times
    if n < 2 or first.nbytes * n < LARGE or type(first) is not np.ndarray:
        return row_major(np.concatenate(arrays).reshape(shape))
    y = np.empty(shape, first.dtype)
    rows = y.reshape(n * len(first), *first.shape[1:])

    def copy(part: slice) -> None:
        place = slice(part.start * len(first), part.stop * len(first))
        np.concatenate(arrays[part], out=rows[place])

    nanoseconds = y.nbytes * NANOSECONDS_PER_BYTE
    parallel_blocks(copy, n, nanoseconds, uses_blas=False)
    return y


class Stack(Joined):
    """Stacks tensors of one shape along a new dimension.

    Math: y[.., i, ..] = xi      ∂L/∂xi = g[.., i, ..]
    """

    onnx = "ConcatFromSequence"
    same_device = slice(None)

    def check(self, *tensors: Tensor) -> None:
        """Check that all shapes are equal."""
        first = tensors[0]._data.shape
        for i, t in enumerate(tensors):
            if t._data.shape != first:
                batch = level_sizes(tensors)
                raise forbid_fallback(
                    RuntimeError(
                        "stack expects each tensor to be equal size, but got "
                        f"{[*batch, *first]} "
                        f"at entry 0 and {[*batch, *t._data.shape]} at entry {i}"
                    )
                )

    def forward(self, *arrays: Any) -> Any:
        x = arrays[0]
        strided = x.ndim > 3 and not x.flags.c_contiguous
        if strided and all(map(has_channels_last, arrays)):
            return self.stack_channels_last(arrays)
        if self.dim == 0 and type(x) is np.ndarray:
            return stack_rows(arrays)
        place = (*(slice(None),) * self.dim, None)
        parts = [x[place] for x in arrays]  # `np.stack` takes three times as long
        return row_major(np.concatenate(parts, self.dim))

    def stack_channels_last(self, arrays: Any) -> Any:
        """The order in memory of `cat`, of which the dimension is then split."""
        dim, shape = self.dim, arrays[0].shape
        if dim == len(shape):
            return row_major(np.stack(arrays, dim))
        joined = row_major_or_channels_last(np.concatenate(arrays, dim), arrays)
        return joined.reshape((*shape[:dim], len(arrays), *shape[dim:]))

    def backward(self, g: Any) -> Any:
        return tuple(unbind(g, self.dim))


def stack(
    tensors: Sequence[Tensor],
    dim: int = 0,
    *,
    out: Tensor | None = None,
    axis: Any = None,
) -> Tensor:
    """Stack tensors of one shape along a new dimension.

    Math: y[.., i, ..] = xi      ∂L/∂xi = g[.., i, ..]
    Shape: k times (n, m) -> (k, n, m), or (n, k, m) with dim=1

    Raises:
        RuntimeError: if shapes differ, or the list is empty.

    Example:
        >>> import edutorch as torch
        >>> torch.stack([torch.tensor([1, 2]), torch.tensor([3, 4])], 1)
        tensor([[1, 3],
                [2, 4]])
    """
    if _m.special_modes and stack in _m.modes.autocast:
        return _m.autocast(stack, tensors, dim, out=out, axis=axis)
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis, 0)
    tensors = tensor_list("stack", tensors)
    if not tensors:
        raise RuntimeError("stack expects a non-empty TensorList")
    dim = dim_of(dim, tensors[0]._data.ndim + 1, "stack")
    op, alone = Stack(dim), len(tensors) == 1
    result = apply1(op, tensors[0]) if alone else apply(op, *tensors)
    if out is None:
        return result
    return copyto(out, result, "stack", (tensors,), disjoint=tuple(tensors))
