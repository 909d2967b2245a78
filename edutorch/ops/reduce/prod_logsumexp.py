"""Products, and log-sum-exp."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import dtypes
from ...autograd import modes as _m
from ...autograd.batched_tensor import active_vmaps
from ...autograd.dispatch import Op, apply1
from ...autograd.half_precision import half_rounding, is_half, no_rounding
from ...backends import array_module, reduce_with
from ...kernels.memory_format import row_major
from ...kernels.sliding_windows import accumulator
from ...tensor.tensor import Tensor
from ..argument_checks import type_error
from ..argument_errors import argument_error
from ..convert.copy_fill import refuse_integer_gradients
from ..dims import ABSENT, axis_for, dim_alone, dim_of, dims_of, keepdim_shape, ndim_of
from ..pointwise.conjugate import conj
from ..pointwise.exponential import exp
from ..pointwise.ternary import where
from ..promotion import as_floating, operand_and_dtype
from ..registration import copyto, public
from ..shape.views import expand, reshape
from .sums import sum

__all__ = ["logsumexp", "prod"]

# NumPy's types want a literal `keepdims`.
ADD: Any = np.add
MULTIPLY: Any = np.multiply
LANES = 64  # products of neighbours that PyTorch computes at once in 16 bits
MAXIMUM: Any = np.maximum


class Prod(Op):
    """Product of all elements, or along a dimension.

    Math: y = Π x      ∂L/∂x = g · (product of the others), which is y / x without zeros
    Shape: (*) -> (), or (* without dim)
    """

    attributes = ("dim", "keepdim", "dtype")
    onnx = "ReduceProd"
    saves_output = True
    rounded: Any = None
    in_lanes = True  # if the factors are neighbours in memory
    in_batch = False  # whether `vmap` runs it
    float8_kernel = "prod_out_cpu"
    complex32_kernel = "prod_out_cpu"

    def __init__(self, dim: int | None, keepdim: bool, dtype: Any) -> None:
        self.dim, self.keepdim, self.dtype = dim, keepdim, dtype

    def check(self, x: Any) -> None:
        """Refuse nothing; 16-bit products are rounded at every factor."""
        if self.dtype is None and x._data.dtype.itemsize == 2:
            self.rounded = half_rounding(x)
            self.in_lanes = _are_neighbours(x._data, self.dim)
        elif self.dtype is not None:
            self.rounded = half_rounding(np.empty(0, self.dtype))

    def forward(self, x: Any) -> Any:
        if self.rounded and x.size:
            if self.dtype is None:
                return self._product_in_steps(x)
            x = self.rounded(x.real)
            return self._product_in_steps(x).astype(self.dtype)
        dtype = self.dtype
        if dtype is None and x.dtype.kind in "iub":
            dtype = np.int64
        dim = self.dim if x.ndim else None
        wide = None if dtype is None else accumulator(dtype)
        y = MULTIPLY.reduce(x, dim, wide, None, self.keepdim)
        return row_major(y if dtype is None else y.astype(dtype, copy=False))

    def _product_in_steps(self, x: Any) -> Any:
        """A product rounded after every factor, in PyTorch's order.

        Factors that lie next to each other in memory are multiplied in lanes: four
        vectors of a processor, whose products are multiplied at the end.
        """
        xp, shape, rounded = array_module(x), x.shape, self.rounded
        dim: Any = self.dim if x.ndim else None
        whole = dim is None
        rows = x.ravel(order="K")[None] if whole else np.moveaxis(x, dim, -1)
        n = rows.shape[-1]
        lanes = self.in_lanes and _are_neighbours(rows, -1)
        done = n - n % LANES if lanes else 0
        if done:
            four = rows[..., :done].reshape(*rows.shape[:-1], -1, 4, LANES // 4)
            four = _product_in_order(rounded, np.moveaxis(four, -3, -1))  # (.., 4, 16)
            two = rounded(four[..., ::2, :] * four[..., 1::2, :])
            one = rounded(two[..., 0, :] * two[..., 1, :])
            first = _product_in_order(rounded, one)[..., None]
            rows = xp.concatenate([first, rows[..., done:]], -1)
        y = row_major(_product_in_order(rounded, rows))
        if whole:
            return y.reshape((1,) * len(shape) if self.keepdim else ())
        return xp.expand_dims(y, dim) if self.keepdim else y

    def backward(self, g: Any) -> Any:
        x, y = self.inputs[0], self.output
        if self.dtype is not None and self.dtype.kind not in "cW":
            x = x.real  # what was multiplied
        if not x.ndim:  # a factor without others
            return reshape(g, ())
        if self.rounded and not isinstance(g, Tensor):
            x = self.rounded(x)
        dim = None if self.dim is None else (self.dim,)
        reduced_shape = keepdim_shape(tuple(x.shape), dim)
        # Inside `vmap` PyTorch divides by no factor: this has another memory order.
        if self.in_batch and self.dim is not None and active_vmaps.sizes:
            others = others_product(x, self.dim)
            return expand(reshape(g, reduced_shape), tuple(x.shape)) * conj(others)
        if bool((getattr(x, "_data", x) == 0).any()):
            if self.dim is None:
                others = reshape(others_product(reshape(x, (-1,)), 0), tuple(x.shape))
            else:
                others = others_product(x, self.dim)
            return expand(reshape(g, reduced_shape), tuple(x.shape)) * conj(others)
        others = reshape(y, reduced_shape) / x
        if self.rounded and not isinstance(g, Tensor):
            others = self.rounded(others)
        return reshape(g, reduced_shape) * conj(others)


def _are_neighbours(x: Any, dim: int | None) -> bool:
    """Whether factors lie next to each other in memory."""
    if dim is None or not x.ndim:
        return bool(x.flags.c_contiguous or x.flags.f_contiguous)
    return bool(x.strides[dim] == x.itemsize)


def _product_in_order(rounded: Any, x: Any) -> Any:
    """The product along the last dimension, from the first factor on."""
    y = x[..., 0]
    for k in range(1, x.shape[-1]):
        y = rounded(y * x[..., k])
    return y


class OthersProduct(Op):
    """For each element along a dimension, the product of all others.

    Math: y[i] = Π_(j≠i) x[j]      ∂L/∂x[k] = Σ_(i≠k) g[i] · Π_(j≠i,k) x[j]
    """

    attributes = ("dim",)

    def __init__(self, dim: int) -> None:
        self.dim = dim

    def forward(self, x: Any) -> Any:
        x = np.moveaxis(x, self.dim, -1)
        y = np.ones_like(x)
        np.cumprod(x[..., :-1], -1, out=y[..., 1:])  # of those before
        after = np.ones_like(x)
        after[..., :-1] = np.cumprod(x[..., :0:-1], -1)[..., ::-1]
        return row_major(np.moveaxis(y * after, -1, self.dim))

    def backward(self, g: Any) -> Any:
        # Row i holds what y[i] is the product of: x, with 1 in place of x[i].
        x = self.inputs[0]
        last = x.ndim - 1
        x, g = (v.swapaxes(self.dim, last) for v in (x, g))
        n = x.shape[last]
        same = array_module(getattr(x, "_data", x)).eye(n, dtype=bool)
        rows = where(same, 1, x[..., None, :])  # (.., n, n)
        derivatives = where(same, 0, conj(others_product(rows, last + 1)))
        gx = sum(g[..., None] * derivatives, last)
        return gx.swapaxes(self.dim, last)


def others_product(x: Any, dim: int) -> Any:
    """For each element, the product of all others along `dim`, for formulas."""
    return apply1(OthersProduct(dim), x)


@public("prod")
def prod(
    input: Tensor,
    dim: Any = ABSENT,
    keepdim: bool = ABSENT,
    *,
    dtype: dtypes.dtype | None = None,
    out: Tensor | None = None,
    axis: Any = None,
    keepdims: Any = ABSENT,
) -> Tensor:
    """Product of all elements, or along one dimension.

    Math: y = Π x      ∂L/∂x = g · (product of the others), which is y / x without zeros
    Shape: (*) -> (), or (* without dim)

    Raises:
        TypeError: for `keepdim` without a dimension.

    Example:
        >>> import edutorch as torch
        >>> torch.prod(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), dim=1)
        tensor([ 2., 12.])
    """
    if _m.special_modes and prod in _m.modes.autocast:
        return _m.autocast(
            prod, input, dim, keepdim, dtype=dtype, out=out, axis=axis,
            keepdims=keepdims,
        )  # fmt: skip
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis)
    if keepdims is not ABSENT:
        keepdim = keepdims
    along, keep = dim_alone(dim, keepdim, "prod")
    if along is not None:
        along = dim_of(along, ndim_of(input, "prod"), "prod")
    input, wanted = operand_and_dtype(input, dtype, out, "prod")
    op = Prod(along, keep, wanted)
    if along is not None:
        op.overload = 1
    result = apply1(op, input)
    if dtype is not None and out is None:
        refuse_integer_gradients(result, input)
    return result if out is None else copyto(out, result, "prod", (input,))


class Logsumexp(Op):
    """Logarithm of the sum of exponentials over dimensions.

    Math: y = m + ln Σ e^(x - m) with m = max x      ∂L/∂x = g · e^(x - y)
    Shape: (*) -> (* without dim)
    """

    attributes = ("dim", "keepdim")
    onnx = "ReduceLogSumExp"
    saves_output = True
    rounded: Any = None
    stored: Any = None  # the dtype of `out`, if it is floating
    complex32_kernel = "exp_vml_cpu"

    def __init__(self, dim: tuple[int, ...] | None, keepdim: bool) -> None:
        self.dim, self.keepdim = dim, keepdim

    def check(self, x: Any) -> None:
        """Refuse nothing; 16-bit floats are rounded at every step, as in PyTorch."""
        if x._data.dtype.itemsize == 2:
            self.rounded = half_rounding(x)

    def forward(self, x: Any) -> Any:
        x = as_floating(x)
        if not x.size:
            return np.log(ADD.reduce(x, self.dim, keepdims=self.keepdim))
        size = x.real if x.dtype.kind in "cW" else x
        most = reduce_with(np.maximum, size, self.dim, keepdims=True)
        most = np.where(np.isinf(most), most.dtype.type(0), most)
        r = self.rounded or no_rounding
        terms = r(np.exp(r(x - most)))
        if self.stored is not None:
            return self._in_steps(terms, most)
        total = r(ADD.reduce(terms, self.dim, keepdims=self.keepdim))
        return row_major(r(np.log(total)) + most.reshape(total.shape))

    def _in_steps(self, terms: Any, most: Any) -> Any:
        """The result if PyTorch stores the sum, its logarithm and `y` in `out`."""
        stored = np.empty(0, self.stored)
        r = half_rounding(stored) or no_rounding
        terms = terms.real.astype(np.float32 if is_half(self.stored) else self.stored)
        with np.errstate(all="ignore"):
            total = r(ADD.reduce(terms, self.dim, keepdims=self.keepdim))
            return row_major(r(r(np.log(total)) + most.reshape(total.shape)))

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        reduced_shape = keepdim_shape(tuple(x.shape), self.dim)
        y = reshape(self.output, reduced_shape)
        if self.rounded and not isinstance(g, Tensor):
            return reshape(g, reduced_shape) * self.rounded(np.exp(self.rounded(x - y)))
        return reshape(g, reduced_shape) * conj(exp(x - y))


@public("logsumexp")
def logsumexp(
    input: Tensor,
    dim: Any = None,
    keepdim: bool = False,
    *,
    out: Tensor | None = None,
    axis: Any = None,
    keepdims: Any = ABSENT,
) -> Tensor:
    """Logarithm of the sum of exponentials over dimensions, without overflow.

    Math: y = ln Σ e^x      ∂L/∂x = g · e^(x - y), which is g · softmax(x)
    Shape: (*) -> (* without dim), or with size 1 there (`keepdim`)

    Raises:
        TypeError: for no `dim`.

    Example:
        >>> import edutorch as torch
        >>> torch.logsumexp(torch.tensor([1000.0, 1000.0]), dim=0)
        tensor(1000.6932)
    """
    if _m.special_modes and logsumexp in _m.modes.autocast:
        return _m.autocast(
            logsumexp, input, dim, keepdim, out=out, axis=axis, keepdims=keepdims
        )
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis)
    if keepdims is not ABSENT:
        keepdim = keepdims
    if keepdim is not False and keepdim is not True:
        raise type_error("bool", "keepdim", keepdim, "logsumexp")
    if dim is None:
        raise argument_error() or TypeError(
            'logsumexp() missing 1 required positional arguments: "dim"'
        )
    op = Logsumexp(dims_of(dim, ndim_of(input, "logsumexp"), "logsumexp"), keepdim)
    if out is None:
        return apply1(op, input)
    floating = isinstance(out, Tensor) and out.is_floating_point()
    if floating and out.dtype is not input.dtype:
        op.stored = out._data.dtype
        if is_half(input._data.dtype):
            op.rounded, input = half_rounding(input), input.to(dtypes.float32)
    return copyto(out, apply1(op, input), "logsumexp", (input,))
