"""Cumulative sums, products and extremes along a dimension."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ... import dtypes
from ...autograd import modes as _m
from ...autograd.dispatch import Op, apply, apply1
from ...backends import array_module
from ...config import plain
from ...tensor.tensor import Tensor
from ..argument_checks import numpy_dtype
from ..convert.copy_fill import refuse_integer_gradients
from ..dims import dim_or_axis
from ..out_devices import device_message
from ..out_history import gradient_error
from ..pointwise.conjugate import conj
from ..pointwise.exponential import complex_logaddexp, exp
from ..pointwise.ternary import where
from ..promotion import operand_and_dtype, refuse_integral
from ..reduce.min_max import refuse_complex
from ..reduce.selection import pick_array, place
from ..reduce.sums import sum
from ..registration import copyto, public
from ..return_types import return_type
from ..shape.squeezing import unsqueeze

__all__ = ["cummax", "cummin", "cumprod", "cumsum", "logcumsumexp"]

cummax_type = return_type("cummax", "values", "indices")
cummin_type = return_type("cummin", "values", "indices")


MIN_ROW = 64  # elements; shorter rows are not worth a call each
# In which type sums and products of floats run. E: bfloat16.
WIDE = {"d": np.float64, "f": np.float64, "e": np.float32, "E": np.float32}


def accumulate_array(ufunc: Any, x: Any, dim: int, dtype: Any = None) -> Any:
    """Cumulative results of a ufunc, contiguous as in PyTorch; integers as int64.

    Sums and products run in the next wider type, and are rounded one by one.
    """
    if dtype is None and x.dtype.kind in "iub":
        dtype = np.int64
    dtype = np.dtype(dtype or x.dtype)
    if x.ndim == 0 or x.size == 0:
        return x.astype(dtype, order="C")
    x = array_module(x).ascontiguousarray(x)
    if ufunc is np.add and dtype.kind in "fc":
        x = x + 0  # since a sum is not -0
    wide = WIDE.get(dtype.char)
    if wide is None or ufunc not in (np.add, np.multiply):
        return ufunc.accumulate(x, dim, dtype)
    long_rows = prod(x.shape[dim % x.ndim + 1 :]) >= MIN_ROW and x.dtype == dtype
    if long_rows and type(x) is np.ndarray and not plain():
        return _accumulate_rows(ufunc, x, dim, wide)
    with np.errstate(over="ignore"):
        x = x.astype(dtype, copy=False)  # rounded before it is added
        return ufunc.accumulate(x, dim, wide).astype(dtype, copy=False)


def _accumulate_rows(ufunc: Any, x: Any, dim: int, wide: Any) -> Any:
    """`ufunc.accumulate`, to the last bit, by whole rows: several times as fast."""
    y = np.empty_like(x)
    rows, results = np.moveaxis(x, dim, 0), np.moveaxis(y, dim, 0)
    total = None
    with np.errstate(over="ignore"):
        for row, result in zip(rows, results, strict=True):
            if total is None:
                total = row.astype(wide)
            else:
                ufunc(total, row, out=total)
            result[...] = total
    return y


def check_dtypes(op: Any, x: Any) -> None:
    """Refuse booleans; accept all dtypes where there is nothing to add or multiply."""
    op.takes_float8 = not (x._data.ndim and x._data.size)  # it is then a copy
    if op.dtype == np.bool_ and not op.takes_float8:
        raise NotImplementedError(f"\"{op.public}_out_cpu\" not implemented for 'Bool'")


class Cumsum(Op):
    """Cumulative sum.

    Math: y[i] = Σ_(j≤i) x[j]      ∂L/∂x[j] = Σ_(i≥j) g[i]
    Shape: (*) -> (*)
    """

    attributes = ("dim", "dtype")
    onnx = "CumSum"
    saves = ()
    float8_kernel = "cumsum_out_cpu"
    complex32_kernel = "cumsum_out_cpu"

    def __init__(self, dim: int, dtype: Any = None) -> None:
        self.dim, self.dtype = dim, dtype

    def check(self, x: Any) -> None:
        check_dtypes(self, x)

    def forward(self, x: Any) -> Any:
        return accumulate_array(np.add, x, self.dim, self.dtype)

    def backward(self, g: Any) -> Any:
        return cumsum_from_end(g, self.dim)


class CumsumFromEnd(Op):
    """Cumulative sum from the end.

    Math: y[i] = Σ_(j≥i) x[j]      ∂L/∂x[j] = Σ_(i≤j) g[i]
    """

    attributes = ("dim",)
    saves = ()

    def __init__(self, dim: int) -> None:
        self.dim = dim

    def forward(self, x: Any) -> Any:
        if x.ndim == 0:
            return x.copy()
        y = accumulate_array(np.add, np.flip(x, self.dim), self.dim)
        return array_module(x).ascontiguousarray(np.flip(y, self.dim))

    def backward(self, g: Any) -> Any:
        return cumsum(g, self.dim)


def cumsum_from_end(x: Any, dim: int) -> Any:
    """Cumulative sum from the end, for formulas."""
    return apply1(CumsumFromEnd(dim), x)


def _extreme_dim(function: str, input: Any, dim: Any, axis: Any) -> int:
    """Like `dim_or_axis`, with the messages of reductions."""
    try:
        return dim_or_axis(function, input, dim, axis)
    except IndexError:
        if input.ndim:
            raise
    raise IndexError(
        f"{function}(): Expected reduction dim -1 or 0 for scalar but got {dim}"
    )


def _need_same_dtype(name: str) -> Any:
    """The check of an in-place variant: the results must have the tensor's dtype."""

    def check(
        self: Tensor, dim: Any = None, *, dtype: Any = None, axis: Any = None
    ) -> None:
        dim_or_axis(name, self, dim, axis)
        wanted = dtypes.of_numpy[numpy_dtype(dtype, None, name)] if dtype else None
        if wanted not in (None, self.dtype):
            raise RuntimeError(
                f"Bad in-place call: input tensor dtype {self.dtype.c_name} and output "
                f"tensor dtype {wanted.c_name} should match"
            )
        if self.dtype is dtypes.bool_ and self.ndim and self.numel():
            raise NotImplementedError(f"\"{name}_out_cpu\" not implemented for 'Bool'")

    return check


def _refuse_bools(name: str, input: Tensor, out: Any, wanted: Any) -> None:
    """Refuse what comes before an `out` of truth values, which has no kernel."""
    if wanted != np.bool_ or not isinstance(out, Tensor):
        return
    if _m.modes.grad and (out.requires_grad or input.requires_grad):
        raise gradient_error(name)
    if out.is_meta and not input.is_meta and input.ndim:
        words = device_message(name, meta=True)
        raise RuntimeError(words.format(out=out.device, result=input.device))


@public("cumsum", inplace="cumsum_", before=_need_same_dtype("cumsum"))
def cumsum(
    input: Tensor, dim: Any = None, *, dtype: dtypes.dtype | None = None,
    out: Tensor | None = None, axis: Any = None,
) -> Tensor:  # fmt: skip
    """Cumulative sum along a dimension; integers are summed as int64.

    Math: y[i] = Σ_(j≤i) x[j]      ∂L/∂x[j] = Σ_(i≥j) g[i]
    Shape: (*) -> (*)

    Raises:
        TypeError: if no dimension is given.

    Example:
        >>> import edutorch as torch
        >>> torch.cumsum(torch.tensor([1, 2, 3]), dim=0)
        tensor([1, 3, 6])
    """
    if _m.special_modes and cumsum in _m.modes.autocast:
        return _m.autocast(cumsum, input, dim, dtype=dtype, out=out, axis=axis)
    along = dim_or_axis("cumsum", input, dim, axis)
    input, wanted = operand_and_dtype(input, dtype, out, "cumsum")
    _refuse_bools("cumsum", input, out, wanted)
    result = apply1(Cumsum(along, wanted), input)
    if dtype is not None and out is None:
        refuse_integer_gradients(result, input)
    return result if out is None else copyto(out, result, "cumsum", (input,))


def _square_shape(x: Any, dim: int) -> tuple[int, ...]:
    """The shape of a mask of pairs along `dim`, with a new dimension after it."""
    return (x.shape[dim], x.shape[dim], *(1,) * (x.ndim - 1 - dim))


class Cumprod(Op):
    """Cumulative product.

    Math: y[i] = Π_(j≤i) x[j]      ∂L/∂x[j] = Σ_(i≥j) g[i] · Π_(k≤i, k≠j) x[k]
    Shape: (*) -> (*)
    """

    attributes = ("dim", "dtype")
    saves_output = True
    float8_kernel = "cumprod_out_cpu"
    complex32_kernel = "cumprod_out_cpu"

    def __init__(self, dim: int, dtype: Any = None) -> None:
        self.dim, self.dtype = dim, dtype

    def check(self, x: Any) -> None:
        check_dtypes(self, x)

    def forward(self, x: Any) -> Any:
        return accumulate_array(np.multiply, x, self.dim, self.dtype)

    def backward(self, g: Any) -> Any:
        x, y, dim = self.inputs[0], self.output, self.dim
        if x.ndim == 0 or x.shape[dim] <= 1 or 0 in x.shape:  # no other factors
            return g
        if not bool((getattr(x, "_data", x) == 0).any()):
            return cumsum_from_end(g * conj(y), dim) / conj(x)
        return self.gradient_with_zeros(g, x)

    def gradient_with_zeros(self, g: Any, x: Any) -> Any:
        """The gradient where y / x would be 0 / 0: products with x[j] omitted.

        In row j of a square, 1 replaces x[j]; its running products from j
        on are what each y[i] is, divided by x[j].
        """
        dim, n = self.dim, x.shape[self.dim]
        xp, square = array_module(getattr(x, "_data", x)), _square_shape(x, dim)
        own = xp.eye(n, dtype=bool).reshape(square)
        late = xp.tri(n, dtype=bool).T.reshape(square)
        rows = where(own, 1, unsqueeze(x, dim))  # (.., j, i, ..)
        products = where(late, cumprod(rows, dim + 1), 0)
        return sum(conj(products) * unsqueeze(g, dim), dim + 1)  # (.., j, ..)


@public("cumprod", inplace="cumprod_", before=_need_same_dtype("cumprod"))
def cumprod(
    input: Tensor, dim: Any = None, *, dtype: dtypes.dtype | None = None,
    out: Tensor | None = None, axis: Any = None,
) -> Tensor:  # fmt: skip
    """Cumulative product along a dimension; integers are multiplied as int64.

    Math: y[i] = Π_(j≤i) x[j]      ∂L/∂x[j] = Σ_(i≥j) g[i] · Π_(k≤i, k≠j) x[k]
    Shape: (*) -> (*)

    Raises:
        TypeError: if no dimension is given.

    Example:
        >>> import edutorch as torch
        >>> torch.cumprod(torch.tensor([1, 2, 3]), dim=0)
        tensor([1, 2, 6])
    """
    if _m.special_modes and cumprod in _m.modes.autocast:
        return _m.autocast(cumprod, input, dim, dtype=dtype, out=out, axis=axis)
    along = dim_or_axis("cumprod", input, dim, axis)
    input, wanted = operand_and_dtype(input, dtype, out, "cumprod")
    _refuse_bools("cumprod", input, out, wanted)
    result = apply1(Cumprod(along, wanted), input)
    if dtype is not None and out is None:
        refuse_integer_gradients(result, input)
    return result if out is None else copyto(out, result, "cumprod", (input,))


class Cummax(Op):
    """Cumulative maximum and its last index.

    Math: y[i] = max_(j≤i) x[j]      ∂L/∂x = g added where the maxima are
    Shape: (*) -> two of (*)
    """

    attributes = ("dim",)
    multiple_outputs = True
    saves = ()
    saves_extra = True

    def __init__(self, dim: int) -> None:
        self.dim = dim

    def check(self, x: Any) -> None:
        if x._data.ndim and x._data.size:
            refuse_complex(x._data, f"{self.public}_cpu")

    def forward(self, x: Any) -> Any:
        self.shape = x.shape
        if x.ndim == 0:
            self.saved = np.zeros((), np.int64)
            return x.copy(), self.saved
        x = array_module(x).ascontiguousarray(x)
        y = self.accumulate(x)
        reached = (x == y) | (x != x)
        places = np.arange(x.shape[self.dim])
        places = places.reshape([-1 if d == self.dim else 1 for d in range(x.ndim)])
        self.saved = np.maximum.accumulate(np.where(reached, places, 0), self.dim)
        return pick_array(x, self.saved, self.dim), self.saved

    def accumulate(self, x: Any) -> Any:
        """The cumulative maximum or minimum of an array."""
        return np.maximum.accumulate(x, self.dim)

    def backward(self, g: Any, _g_index: Any) -> Any:
        return place(g, self.saved, self.dim, self.shape)


class Cummin(Cummax):
    """Cumulative minimum and its last index.

    Math: y[i] = min_(j≤i) x[j]      ∂L/∂x = g added where the minima are
    Shape: (*) -> two of (*)
    """

    def accumulate(self, x: Any) -> Any:
        return np.minimum.accumulate(x, self.dim)


@public("cummax")
def cummax(input: Tensor, dim: Any = None, *, out: Any = None, axis: Any = None) -> Any:
    """Cumulative maximum along a dimension, and its last index.

    Math: y[i] = max_(j≤i) x[j]      ∂L/∂x = g added where the maxima are
    Shape: (*) -> two of (*)

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.cummax(torch.tensor([1, 3, 2]), dim=0)
        torch.return_types.cummax(
        values=tensor([1, 3, 3]),
        indices=tensor([0, 1, 1]))
    """
    along = _extreme_dim("cummax", input, dim, axis)
    result = cummax_type(*apply(Cummax(along), input))
    return result if out is None else copyto(out, result, "cummax", (input,))


@public("cummin")
def cummin(input: Tensor, dim: Any = None, *, out: Any = None, axis: Any = None) -> Any:
    """Cumulative minimum along a dimension, and its last index.

    Math: y[i] = min_(j≤i) x[j]      ∂L/∂x = g added where the minima are
    Shape: (*) -> two of (*)

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.cummin(torch.tensor([3, 1, 2]), dim=0)
        torch.return_types.cummin(
        values=tensor([3, 1, 1]),
        indices=tensor([0, 1, 1]))
    """
    along = _extreme_dim("cummin", input, dim, axis)
    result = cummin_type(*apply(Cummin(along), input))
    return result if out is None else copyto(out, result, "cummin", (input,))


def complex_logcumsumexp(x: Any, dim: int) -> Any:
    """`logcumsumexp` of an array of complex numbers."""
    y = array_module(x).array(x, order="C")
    rows = np.moveaxis(y, dim, 0)
    for i in range(1, len(rows)):
        rows[i] = complex_logaddexp(rows[i - 1], rows[i])
    return y


class Logcumsumexp(Op):
    """Logarithm of the cumulative sum of exponentials.

    Math: y[i] = ln Σ_(j≤i) e^x[j]      ∂L/∂x[j] = Σ_(i≥j) g[i] · conj(e^(x[j] - y[i]))
    Shape: (*) -> (*)
    """

    attributes = ("dim",)
    saves_output = True
    complex32_kernel = "logcumsumexp_out_cpu"

    def __init__(self, dim: int) -> None:
        self.dim = dim

    def check(self, x: Any) -> None:
        refuse_integral("logcumsumexp_out_cpu", x)

    def forward(self, x: Any) -> Any:
        if x.dtype.kind in "cW" and x.ndim:
            return complex_logcumsumexp(x, self.dim)
        return accumulate_array(np.logaddexp, x, self.dim)

    def backward(self, g: Any) -> Any:
        x, y, dim = self.inputs[0], self.output, self.dim
        if x.ndim == 0:
            return g
        late = array_module(getattr(x, "_data", x)).tri(x.shape[dim], dtype=bool).T
        late = late.reshape(_square_shape(x, dim))
        gap = unsqueeze(x, dim + 1) - unsqueeze(y, dim)  # (.., j, i, ..)
        gap = where(late, gap, float("-inf"))
        return sum(unsqueeze(g, dim) * conj(exp(gap)), dim + 1)  # (.., j, ..)


@public("logcumsumexp")
def logcumsumexp(
    input: Tensor, dim: Any = None, *, out: Tensor | None = None, axis: Any = None
) -> Tensor:
    """Logarithm of the cumulative sum of exponentials along a dimension.

    Math: y[i] = ln Σ_(j≤i) e^x[j]      ∂L/∂x[j] = Σ_(i≥j) g[i] · e^(x[j] - y[i])
    Shape: (*) -> (*)

    Raises:
        NotImplementedError: for integers.

    Example:
        >>> import edutorch as torch
        >>> torch.logcumsumexp(torch.tensor([0.0, 0.0, 0.0]), dim=0)
        tensor([0.0000, 0.6931, 1.0986])
    """
    along = dim_or_axis("logcumsumexp", input, dim, axis)
    result = apply1(Logcumsumexp(along), input)
    return result if out is None else copyto(out, result, "logcumsumexp", (input,))
