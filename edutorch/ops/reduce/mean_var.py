"""Means, variances and standard deviations."""

from __future__ import annotations

import warnings
from math import prod
from typing import Any

import numpy as np

from ... import dtypes
from ...autograd import modes as _m
from ...autograd.dispatch import Op, apply1
from ...autograd.half_precision import is_half
from ...callers import stack_level
from ...op_events import reported
from ...tensor.tensor import Tensor
from ..argument_checks import number_of, numpy_dtype, type_error
from ..argument_errors import check_call, parser_errors
from ..dims import ABSENT, axis_for, dim_and_keepdim, dims_of, keepdim_shape, ndim_of
from ..number_ranges import checked_number
from ..pointwise.ternary import where
from ..promotion import operand_and_dtype
from ..registration import composite, copyto, public
from ..shape.views import reshape
from .sums import check_nansum_out, expand_gradient, nansum, sum, sum_array

__all__ = ["mean", "nanmean", "std", "var"]

FIRST, ALL = slice(0, 1), slice(None)


def reduced_count(shape: tuple[int, ...], dim: tuple[int, ...] | None) -> int:
    """The number of elements reduced to each result."""
    if dim is None:
        return prod(shape)
    return prod(shape[d] for d in dim) if shape else 1


def first_along(ndim: int, dim: tuple[int, ...] | None) -> tuple[slice, ...]:
    """The index of the first element of each reduction."""
    if dim is None:
        return (FIRST,) * ndim
    return tuple(FIRST if d in dim else ALL for d in range(ndim))


class Mean(Op):
    """Mean over dimensions.

    Math: y = Σ x / n      ∂L/∂x = g / n, repeated
    Shape: (*) -> (* without dim)
    """

    attributes = ("dim", "keepdim", "dtype")
    onnx = "ReduceMean"
    saves = ()
    dim: tuple[int, ...] | None = None
    keepdim: bool = False
    dtype: Any = None
    float8_kernel = "sum_cpu"
    complex32_kernel = "sum_cpu"

    def check(self, x: Any) -> None:
        if self.dtype is None:
            _need_floating(x.dtype, "mean", "Input")

    def forward(self, x: Any) -> Any:
        self.shape = x.shape
        self.n = reduced_count(x.shape, self.dim)
        target = np.dtype(self.dtype or x.dtype)
        if target.itemsize == 2:  # half precision: the sum would overflow
            total = sum_array(x, self.dim, self.keepdim, np.float32)
            return (total / np.float32(self.n)).astype(target)
        total = sum_array(x, self.dim, self.keepdim, self.dtype)
        return total / total.dtype.type(self.n)

    def backward(self, g: Any) -> Any:
        return expand_gradient(g / self.n, self.shape, self.dim, self.keepdim)


def _need_floating(dtype: dtypes.dtype, function: str, whose: str) -> None:
    if dtype.kind < dtypes.FLOATING:
        raise RuntimeError(
            f"{function}(): could not infer output dtype. {whose} dtype must be either "
            f"a floating point or complex dtype. Got: {dtype.short}"
        )


def _need_floating_result(dtype: Any, function: str) -> None:
    kind = dtypes.of_numpy[numpy_dtype(dtype, None, function)]
    _need_floating(kind, function, "Optional")


@public("mean")
def mean(
    input: Tensor,
    dim: Any = ABSENT,
    keepdim: bool = ABSENT,
    *,
    dtype: dtypes.dtype | None = None,
    out: Tensor | None = None,
    axis: Any = None,
    keepdims: Any = ABSENT,
) -> Tensor:
    """Mean of all elements or over the given dimensions.

    Math: y = Σ x / n      ∂L/∂x = g / n, repeated
    Shape: (*) -> (* without dim), or with size 1 there (`keepdim`)

    Raises:
        RuntimeError: for integers, if no `dtype` is given.
        TypeError: for `keepdim` without a dimension.

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([[1.0, 2.0], [3.0, 4.0]]).mean(dim=0)
        tensor([2., 3.])
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis)
    if keepdims is not ABSENT:
        keepdim = keepdims
    op = Mean()
    op.overload = int(dim is not ABSENT)  # PyTorch's other function of this name
    dim, keepdim = dim_and_keepdim(dim, keepdim, "mean")
    if dim is not None:
        try:
            op.dim = dims_of(dim, ndim_of(input, "mean"), "mean")
        except (IndexError, RuntimeError):
            if dtype is None:  # PyTorch looks at dtypes first
                op.check(input)
            else:
                _need_floating_result(dtype, "mean")
            raise
    if keepdim:
        op.keepdim = True
    variant = "all" if dim is None else ""
    if dtype is not None:
        _need_floating_result(dtype, "mean")
        input, op.dtype = operand_and_dtype(input, dtype, None, "mean")
        variant = "dtype"
    elif isinstance(out, Tensor) and isinstance(input, Tensor):
        op.check(input)
        input, op.dtype = _added_in(input, out, everything=dim is None)
    result = apply1(op, input)
    if out is None:
        return result
    return copyto(out, result, "mean", (input,), variant=variant)


def _added_in(x: Tensor, out: Tensor, *, everything: bool) -> tuple[Tensor, Any]:
    """An operand, and the dtype of the sum, which is that of `out`.

    A sum of integers is divided in the default dtype.
    """
    kind = out.dtype
    if kind is x.dtype or (everything and not dtypes.can_cast(x.dtype, kind)):
        return x, None  # which `out` is refused for
    if kind.kind < dtypes.FLOATING:
        kind = dtypes.get_default_dtype()
    if x.is_complex() and not kind.is_complex:
        x = x.to(x.dtype.to_real())  # with a warning
    return operand_and_dtype(x, kind, None, "mean")


@public("nanmean")
@composite
@parser_errors
@reported
def nanmean(
    input: Tensor,
    dim: Any = None,
    keepdim: bool = False,
    *,
    dtype: dtypes.dtype | None = None,
    out: Tensor | None = None,
    axis: Any = None,
    keepdims: Any = ABSENT,
) -> Tensor:
    """Mean of the elements that are not nan.

    Math: y = Σ x / n over the elements that are not nan
          ∂L/∂x = g / n, 0 where x is nan
    Shape: (*) -> (* without dim), or with size 1 there (`keepdim`)

    Raises:
        RuntimeError: for integers.

    Example:
        >>> import edutorch as torch
        >>> torch.nanmean(torch.tensor([1.0, float("nan"), 3.0]))
        tensor(2.)
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis)
    if keepdims is not ABSENT:
        keepdim = keepdims
    if keepdim is not False and keepdim is not True:
        raise type_error("bool", "keepdim", keepdim, "nanmean")
    ndim_of(input, "nanmean")
    if input._data.dtype.kind in "iub":
        raise RuntimeError(
            "nanmean(): expected input to have floating point or complex dtype but got "
            f"{input.dtype.short}"
            if out is None
            else "nanmean(): integral types and 'Bool' are not supported for nanmean, "
            "even for empty tensors."
        )
    if dtype is not None:
        _need_floating_result(dtype, "nanmean")
    if out is not None:
        check_nansum_out(input, out)
    total = nansum(input, dim, keepdim, dtype=dtype)
    result = total / sum(input == input, dim, keepdim)
    return result if out is None else copyto(out, result, "nanmean", (input,))


# Squares beyond the range of single precision are added in double, as PyTorch adds all.
DOUBLE_DTYPE = {"f": np.float64, "F": np.complex128}
SMALL = 1e-15  # results below may come of squares that lost digits, or became zero


class Var(Op):
    """Variance over dimensions.

    Math: y = Σ |x - m|² / (n - c) with m the mean      ∂L/∂x = 2 g · (x - m) / (n - c)
    Shape: (*) -> (* without dim)
    """

    attributes = ("dim", "correction", "keepdim")
    complex32 = "single"

    def __init__(
        self, dim: tuple[int, ...] | None, correction: float, keepdim: bool
    ) -> None:
        self.dim, self.correction, self.keepdim = dim, correction, keepdim

    def check(self, x: Any) -> None:
        _need_fractions(x)
        n = reduced_count(x._data.shape, self.dim)
        if n <= self.correction or not x._data.size:
            warnings.warn(
                f"{self.public}(): degrees of freedom is <= 0. Correction should be "
                "strictly less than the reduction factor (input numel divided by "
                "output numel).",
                UserWarning,
                stacklevel=stack_level(),
            )

    def forward(self, x: Any) -> Any:
        with np.errstate(over="ignore"):
            y = self.compute(x)
        if x.dtype.char in DOUBLE_DTYPE and not ((y > SMALL) & (y < np.inf)).all():
            y = self.compute(x.astype(DOUBLE_DTYPE[x.dtype.char])).astype(y.dtype)
        return y

    def compute(self, x: Any) -> Any:
        """The variance in the precision of `x`; of complex numbers, of both parts."""
        if x.dtype.kind == "c":
            return Var.compute(self, x.real) + Var.compute(self, x.imag)
        n = reduced_count(x.shape, self.dim)
        centred = x - x[first_along(x.ndim, self.dim)]  # 0 where all are equal
        centred -= sum_array(centred, self.dim, True, None) / x.dtype.type(n)
        total = sum_array(centred**2, self.dim, self.keepdim, None)
        return total / total.dtype.type(_degrees_of_freedom(n, self.correction))

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        shape = tuple(x.shape)
        if not self.keepdim:
            g = reshape(g, keepdim_shape(shape, self.dim))
        freedom = reduced_count(shape, self.dim) - self.correction
        whole = self.dim is None or not shape
        if whole and freedom <= 0:  # infinity times 0 or another distance
            return g * where(x == mean(x), float("nan"), float("inf"))
        scale = 2 / freedom if freedom else float("inf")
        return g * scale * (x - mean(x, self.dim, True))


def _degrees_of_freedom(n: int, correction: float) -> float:
    return builtin_max(0, n - correction) if n else 0


builtin_max = max
FRACTIONS = "std and var only support floating point and complex dtypes"


class Std(Var):
    """Standard deviation over dimensions.

    Math: y = √(Σ |x - m|² / (n - c)) with m the mean
          ∂L/∂x = g · (x - m) / (y · (n - c)), 0 where y is 0
    Shape: (*) -> (* without dim)
    """

    saves_output = True
    complex32 = "single"

    def compute(self, x: Any) -> Any:
        """The square root of the variance."""
        return np.sqrt(super().compute(x))

    def backward(self, g: Any) -> Any:
        y = self.output
        return super().backward(where(y == 0, 0, g / (y * 2)))


def parse_arguments(
    function: str,
    dim: Any,
    unbiased: Any,
    correction: Any,
    keepdim: bool,
    input: Tensor,
) -> tuple[tuple[int, ...] | None, float, bool]:
    """Parse the forms of var and std: (unbiased), (dim, unbiased), correction=."""
    if isinstance(correction, Tensor):
        check_call(not correction.ndim)
        correction = number_of(correction, "correction", function, "float")
    if isinstance(correction, complex):
        _need_fractions(input)
        correction = checked_number(correction, dtypes.float64)
    if isinstance(dim, bool):
        check_call(False)
        dim, unbiased = None, dim
    if unbiased is not ABSENT:
        if not isinstance(unbiased, bool):
            raise type_error("bool", "unbiased", unbiased, function)
        check_call(type(correction) is int and correction == 1)  # as by default
        correction = int(unbiased)
    try:
        dims = dims_of(dim, ndim_of(input, function), function)
    except (IndexError, RuntimeError):
        _need_fractions(input)  # what PyTorch looks at first
        raise
    return dims, 1 if correction is None else correction, keepdim


def _need_fractions(x: Any) -> None:
    if x._data.dtype.kind in "iub":
        raise RuntimeError(FRACTIONS) from None


def _apply(op: Var, x: Tensor, out: Tensor | None) -> Tensor:
    """The result, in the precision of `out`.

    Raises:
        RuntimeError: where PyTorch reduces all by a function for 32 or 64 bits.
    """
    if not isinstance(out, Tensor) or out.dtype is x.dtype:
        return apply1(op, x)
    if not x.is_floating_point() or not dtypes.can_cast(x.dtype, out.dtype):
        return apply1(op, x)
    result = apply1(op, x.to(out.dtype) if out.is_floating_point() else x)
    if result._data.size != 1 or not x._data.size or is_half(out._data.dtype):
        return result
    if not is_half(x._data.dtype):  # all are reduced in their own precision
        return apply1(op, x)
    if _m.modes.grad and (x.requires_grad or out.requires_grad):
        return result
    raise RuntimeError(f"std_var_all: Unsupported dtype {x.dtype.short}")


@public("var")
def var(
    input: Tensor,
    dim: Any = None,
    unbiased: Any = ABSENT,
    keepdim: bool = False,
    *,
    correction: float | None = 1,
    out: Tensor | None = None,
    axis: Any = None,
    keepdims: Any = ABSENT,
) -> Tensor:
    """Variance of all elements or over the given dimensions.

    Math: y = Σ |x - m|² / (n - c) with m the mean      ∂L/∂x = 2 g · (x - m) / (n - c)
    Shape: (*) -> (* without dim), or with size 1 there (`keepdim`)

    Args:
        unbiased: the older way to say `correction`: True is 1, False is 0.
        correction: what to subtract from the number of elements.

    Raises:
        RuntimeError: for integers.

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1.0, 2.0, 3.0]).var()
        tensor(1.)
        >>> torch.tensor([1.0, 3.0]).var(correction=0)
        tensor(1.)
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis)
    if keepdims is not ABSENT:
        keepdim = keepdims
    if keepdim is not False and keepdim is not True:
        raise type_error("bool", "keepdim", keepdim, "var")
    op = Var(*parse_arguments("var", dim, unbiased, correction, keepdim, input))
    result = _apply(op, input, out)
    return result if out is None else copyto(out, result, "var", (input,))


@public("std")
def std(
    input: Tensor,
    dim: Any = None,
    unbiased: Any = ABSENT,
    keepdim: bool = False,
    *,
    correction: float | None = 1,
    out: Tensor | None = None,
    axis: Any = None,
    keepdims: Any = ABSENT,
) -> Tensor:
    """Standard deviation of all elements or over the given dimensions.

    Math: y = √(Σ |x - m|² / (n - c)) with m the mean
          ∂L/∂x = g · (x - m) / (y · (n - c)), 0 where y is 0
    Shape: (*) -> (* without dim), or with size 1 there (`keepdim`)

    Args:
        unbiased: the older way to say `correction`: True is 1, False is 0.
        correction: what to subtract from the number of elements.

    Raises:
        RuntimeError: for integers.

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1.0, 2.0, 3.0]).std()
        tensor(1.)
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis)
    if keepdims is not ABSENT:
        keepdim = keepdims
    if keepdim is not False and keepdim is not True:
        raise type_error("bool", "keepdim", keepdim, "std")
    op = Std(*parse_arguments("std", dim, unbiased, correction, keepdim, input))
    result = _apply(op, input, out)
    return result if out is None else copyto(out, result, "std", (input,))
