"""Sums, also of the elements that are not nan."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from numpy import empty, ndarray

from ... import dtypes
from ...autograd import modes as _m
from ...autograd.dispatch import Op, apply1
from ...backends import array_module
from ...kernels.memory_format import row_major
from ...kernels.sums import LARGE, leading_sums, trailing_reduction
from ...tensor.tensor import Tensor
from ..argument_checks import refuse_kinds, type_error
from ..convert.copy_fill import refuse_integer_gradients
from ..dims import ABSENT, axis_for, dim_and_keepdim, dims_of, keepdim_shape, ndim_of
from ..out_argument import is_refused_first
from ..promotion import operand_and_dtype, refuse_dtype
from ..registration import copyto, public
from ..shape.views import expand, reshape

__all__ = ["nansum", "sum"]

# NumPy's types want a literal `keepdims`.
ADD: Any = np.add


SMALL = 1024  # elements; below, it is the calls that cost


def sum_array(x: Any, dim: Any, keepdim: bool, dtype: Any) -> Any:
    """The sum of an array; integers as int64, half precision accumulated in single."""
    if dtype is None and x.dtype.kind in "iub":
        dtype = np.int64
    narrow = x.dtype if dtype is None else np.dtype(dtype)
    if narrow is x.dtype:
        dims = dim if dim is None or type(dim) is tuple else (dim,)
        y = None if dims is None else leading_sums(x, dims)
        if y is None and x.size >= LARGE:
            y = trailing_reduction(ADD, x, dims)
        if y is not None:
            return y.reshape(keepdim_shape(x.shape, dim)) if keepdim else y
    if narrow.itemsize == 2 and narrow.kind not in "iu":
        x = x.astype(narrow, copy=False)  # rounded before it is added
        y = ADD.reduce(x, dim, np.float32, None, keepdim)
        return row_major(y.astype(narrow))
    return row_major(ADD.reduce(x, dim, dtype, None, keepdim))


class Ones(dict[int, Any]):
    """A cache of vectors of ones, by size."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtype

    def __missing__(self, n: int) -> Any:
        self[n] = np.ones(n, self.dtype)
        return self[n]


ONES = {dtype: Ones(dtype) for dtype in map(np.dtype, "fd")}


def expand_gradient(g: Any, shape: tuple[int, ...], dim: Any, keepdim: bool) -> Any:
    """Broadcast the gradient of a reduction to the operand's shape, for formulas."""
    if dim is None and not isinstance(g, Tensor) and prod(shape) <= SMALL:
        y = array_module(g).empty(shape, g.dtype)
        y[...] = g.reshape(()) if keepdim else g
        return y
    if not keepdim and dim is not None:
        g = reshape(g, keepdim_shape(shape, dim))
    if isinstance(g, Tensor) or prod(shape) > SMALL:
        return expand(g, shape)
    y = array_module(g).empty(shape, g.dtype)
    y[...] = g
    return y


class Sum(Op):
    """Sum over dimensions.

    Math: y = Σ x      ∂L/∂x = g, repeated
    Shape: (*) -> (* without dim)
    """

    attributes = ("dim", "keepdim", "dtype")
    onnx = "ReduceSum"
    saves = ()
    dim: tuple[int, ...] | None = None
    keepdim: bool = False
    dtype: Any = None

    def forward(self, x: Any) -> Any:
        self.shape = x.shape
        return sum_array(x, self.dim, self.keepdim, self.dtype)

    def backward(self, g: Any) -> Any:
        return expand_gradient(g, self.shape, self.dim, self.keepdim)


class SumAll(Op):
    """Sum of all elements.

    Math: y = Σ x      ∂L/∂x = g, repeated
    Shape: (*) -> ()
    """

    __slots__ = ("shape",)

    public = "sum"
    onnx = "ReduceSum"
    torch_name = "Sum"
    saves = ()

    def forward(self, x: Any) -> Any:
        self.shape = x.shape
        dtype, n = x.dtype, x.size
        if n < SMALL and dtype in ONES and type(x) is ndarray:
            # A product with ones takes half the time of a reduction.
            y = empty((), dtype)
            x.ravel().dot(ONES[dtype][n], y)
            return y
        return sum_array(x, None, False, None)

    def backward(self, g: Any) -> Any:
        return expand_gradient(g, self.shape, None, False)


def sum(
    input: Tensor,
    dim: Any = ABSENT,
    keepdim: bool = ABSENT,
    *,
    dtype: dtypes.dtype | None = None,
    out: Tensor | None = None,
    axis: Any = None,
    keepdims: Any = ABSENT,
) -> Tensor:
    """Sum of all elements or over the given dimensions.

    Math: y = Σ x      ∂L/∂x = g, repeated
    Shape: (*) -> (* without dim), or with size 1 there (`keepdim`)

    Args:
        dim: one dimension, several, or None for all.
        dtype: what to convert to first; integers are summed as int64 without it.

    Raises:
        IndexError: if a dimension does not exist.
        RuntimeError: for an integer `dtype`, if a gradient is asked for.
        TypeError: for `keepdim` without a dimension.

    Example:
        >>> import edutorch as torch
        >>> torch.ones(2, 3).sum(dim=1)
        tensor([3., 3.])
    """
    if _m.special_modes and sum in _m.modes.autocast:
        return _m.autocast(
            sum, input, dim, keepdim, dtype=dtype, out=out, axis=axis, keepdims=keepdims
        )
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis)
    if keepdims is not ABSENT:
        keepdim = keepdims
    whole = dim is ABSENT  # PyTorch's other function of this name
    dim, keepdim = dim_and_keepdim(dim, keepdim, "sum")
    if whole and dtype is None and out is None:
        result = apply1(SumAll(), input)
    else:
        op = Sum()
        op.keepdim, op.overload = keepdim, int(not whole)
        if dim is not None:
            op.dim = dims_of(dim, ndim_of(input, "sum"), "sum")
        if dtype is not None or out is not None:
            input, op.dtype = operand_and_dtype(input, dtype, out, "sum")
        result = apply1(op, input)
        if dtype is not None and out is None:
            refuse_integer_gradients(result, input)
    return result if out is None else copyto(out, result, "sum", (input,))


@public("sum")  # by itself, see Note [Operators] in `pointwise/arithmetic.py`
def _tensor_sum(
    input: Tensor,
    dim: Any = ABSENT,
    keepdim: bool = ABSENT,
    dtype: dtypes.dtype | None = None,
    axis: Any = None,
    keepdims: Any = ABSENT,
) -> Tensor:
    """Sum of all elements or over the given dimensions; see `torch.sum`.

    Math: y = Σ x      ∂L/∂x = g, repeated
    Shape: (*) -> (* without dim), or with size 1 there (`keepdim`)

    Example:
        >>> import edutorch as torch
        >>> torch.ones(2, 3).sum()
        tensor(6.)
    """
    if (
        dim is keepdim is keepdims is ABSENT
        and dtype is axis is None
        and not _m.special_modes
    ):
        return apply1(SumAll(), input)
    return sum(input, dim, keepdim, dtype=dtype, axis=axis, keepdims=keepdims)


class Nansum(Op):
    """Sum over dimensions, ignoring nan.

    Math: y = Σ x      ∂L/∂x = g, 0 where x is nan
    Shape: (*) -> (* without dim)
    """

    attributes = ("dim", "keepdim", "dtype")

    def __init__(self, dim: Any, keepdim: bool, dtype: Any) -> None:
        self.dim, self.keepdim, self.dtype = dim, keepdim, dtype

    def check(self, x: Any) -> None:
        if x._data.dtype.kind in "cW":
            raise RuntimeError("nansum on CPU does not support complex inputs")
        to_complex = self.dtype is not None and self.dtype.kind in "cW"
        if to_complex and x._data.dtype.kind in "fV" and x._data.size:
            refuse_dtype("nansum_cpu", dtypes.of_numpy[self.dtype])

    def forward(self, x: Any) -> Any:
        good = x if x.dtype.kind in "iub" else np.where(np.isnan(x), x.dtype.type(0), x)
        return sum_array(good, self.dim, self.keepdim, self.dtype)

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        return reshape(g, keepdim_shape(tuple(x.shape), self.dim)) * (x == x)


@public("nansum")
def nansum(
    input: Tensor,
    dim: Any = None,
    keepdim: bool = False,
    *,
    dtype: dtypes.dtype | None = None,
    out: Tensor | None = None,
    axis: Any = None,
    keepdims: Any = ABSENT,
) -> Tensor:
    """Sum of the elements, ignoring nan.

    Math: y = Σ x      ∂L/∂x = g, 0 where x is nan
    Shape: (*) -> (* without dim), or with size 1 there (`keepdim`)

    Raises:
        RuntimeError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.nansum(torch.tensor([1.0, float("nan")]))
        tensor(1.)
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis)
    if keepdims is not ABSENT:
        keepdim = keepdims
    if keepdim is not False and keepdim is not True:
        raise type_error("bool", "keepdim", keepdim, "nansum")
    if out is not None and dtype is None:
        check_nansum_out(input, out)
    input, wanted = operand_and_dtype(input, dtype, out, "nansum")
    op = Nansum(dims_of(dim, ndim_of(input, "nansum"), "nansum"), keepdim, wanted)
    result = apply1(op, input)
    if dtype is not None and out is None:
        refuse_integer_gradients(result, input)
    return result if out is None else copyto(out, result, "nansum", (input,))


def check_nansum_out(x: Tensor, out: Any) -> None:
    """Refuse an `out` in whose dtype there is no nan.

    Raises:
        NotImplementedError: if the input has another one.
    """
    if not isinstance(out, Tensor) or not x.is_floating_point():
        return
    if not is_refused_first((out,), x):
        refuse_kinds("nansum_cpu", "iubc", out)
