"""Medians and modes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import dtypes
from ...autograd.dispatch import apply, apply1
from ...autograd.op_errors import type_name
from ...kernels.sorting import argsort_indices, equal_or_nan, median_index
from ...tensor.tensor import Tensor
from ..argument_checks import type_error
from ..dims import ABSENT, axis_for, dim_alone, dim_of, ndim_of
from ..out_argument import is_refused_first
from ..registration import copyto, public
from ..return_types import return_type
from .min_max import Amax, refuse_complex
from .selection import Chosen, refuse_empty

__all__ = ["median", "mode", "nanmedian"]

median_type = return_type("median", "values", "indices")
nanmedian_type = return_type("nanmedian", "values", "indices")
mode_type = return_type("mode", "values", "indices")


class MedianAll(Amax):
    """The lower median of all elements.

    Math: y = median x      ∂L/∂x = g shared equally by the elements that equal y
    Shape: (*) -> ()
    """

    public = "median"
    torch_name = "Median"
    skip_nan = False

    def check(self, x: Any) -> None:
        if x._data.size:
            refuse_complex(x._data, "median_cpu")
        if x._data.dtype.kind == "b" and x._data.size:
            raise NotImplementedError("\"median_cpu\" not implemented for 'Bool'")

    def forward(self, x: Any) -> Any:
        x = x.reshape(-1)
        if not x.size:  # nan, or what C makes of it
            return np.array(np.nan).astype(x.dtype)
        return x[median_index(x, 0, self.skip_nan)[0]]

    def selected_mask(self, x: Any, y: Any) -> Any:
        return equal_or_nan(x, y)


class NanMedianAll(MedianAll):
    """The lower median of the elements that are not nan.

    Math: y = median x      ∂L/∂x = g shared equally by the elements that equal y
    Shape: (*) -> ()
    """

    public = "nanmedian"
    torch_name = "Nanmedian"
    skip_nan = True


class Ranked(Chosen):
    """Base class of median, mode and kthvalue: one element along a dimension.

    Math: y = x[i]      ∂L/∂x = g at i, else 0
    Shape: (*) -> two of (* without dim)
    """

    def check(self, x: Any) -> None:
        kernel = "median_out"
        if self.public in ("mode", "kthvalue"):
            kernel = f"{self.public}_cpu"
        refuse_empty(x._data, (self.dim,), self.public.removeprefix("nan"))
        if not x._data.ndim and kernel != "median_out":
            return  # it is copied
        if kernel == "mode_cpu" and not x._data.size:
            return
        refuse_complex(x._data, kernel)
        if x._data.dtype.kind == "b" and self.public != "mode":
            raise NotImplementedError(f"\"{kernel}\" not implemented for 'Bool'")


class MedianDim(Ranked):
    """The lower median along a dimension, and its index."""

    public = "median"
    torch_name = "Median"
    overload = 1

    def find(self, x: Any) -> Any:
        return median_index(x, self.dim, skip_nan=False)


class NanMedianDim(Ranked):
    """The lower median along a dimension, ignoring nan, and its index."""

    public = "nanmedian"
    torch_name = "Nanmedian"
    overload = 1

    def find(self, x: Any) -> Any:
        return median_index(x, self.dim, skip_nan=True)


def _check_out(out: Any, input: Tensor) -> None:
    """Raise if the values' or the indices' `out` tensor has another dtype.

    Raises:
        RuntimeError: with the names that tensors of these dtypes have.
    """
    both = isinstance(out, (tuple, list)) and [t for t in out if isinstance(t, Tensor)]
    if not both or len(both) != 2:
        return  # refused elsewhere
    values, indices = both
    if is_refused_first(both, input):
        return
    if indices.dtype is not dtypes.int64:
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have scalar type Long; but "
            f"got {type_name(indices)} instead (while checking arguments for median)"
        )
    if values.dtype is not input.dtype:
        raise RuntimeError(
            "Expected tensor for 'values' to have the same type as tensor for argument "
            f"#2 'self'; but type {type_name(values)} does not equal "
            f"{type_name(input)} (while checking arguments for median)"
        )


@public("median")
def median(
    input: Tensor,
    dim: Any = ABSENT,
    keepdim: bool = ABSENT,
    *,
    out: Any = None,
    axis: Any = None,
    keepdims: Any = ABSENT,
) -> Any:
    """The lower median of all elements, or along `dim` with its index.

    Math: y = median x      ∂L/∂x = g at the median; of all: shared by equal ones
    Shape: (*) -> (), or two of (* without dim)

    Raises:
        NotImplementedError: for booleans.

    Example:
        >>> import edutorch as torch
        >>> torch.median(torch.tensor([3.0, 1.0, 2.0, 4.0]))
        tensor(2.)
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis)
    if keepdims is not ABSENT:
        keepdim = keepdims
    along, keep = dim_alone(dim, keepdim, "median")
    if along is None:
        result = apply1(MedianAll(None, False), input)
    else:
        op = MedianDim(dim_of(along, ndim_of(input, "median"), "median"), keep)
        result = median_type(*apply(op, input))
    if out is None:
        return result
    if along is not None:
        _check_out(out, input)
    return copyto(out, result, "median", (input,))


@public("nanmedian")
def nanmedian(
    input: Tensor,
    dim: Any = ABSENT,
    keepdim: bool = ABSENT,
    *,
    out: Any = None,
    axis: Any = None,
    keepdims: Any = ABSENT,
) -> Any:
    """The lower median ignoring nan; see `median`.

    Math: y = median x      ∂L/∂x = g at the median; of all: shared by equal ones
    Shape: (*) -> (), or two of (* without dim)

    Raises:
        NotImplementedError: for booleans.

    Example:
        >>> import edutorch as torch
        >>> torch.nanmedian(torch.tensor([3.0, float("nan"), 1.0]))
        tensor(1.)
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis)
    if keepdims is not ABSENT:
        keepdim = keepdims
    along, keep = dim_alone(dim, keepdim, "nanmedian")
    if along is None:
        result = apply1(NanMedianAll(None, False), input)
    else:
        op = NanMedianDim(dim_of(along, ndim_of(input, "nanmedian"), "nanmedian"), keep)
        result = nanmedian_type(*apply(op, input))
    if out is None:
        return result
    if along is not None:
        _check_out(out, input)
    return copyto(out, result, "nanmedian", (input,))


class Mode(Ranked):
    """The most common value along a dimension, and its last index.

    Math: y = the smallest of the most common values of x      ∂L/∂x = g there, else 0
    Shape: (*) -> two of (* without dim)
    """

    def find(self, x: Any) -> Any:
        dim = self.dim
        order = argsort_indices(x, dim, radix=False)
        x = np.take_along_axis(x, order, dim)
        if (nan := x != x).any():  # they come first, and each is a distinct value
            front = np.argsort(~nan, axis=dim, kind="stable")
            x, order = (np.take_along_axis(v, front, dim) for v in (x, order))
        places = np.arange(x.shape[dim]).reshape(vector_shape(x.ndim, dim))
        new = np.ones(x.shape, bool)
        inner = tuple(slice(1 if d == dim else 0, None) for d in range(x.ndim))
        before = tuple(slice(-1 if d == dim else None) for d in range(x.ndim))
        new[inner] = x[inner] != x[before]
        starts = np.maximum.accumulate(np.where(new, places, 0), axis=dim)
        longest = np.argmax(places - starts, axis=dim, keepdims=True)
        return np.take_along_axis(order, longest, dim)


def vector_shape(ndim: int, dim: int) -> tuple[int, ...]:
    """The shape of a vector that broadcasts along `dim` of `ndim` dimensions."""
    return tuple(-1 if d == dim else 1 for d in range(ndim))


@public("mode")
def mode(
    input: Tensor,
    dim: int = -1,
    keepdim: bool = False,
    *,
    out: Any = None,
    axis: Any = None,
    keepdims: Any = ABSENT,
) -> Any:
    """The most common value along `dim` (the smallest of ties), and its last index.

    Math: y = the smallest of the most common values of x
          ∂L/∂x = g at the index, else 0
    Shape: (*) -> two of (* without dim)

    Raises:
        IndexError: if the dimension does not exist.

    Example:
        >>> import edutorch as torch
        >>> torch.mode(torch.tensor([3, 1, 3, 2])).values
        tensor(3)
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis, -1)
    if keepdims is not ABSENT:
        keepdim = keepdims
    if keepdim is not False and keepdim is not True:
        raise type_error("bool", "keepdim", keepdim, "mode")
    dim = dim_of(dim, ndim_of(input, "mode"), "mode")
    result = mode_type(*apply(Mode(dim, keepdim), input))
    if out is None:
        return result
    removed = None if keepdim or not input.numel() else dim
    variant = "" if input.ndim else "number"
    return copyto(out, result, "mode", (input,), variant=variant, removed=removed)
