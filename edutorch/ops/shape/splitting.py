"""Splits a tensor into views."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import numpy as np

from ...autograd.dispatch import Op, apply
from ...autograd.views import refresh_view
from ...op_events import reported
from ...tensor.tensor import Tensor
from ..argument_checks import type_error
from ..argument_errors import (
    argument_error,
    check_call,
    invalid_combination,
    parser_errors,
)
from ..dims import axis_for, dim_of, ndim_of, sizes_of
from ..int_arguments import int_of
from ..registration import public
from .slices import empty_view_at, index_at_dim

__all__ = [
    "chunk",
    "split",
    "split_with_sizes",
    "unbind",
    "unsafe_chunk",
    "unsafe_split",
    "unsafe_split_with_sizes",
]

MOST_EMPTY_CHUNKS = 2**30  # the sizes alone are 8 GB


class Unbind(Op):
    """Every entry along a dimension, as a separate view.

    Math: yi = x[.., i, ..]      ∂L/∂x[.., i, ..] = gi
    """

    attributes = ("dim",)
    is_view = True
    multiple_outputs = True
    saves = ()

    def __init__(self, dim: int) -> None:
        self.dim = dim

    def forward(self, x: Any) -> Any:
        before = (slice(None),) * self.dim
        return tuple(x[(*before, i, ...)] for i in range(x.shape[self.dim]))

    def backward(self, *g: Any) -> Any:
        return apply(Gathered(self.dim), *g)


class Gathered(Op):
    """Stacks gradients along a new dimension: the backward of `Unbind`.

    Math: y[.., i, ..] = x_i      ∂L/∂x_i = g[.., i, ..]
    """

    attributes = ("dim",)
    saves = ()

    def __init__(self, dim: int) -> None:
        self.dim = dim

    def forward(self, *arrays: Any) -> Any:
        return np.stack(arrays, self.dim)

    def backward(self, g: Any) -> Any:
        return tuple(unbind(g, self.dim))


@public("unbind")
def unbind(
    input: Tensor,
    dim: int = 0,
    *,
    axis: Any = None,
) -> tuple[Tensor, ...]:
    """The entries along a dimension, as a tuple of views.

    Math: yi = x[.., i, ..]      ∂L/∂x[.., i, ..] = gi
    Shape: (k, n, m) -> k times (n, m)

    Raises:
        IndexError: if the dimension does not exist.

    Example:
        >>> import edutorch as torch
        >>> torch.unbind(torch.tensor([[1, 2], [3, 4]]))
        (tensor([1, 2]), tensor([3, 4]))
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis, 0)
    dim = dim_of(dim, ndim_of(input, "unbind"), "unbind")
    if not input.ndim:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    if not input.shape[dim]:
        return ()
    return apply(Unbind(dim), input)


def slice_array(x: Any, index: tuple[Any, ...]) -> Any:
    """A part of an array, with the right memory address even if it is empty."""
    y = x[index]
    return y if y.size else empty_view_at(x, y, index)


class Split(Op):
    """Views of given sizes along a dimension.

    Math: y0 | y1 | ... = x      ∂L/∂x = g0 | g1 | ...
    """

    attributes = ("sizes", "dim")
    onnx = "Split"
    is_view = True
    multiple_outputs = True
    saves = ()

    def __init__(self, sizes: tuple[int, ...], dim: int) -> None:
        self.sizes, self.dim = sizes, dim

    def forward(self, x: Any) -> Any:
        stops = accumulate(self.sizes)
        return tuple(
            slice_array(x, index_at_dim(self.dim, slice(stop - n, stop)))
            for n, stop in zip(self.sizes, stops, strict=True)
        )

    def backward(self, *g: Any) -> Any:
        return apply(Rejoined(self.sizes, self.dim), *g)


class SplitWithSizes(Split):
    """`Split` with the size of every part given by the user.

    Math: yᵢ = the i-th part of x      ∂L/∂x = the gᵢ, joined
    """


class Rejoined(Op):
    """Concatenates gradients: the backward of `Split`.

    Math: y = x₀, x₁, .. one after the other      ∂L/∂x_i = that part of g
    """

    torch_name = "Cat"
    attributes = ("sizes", "dim")
    saves = ()

    def __init__(self, sizes: tuple[int, ...], dim: int) -> None:
        self.sizes, self.dim = sizes, dim

    def forward(self, *arrays: Any) -> Any:
        return np.concatenate(arrays, self.dim)

    def backward(self, g: Any) -> Any:
        return apply(Split(self.sizes, self.dim), g)


class UnsafeSplit(Split):
    """`Split` whose parts may be changed in place: autograd treats them as copies.

    Math: yᵢ = the i-th part of x      ∂L/∂x = the gᵢ, joined
    """

    is_view = False
    complex32 = "single"


class UnsafeSplitWithSizes(UnsafeSplit):
    """`UnsafeSplit` into parts of given sizes.

    Math: yᵢ = the i-th part of x      ∂L/∂x = the gᵢ, joined
    """


@public("split_with_sizes")
def split_with_sizes(
    input: Tensor, split_sizes: Any, dim: int = 0, *, axis: Any = None
) -> tuple[Tensor, ...]:
    """Views of the given sizes along a dimension.

    Math: yᵢ = the i-th part of x      ∂L/∂x = the gᵢ, joined
    Shape: (a + b, n) -> (a, n), (b, n)

    Raises:
        RuntimeError: if the sizes do not add up to that of the dimension.

    Example:
        >>> import edutorch as torch
        >>> torch.split_with_sizes(torch.arange(5), [2, 3])
        (tensor([0, 1]), tensor([2, 3, 4]))
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis, 0)
    return _split_by(input, split_sizes, dim, SplitWithSizes)


def _split_by(
    input: Tensor, sizes: Any, dim: int, op: type[Split]
) -> tuple[Tensor, ...]:
    if not ndim_of(input):
        raise argument_error() or RuntimeError(
            "split expects at least a 1-dimensional tensor"
        )
    check_call(isinstance(sizes, (tuple, list)) and {*map(type, sizes)} <= {int})
    along = dim_of(dim, input.ndim)
    sizes = sizes_of((sizes,), "split_with_sizes", "split_sizes")
    n = input.shape[along]
    for size in sizes:
        if size < 0:
            raise argument_error() or RuntimeError(
                "split_with_sizes expects split_sizes have only non-negative entries, "
                f"but got split_sizes={list(sizes)}"
            )
    if sum(sizes) != n:
        raise argument_error() or RuntimeError(
            "split_with_sizes expects split_sizes to sum exactly to "
            f"{n} (input tensor's size at dimension {dim}), but got "
            f"split_sizes={list(sizes)}"
        )
    if not sizes:
        return ()
    return apply(op(sizes, along), input)


@public("split")
def split(
    tensor: Tensor, split_size_or_sections: Any, dim: int = 0
) -> tuple[Tensor, ...]:
    """Views along a dimension, of equal size except the last, or of given sizes.

    Math: yᵢ = the i-th part of x      ∂L/∂x = the gᵢ, joined
    Shape: (5, n), 2 -> (2, n), (2, n), (1, n)

    Raises:
        RuntimeError: for a size below zero, or sizes that do not add up.

    Example:
        >>> import edutorch as torch
        >>> torch.split(torch.arange(5), 2)
        (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    """
    size = split_size_or_sections
    if isinstance(size, bool):
        raise invalid_combination("split")
    if isinstance(size, Tensor) and size.numel() == 1:
        size = int(size)
    if isinstance(size, (np.integer, np.ndarray)):
        raise type_error("tuple of ints", "split_sizes", size, "split_with_sizes")
    if not hasattr(size, "__index__"):
        return split_with_sizes(tensor, size, dim)
    return _split_equally(tensor, size.__index__(), dim, Split)


def _split_equally(
    tensor: Tensor, size: int, dim: int, op: type[Split]
) -> tuple[Tensor, ...]:
    """Parts of equal size along a dimension, the last possibly smaller."""
    if not ndim_of(tensor):
        refresh_view(tensor)
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    if size < 0:
        raise RuntimeError(
            f"split expects split_size be non-negative, but got split_size={size}"
        )
    n = tensor.shape[dim_of(dim, tensor.ndim)]
    if size == 0 and n:
        raise RuntimeError(
            "split_size can only be 0 if dimension size is 0, but got "
            f"dimension size of {n}"
        )
    if not n:
        return _split_by(tensor, (0,), dim, op)
    full, rest = divmod(n, size)
    return _split_by(tensor, (size,) * full + ((rest,) if rest else ()), dim, op)


@public("chunk")
@reported
def chunk(
    input: Tensor,
    chunks: int,
    dim: int = 0,
    *,
    axis: Any = None,
) -> tuple[Tensor, ...]:
    """At most `chunks` views along a dimension, of equal size except the last.

    Math: yᵢ = the i-th part of x      ∂L/∂x = the gᵢ, joined
    Shape: (5, n), 3 -> (2, n), (2, n), (1, n)

    Raises:
        RuntimeError: for fewer than one chunk.

    Example:
        >>> import edutorch as torch
        >>> torch.chunk(torch.arange(5), 3)
        (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis, 0)
    size = _chunk_size(input, chunks, dim)
    if not size:
        return _split_by(input, _no_sizes(chunks), dim, SplitWithSizes)
    return split(input, size, dim)


def _chunk_size(input: Tensor, chunks: int, dim: int) -> int:
    """The size of all chunks but the last."""
    chunks = int_of(chunks, "chunks", "chunk")
    if not ndim_of(input):
        raise argument_error() or RuntimeError(
            "chunk expects at least a 1-dimensional tensor"
        )
    if chunks < 1:
        raise argument_error() or RuntimeError(
            f"chunk expects `chunks` to be greater than 0, got: {chunks}"
        )
    size: int = -(-input.shape[dim_of(dim, input.ndim)] // chunks)
    return size


def _no_sizes(chunks: int) -> tuple[int, ...]:
    """The sizes of the chunks of an empty dimension.

    Raises:
        RuntimeError: if a table of them would fill the memory.
    """
    if chunks >= MOST_EMPTY_CHUNKS:
        longer = chunks >= 2**60
        raise RuntimeError(
            "cannot create std::vector larger than max_size()"
            if longer
            else "std::bad_alloc"
        )
    return (0,) * chunks


@public("unsafe_split")
@parser_errors
def unsafe_split(input: Tensor, split_size: int, dim: int = 0) -> tuple[Tensor, ...]:
    """`split` whose parts may be changed in place without autograd noticing.

    Math: yᵢ = the i-th part of x      ∂L/∂x = the gᵢ, joined
    Shape: (5, n), 2 -> (2, n), (2, n), (1, n)

    Example:
        >>> import edutorch as torch
        >>> torch.unsafe_split(torch.arange(3), 2)
        (tensor([0, 1]), tensor([2]))
    """
    size = int_of(split_size, "split_size", "unsafe_split")
    return _split_equally(input, size, dim, UnsafeSplit)


@public("unsafe_split_with_sizes")
def unsafe_split_with_sizes(
    input: Tensor, split_sizes: Any, dim: int = 0, *, axis: Any = None
) -> tuple[Tensor, ...]:
    """`split_with_sizes` whose parts may be changed in place.

    Math: yᵢ = the i-th part of x      ∂L/∂x = the gᵢ, joined
    Shape: (a + b, n) -> (a, n), (b, n)

    Example:
        >>> import edutorch as torch
        >>> torch.unsafe_split_with_sizes(torch.arange(3), [1, 2])
        (tensor([0]), tensor([1, 2]))
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis, 0)
    return _split_by(input, split_sizes, dim, UnsafeSplitWithSizes)


@public("unsafe_chunk")
@reported
def unsafe_chunk(
    input: Tensor, chunks: int, dim: int = 0, *, axis: Any = None
) -> tuple[Tensor, ...]:
    """`chunk` whose parts may be changed in place without autograd noticing.

    Math: yᵢ = the i-th part of x      ∂L/∂x = the gᵢ, joined
    Shape: (5, n), 3 -> (2, n), (2, n), (1, n)

    Example:
        >>> import edutorch as torch
        >>> torch.unsafe_chunk(torch.arange(3), 2)
        (tensor([0, 1]), tensor([2]))
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis, 0)
    size = _chunk_size(input, chunks, dim)
    if not size:
        return _split_by(input, _no_sizes(chunks), dim, UnsafeSplitWithSizes)
    return _split_equally(input, size, dim, UnsafeSplit)
