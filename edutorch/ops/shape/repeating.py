"""Repeats a tensor or its entries."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np

from ...autograd.dispatch import Op, apply1
from ...backends import array_module
from ...errors import raise_if
from ...kernels.memory_format import row_major
from ...op_events import reported
from ...tensor.tensor import Tensor, contiguous_format, wrap
from ..argument_checks import need_one_device, need_tensors, tensor_of
from ..argument_errors import argument_error, parser_errors
from ..convert.copy_fill import clone
from ..dims import check_named_sizes, dim_of, ndim_of, refuse_negative_sizes, sizes_of
from ..index.gathering import index_select
from ..int_arguments import int_of
from ..registration import composite, public
from .broadcasting import expand_to
from .squeezing import unsqueeze
from .views import flatten, reshape

__all__ = ["repeat_interleave", "tile"]


class Repeat(Op):
    """The tensor repeated along each dimension.

    Math: y[i] = x[i mod n]      ∂L/∂x = Σ g over the copies
    """

    takes_float8 = True
    attributes = ("repeats",)
    onnx = "Tile"
    saves = ()

    def __init__(self, repeats: tuple[int, ...]) -> None:
        self.repeats = repeats

    def forward(self, x: Any) -> Any:
        leading = len(self.repeats) - x.ndim
        self.sizes = (1,) * leading + x.shape
        return row_major(np.tile(x, self.repeats))

    def backward(self, g: Any) -> Any:
        pairs = chain.from_iterable(zip(self.repeats, self.sizes, strict=True))
        copies = tuple(range(0, 2 * len(self.sizes), 2))
        g = reshape(g, tuple(pairs))  # (r0, n0, r1, n1, ...)
        g = g.sum(copies) if copies else g  # (n0, n1, ...)
        leading = len(self.sizes) - len(self.repeats)
        return g if not leading else reshape(g, self.sizes[leading:])


@public("repeat")
def _tensor_repeat(self: Tensor, *times: Any, repeats: Any = None) -> Tensor:
    """This tensor repeated along each dimension, as a copy.

    Math: y[i] = x[i mod n]      ∂L/∂x = Σ g over the copies
    Shape: (n, m) -> (r0 · n, r1 · m); more repeats add dimensions in front

    Raises:
        RuntimeError: for fewer repeats than dimensions, or below zero.

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1, 2]).repeat(2, 2)
        tensor([[1, 2, 1, 2],
                [1, 2, 1, 2]])
    """
    if repeats is not None:
        check_named_sizes(repeats)
    times = sizes_of(times if repeats is None else (repeats,), "repeat")
    shape = self._data.shape
    if len(times) < len(shape):
        raise RuntimeError(
            "Number of dimensions of repeat dims can not be smaller than number of "
            "dimensions of tensor"
        )
    sizes = (1,) * (len(times) - len(shape)) + shape
    refuse_negative_sizes([r * n for r, n in zip(times, sizes, strict=True)])
    return apply1(Repeat(times), self)


@composite
def tile(input: Tensor, dims: Any) -> Tensor:
    """Repeat a tensor along its last dimensions, or along all of `dims`.

    Math: y[i] = x[i mod n]      ∂L/∂x = Σ g over the repeats
    Shape: (n, m), (2,) -> (n, 2 · m)

    Example:
        >>> import edutorch as torch
        >>> torch.tile(torch.tensor([1, 2]), (2,))
        tensor([1, 2, 1, 2])
    """
    if not isinstance(dims, (tuple, list)):  # only the method takes numbers
        raise_if(argument_error())
    times = sizes_of((dims,), "tile")
    times = (1,) * (tensor_of(input, "tile").ndim - len(times)) + times
    return input.repeat(times)


@public("tile")
def _tensor_tile(self: Tensor, *times: Any, dims: Any = None) -> Tensor:
    """This tensor repeated along its last dimensions; see `torch.tile`.

    Math: y[i] = x[i mod n]      ∂L/∂x = Σ g over the repeats
    Shape: (n, m), (2,) -> (n, 2 · m)

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([[1], [2]]).tile(2)
        tensor([[1, 1],
                [2, 2]])
    """
    return tile(self, sizes_of(times, "tile") if dims is None else dims)


@public("repeat_interleave")
@composite
@parser_errors
@reported
def repeat_interleave(
    input: Tensor, repeats: Any = None, dim: int | None = None, *,
    output_size: int | None = None,
) -> Tensor:  # fmt: skip
    """Repeat every entry: a, a, b, b; a tensor gives a count for each entry.

    Math: y = x0, x0, x1, x1, ...      ∂L/∂xi = Σ g over the copies of xi
    Shape: (n, m), 2, dim=0 -> (2 · n, m); without `dim` the input is flattened first

    Args:
        repeats: a number, or a tensor of one number for each entry. Alone, such a
            tensor gives the numbers 0, 1, ... so often.

    Raises:
        RuntimeError: for numbers below zero, or of another count than the entries.
        IndexError: if there is no such dimension.

    Example:
        >>> import edutorch as torch
        >>> torch.repeat_interleave(torch.tensor([1, 2]), 2)
        tensor([1, 1, 2, 2])
        >>> torch.repeat_interleave(torch.tensor([2, 1]))
        tensor([0, 0, 1])
    """
    if repeats is None:
        need_tensors("repeat_interleave", repeats=input)
        return _repeated_indices(input, output_size)
    if dim is None:
        input, dim = flatten(input), 0
    if not ndim_of(input, "repeat_interleave"):
        raise IndexError(
            f"Dimension specified as {dim} but tensor has no dimensions"
            if isinstance(repeats, Tensor)
            else "Dimension out of range (expected to be in range of [-1, 0], "
            "but got 1)"
        )
    given, dim = dim, dim_of(dim, input.ndim, "repeat_interleave")
    if isinstance(repeats, Tensor) and repeats.is_meta and output_size is not None:
        result = index_select(input, dim, repeats.new_empty(output_size))
    elif isinstance(repeats, Tensor):
        if not input.is_meta and not repeats.is_meta:
            need_one_device("__index_select", input, index=repeats)
        picked = _repeat_each(repeats, input, given, output_size)
        result = index_select(input, dim, picked.to(input._device))
    else:
        result = _repeat_equally(
            input, int_of(repeats, "repeats", "repeat_interleave"), dim
        )
    if output_size is not None and output_size != result.shape[dim]:
        raise RuntimeError(
            f"repeat_interleave: Invalid output_size, expected {result.shape[dim]} but "
            f"got {output_size}"
        )
    return result


def _repeated_indices(repeats: Tensor, size: int | None = None) -> Tensor:
    """0 repeated as often as the first number says, 1 as the second, ..."""
    if repeats.is_meta:
        raise RuntimeError("cannot repeat_interleave a meta tensor without output_size")
    times = repeats._data
    if times.dtype not in (np.int32, np.int64):
        raise NotImplementedError(
            f"\"repeat_interleave_cpu\" not implemented for '{repeats.dtype.short}'"
        )
    if times.ndim != 1:
        raise RuntimeError("repeat_interleave only accept 1D vector as repeat")
    if size is not None:
        refuse_negative_sizes((size,))
    if size is not None and size != times.sum():
        raise RuntimeError("allocated size does not match required size")
    if (times < 0).any():
        raise RuntimeError("repeats can not be negative")
    numbers = array_module(times).arange(len(times), dtype=times.dtype)
    counts = np.repeat(numbers, times.tolist())
    return wrap(counts, repeats.device)


def _repeat_each(repeats: Tensor, input: Tensor, dim: int, size: int | None) -> Tensor:
    n = input.shape[dim] if input.ndim else 1
    if repeats.ndim > 1:
        raise RuntimeError("repeats must be 0-dim or 1-dim tensor")
    if repeats.numel() == 1:
        repeats = repeats.reshape(1).expand(n)
    if repeats.shape[0] != n:
        raise RuntimeError(
            "repeats must have the same size as input along dim, but got "
            f"repeats.size(0) = {repeats.shape[0]} and input.size({dim}) = {n}"
        )
    return _repeated_indices(repeats, size)


def _repeat_equally(input: Tensor, repeats: int, dim: int) -> Tensor:
    if repeats < 0:
        raise RuntimeError("Repeats must be non-negative")
    shape = tuple(input.shape) or (1,)
    column = unsqueeze(reshape(input, shape) if not input.ndim else input, dim + 1)
    wide = expand_to(column, (*shape[: dim + 1], repeats, *shape[dim + 1 :]))
    repeated = clone(wide, memory_format=contiguous_format)
    return reshape(repeated, (*shape[:dim], shape[dim] * repeats, *shape[dim + 1 :]))
