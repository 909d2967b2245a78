"""Extremes: max, min, amax, amin, aminmax."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import dtypes
from ...autograd.dispatch import Op, apply, apply1
from ...backends import reduce_with
from ...kernels.memory_format import row_major
from ...kernels.sorting import equal_or_nan
from ...tensor.tensor import Tensor, wrap
from ..argument_checks import refuse_numbers, tensor_of, type_error
from ..argument_errors import check_call, check_integer
from ..dims import ABSENT, axis_for, dim_alone, dim_of, dims_of, keepdim_shape, ndim_of
from ..pointwise.minmax import maximum, minimum
from ..registration import copyto, public
from ..return_types import return_type
from ..shape.views import reshape
from .selection import Chosen, refuse_empty
from .sums import sum

__all__ = ["amax", "amin", "aminmax", "max", "min"]

# NumPy's types want a literal `keepdims`.
MAXIMUM: Any = np.maximum
MINIMUM: Any = np.minimum

max_type = return_type("max", "values", "indices")
min_type = return_type("min", "values", "indices")
aminmax_type = return_type("aminmax", "min", "max")


def refuse_complex(x: Any, name: str) -> None:
    """Raise for complex numbers, which have no order."""
    if x.dtype.kind in "cW":
        short = dtypes.of_numpy[x.dtype].short
        raise NotImplementedError(f"\"{name}\" not implemented for '{short}'")


def _kernel_name(public: str, over_all: bool) -> str:
    """PyTorch's name of the kernel behind a function."""
    if public in ("max", "min"):
        return f"{public}_{'all' if over_all else 'cpu'}"
    return f"{public[1:]}_values_cpu"


class Amax(Op):
    """The maximum over dimensions.

    Math: y = max x      ∂L/∂x = g shared equally by the elements that equal y
    Shape: (*) -> (* without dim)
    """

    attributes = ("dim", "keepdim")
    onnx = "ReduceMax"
    saves_output = True
    float8_kernel = "max_values_cpu"

    def __init__(self, dim: tuple[int, ...] | None, keepdim: bool) -> None:
        self.dim, self.keepdim = dim, keepdim

    def check(self, x: Any) -> None:
        if self.dim is None:
            refuse_empty(x._data, None, self.public)
        if x._data.size or self.dim is None:
            refuse_complex(x._data, _kernel_name(self.public, self.dim is None))

    def forward(self, x: Any) -> Any:
        return row_major(reduce_with(np.maximum, x, self.dim, self.keepdim))

    def backward(self, g: Any) -> Any:
        x, y = self.inputs[0], self.output
        shape = keepdim_shape(tuple(x.shape), self.dim)
        hit = self.selected_mask(x, reshape(y, shape))
        return _shared(hit, reshape(g, shape), self.dim)

    def selected_mask(self, x: Any, y: Any) -> Any:
        """A mask of the elements that share the gradient."""
        return x == y


def _shared(hit: Any, g: Any, dim: tuple[int, ...] | None) -> Any:
    """A gradient shared equally by the elements that are hit.

    Where nothing is equal, as nan to itself, this is nan: 0 / 0.
    """
    return hit * (g / sum(hit, dim, keepdim=True))


class Amin(Amax):
    """The minimum over dimensions.

    Math: y = min x      ∂L/∂x = g shared equally by the elements that equal y
    Shape: (*) -> (* without dim)
    """

    onnx = "ReduceMin"
    float8_kernel = "min_values_cpu"

    def forward(self, x: Any) -> Any:
        return row_major(reduce_with(np.minimum, x, self.dim, self.keepdim))


@public("amax")
def amax(
    input: Tensor, dim: Any = (), keepdim: bool = False, *, out: Tensor | None = None,
    axis: Any = None, keepdims: Any = ABSENT,
) -> Tensor:  # fmt: skip
    """The maximum over dimensions; equal elements share the gradient.

    Math: y = max x      ∂L/∂x = g shared equally by the elements that equal y
    Shape: (*) -> (* without dim), or with size 1 there (`keepdim`)

    Raises:
        RuntimeError: for an empty tensor without `dim`.

    Example:
        >>> import edutorch as torch
        >>> torch.amax(torch.tensor([[1, 5], [3, 2]]), dim=1)
        tensor([5, 3])
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis, ())
    if keepdims is not ABSENT:
        keepdim = keepdims
    if keepdim is not False and keepdim is not True:
        raise type_error("bool", "keepdim", keepdim, "amax")
    ndim = ndim_of(input, "amax")
    if not input._data.size:
        refuse_empty(input._data, dim, "amax")
    result = apply1(Amax(dims_of(dim, ndim, "amax"), keepdim), input)
    return result if out is None else copyto(out, result, "amax", (input,))


@public("amin")
def amin(
    input: Tensor, dim: Any = (), keepdim: bool = False, *, out: Tensor | None = None,
    axis: Any = None, keepdims: Any = ABSENT,
) -> Tensor:  # fmt: skip
    """The minimum over dimensions; equal elements share the gradient.

    Math: y = min x      ∂L/∂x = g shared equally by the elements that equal y
    Shape: (*) -> (* without dim), or with size 1 there (`keepdim`)

    Raises:
        RuntimeError: for an empty tensor without `dim`.

    Example:
        >>> import edutorch as torch
        >>> torch.amin(torch.tensor([[1, 5], [3, 2]]), dim=1)
        tensor([1, 2])
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis, ())
    if keepdims is not ABSENT:
        keepdim = keepdims
    if keepdim is not False and keepdim is not True:
        raise type_error("bool", "keepdim", keepdim, "amin")
    ndim = ndim_of(input, "amin")
    if not input._data.size:
        refuse_empty(input._data, dim, "amin")
    result = apply1(Amin(dims_of(dim, ndim, "amin"), keepdim), input)
    return result if out is None else copyto(out, result, "amin", (input,))


class MaxAll(Amax):
    """The maximum of all elements.

    Math: y = max x      ∂L/∂x = g shared equally by the elements that equal y
    Shape: (*) -> ()
    """

    public = "max"
    torch_name = "Max"
    overload = 1
    float8_kernel = "max_all"

    def selected_mask(self, x: Any, y: Any) -> Any:
        return equal_or_nan(x, y)


class MinAll(Amin):
    """The minimum of all elements.

    Math: y = min x      ∂L/∂x = g shared equally by the elements that equal y
    Shape: (*) -> ()
    """

    public = "min"
    torch_name = "Min"
    overload = 1
    float8_kernel = "min_all"

    def selected_mask(self, x: Any, y: Any) -> Any:
        return equal_or_nan(x, y)


class MaxDim(Chosen):
    """The maximum along a dimension, and its first index.

    Math: y = x[i] with i = argmax x      ∂L/∂x = g at i, else 0
    Shape: (*) -> two of (* without dim)
    """

    public = "max"
    torch_name = "Max"
    float8_kernel = "max_all"

    def check(self, x: Any) -> None:
        refuse_empty(x._data, (self.dim,), self.public)
        if x._data.dtype.kind in "cW":
            raise RuntimeError(f"{self.public}(): does not support complex input")

    def find(self, x: Any) -> Any:
        return np.argmax(x, axis=self.dim, keepdims=True)


class MinDim(MaxDim):
    """The minimum along a dimension, and its first index.

    Math: y = x[i] with i = argmin x      ∂L/∂x = g at i, else 0
    Shape: (*) -> two of (* without dim)
    """

    public = "min"
    torch_name = "Min"
    float8_kernel = "min_all"

    def find(self, x: Any) -> Any:
        return np.argmin(x, axis=self.dim, keepdims=True)


def _dim_and_other(
    positional: Any, dim: Any, keepdim: Any, other: Any, out: Any
) -> tuple[Any, Any]:
    """The arguments `dim` and `other` of `max` and `min`; one of them is absent.

    A tensor in second place is an operand, unless `keepdim` or two outputs show that
    it is a dimension. Passed as `dim`, a 0-d tensor of integers is one.
    """
    if positional is not ABSENT:
        check_call(dim is ABSENT and other is ABSENT)
        two_outputs = isinstance(out, (tuple, list))
        if isinstance(positional, Tensor) and keepdim is ABSENT and not two_outputs:
            return ABSENT, positional
        dim = positional
    check_integer(dim)
    if other is not ABSENT:
        check_call(dim is ABSENT and keepdim is ABSENT)
    return dim, other


@public("max")
def max(
    input: Tensor, dim_or_other: Any = ABSENT, keepdim: Any = ABSENT, *,
    dim: Any = ABSENT, other: Any = ABSENT, out: Any = None, axis: Any = None,
    keepdims: Any = ABSENT,
) -> Any:  # fmt: skip
    """The maximum of all elements, or along `dim` with its index, or of two tensors.

    Math: y = max x      ∂L/∂x = g at the largest; of all: shared equally by equal ones
    Shape: (*) -> (), or two of (* without dim)

    Raises:
        RuntimeError: for an empty tensor without `dim`.
        IndexError: if `dim` does not exist or has size 0.

    Example:
        >>> import edutorch as torch
        >>> torch.max(torch.tensor([[1, 5], [3, 2]]), dim=1)
        torch.return_types.max(
        values=tensor([5, 3]),
        indices=tensor([1, 0]))
    """
    if keepdims is not ABSENT:
        keepdim = keepdims
    named = dim if axis is None else axis  # see Note [NumPy's names]
    chosen, second = named, other
    if type(dim_or_other) is int and named is other is ABSENT:
        chosen = dim_or_other
    elif not dim_or_other is other is ABSENT or isinstance(named, Tensor):
        chosen, second = _dim_and_other(dim_or_other, named, keepdim, other, out)
    if second is not ABSENT:
        refuse_numbers("max", input=input)
        return maximum(input, second, out=out)
    along, keep = dim_alone(chosen, keepdim, "max")
    if along is None:
        result = apply1(MaxAll(None, False), input)
    else:
        refuse_numbers("max", input=input)
        result = max_type(
            *apply(
                MaxDim(dim_of(along, ndim_of(input, "max"), "max"), keep),
                input,
            )
        )
    if out is None:
        return result
    variant = "all" if along is None else ""
    return copyto(out, result, "max", (input, other), variant=variant)


@public("min")
def min(
    input: Tensor, dim_or_other: Any = ABSENT, keepdim: Any = ABSENT, *,
    dim: Any = ABSENT, other: Any = ABSENT, out: Any = None, axis: Any = None,
    keepdims: Any = ABSENT,
) -> Any:  # fmt: skip
    """The minimum of all elements, or along `dim` with its index, or of two tensors.

    Math: y = min x      ∂L/∂x = g at the smallest; of all: shared equally by equal ones
    Shape: (*) -> (), or two of (* without dim)

    Raises:
        RuntimeError: for an empty tensor without `dim`.
        IndexError: if `dim` does not exist or has size 0.

    Example:
        >>> import edutorch as torch
        >>> torch.min(torch.tensor([3, 1, 2]))
        tensor(1)
    """
    if keepdims is not ABSENT:
        keepdim = keepdims
    named = dim if axis is None else axis  # see Note [NumPy's names]
    chosen, second = named, other
    if type(dim_or_other) is int and named is other is ABSENT:
        chosen = dim_or_other
    elif not dim_or_other is other is ABSENT or isinstance(named, Tensor):
        chosen, second = _dim_and_other(dim_or_other, named, keepdim, other, out)
    if second is not ABSENT:
        refuse_numbers("min", input=input)
        return minimum(input, second, out=out)
    along, keep = dim_alone(chosen, keepdim, "min")
    if along is None:
        result = apply1(MinAll(None, False), input)
    else:
        refuse_numbers("min", input=input)
        result = min_type(
            *apply(
                MinDim(dim_of(along, ndim_of(input, "min"), "min"), keep),
                input,
            )
        )
    if out is None:
        return result
    variant = "all" if along is None else ""
    return copyto(out, result, "min", (input, other), variant=variant)


class Aminmax(Op):
    """The minimum and the maximum over dimensions.

    Math: y₁ = min x      y₂ = max x
          ∂L/∂x = g₁ shared equally by the elements that equal y₁, and g₂ by those of y₂
    Shape: (*) -> two of (* without dim)
    """

    attributes = ("dim", "keepdim")
    multiple_outputs = True
    saves_extra = True
    saves_results = (0, 1)
    float8_kernel = "aminmax_cpu"

    def __init__(self, dim: tuple[int, ...] | None, keepdim: bool) -> None:
        self.dim, self.keepdim = dim, keepdim

    def forward(self, x: Any) -> Any:
        self.saved = tuple(
            row_major(reduce_with(ufunc, x, self.dim, self.keepdim))
            for ufunc in (np.minimum, np.maximum)
        )
        return self.saved

    def backward(self, *gradients: Any) -> Any:
        x, (least, most) = self.inputs[0], self.saved
        if isinstance(x, Tensor):
            least, most = (wrap(y, x._device) for y in self.saved)
        shape = keepdim_shape(tuple(x.shape), self.dim)
        low, high = (x == reshape(y, shape) for y in (least, most))
        g_low, g_high = (reshape(g, shape) for g in gradients)
        return _shared(low, g_low, self.dim) + _shared(high, g_high, self.dim)


@public("aminmax")
def aminmax(
    input: Tensor, *, dim: int | None = None, keepdim: bool = False, out: Any = None,
    axis: Any = None, keepdims: Any = ABSENT,
) -> Any:  # fmt: skip
    """The minimum and the maximum, of all elements or along `dim`.

    Math: y = (min x, max x)
          ∂L/∂x = both gradients, each shared equally by the elements that attain it
    Shape: (*) -> two of (), or of (* without dim)

    Raises:
        RuntimeError: for an empty dimension.

    Example:
        >>> import edutorch as torch
        >>> torch.aminmax(torch.tensor([3, 1, 2]))
        torch.return_types.aminmax(
        min=tensor(1),
        max=tensor(3))
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis)
    if keepdims is not ABSENT:
        keepdim = keepdims
    if keepdim is not False and keepdim is not True:
        raise type_error("bool", "keepdim", keepdim, "aminmax")
    ndim = tensor_of(input, "aminmax").ndim
    along = None if dim is None else (dim_of(dim, ndim, "aminmax"),)
    if along is None and not input._data.size:
        raise RuntimeError(
            "aminmax(): cannot compute aminmax over an empty dimension as the "
            "operation has no identity."
        )
    if along is not None:
        refuse_empty(input._data, along, "aminmax")
    if along is not None and not ndim and input._data.dtype.kind in "cW":
        raise RuntimeError(f"aminmax not implemented for {input.dtype.short}")
    refuse_complex(input._data, "aminmax_cpu")
    result = aminmax_type(*apply(Aminmax(along if ndim else None, keepdim), input))
    if out is None:
        return result
    return copyto(out, result, "aminmax", (input,))
