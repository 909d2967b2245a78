"""Reductions of the elements whose mask is true.

`mask` has the input's shape, or one that can be broadcast to it; without it all
elements count. Where no element of a slice counts, the result is the neutral element,
or not a number. Gradients of elements that do not count are zero.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from .. import dtypes, ops
from ..linalg import vector_norm
from ..tensor.tensor import Tensor
from .mask_arguments import (
    _combine_input_and_mask,
    _input_mask,
    data_and_mask,
    needs_strided,
    reduced_dims,
)

__all__ = [
    "amax", "amin", "argmax", "argmin", "logsumexp", "mean", "median", "norm", "prod",
    "std", "sum", "var",
]  # fmt: skip

DIMS_FIRST = ("sum", "prod", "logsumexp")  # dimensions are looked at before masks
ONE_DIM = ("argmax", "argmin")
STRIDED = ("argmax", "argmin", "logsumexp")  # what refuses sparse tensors

SMALL = (dtypes.uint8, dtypes.bool_, dtypes.int8, dtypes.int16, dtypes.int32)


class Reduction(Protocol):
    """The signature of reductions that take only elements and dimensions."""

    def __call__(
        self,
        input: Tensor,
        dim: Any = None,
        *,
        keepdim: bool | None = False,
        dtype: Any = None,
        mask: Tensor | None = None,
    ) -> Tensor: ...


def _masked(reduce: Callable[[Tensor, Any, bool, Any], Tensor]) -> Reduction:
    """The reduction of the elements whose mask is true, from one without masks.

    `reduce` gets the input with the neutral element where the mask is false.
    """
    name = reduce.__name__

    def masked(
        input: Tensor,
        dim: Any = None,
        *,
        keepdim: bool | None = False,
        dtype: Any = None,
        mask: Tensor | None = None,
    ) -> Tensor:
        if name in DIMS_FIRST:
            reduced_dims(input, dim)  # which may refuse
        x = _combine_input_and_mask(name, input, mask)
        if name in STRIDED:
            needs_strided(name, x)
        dims = dim if name in ONE_DIM else reduced_dims(input, dim)
        return reduce(x, dims, bool(keepdim), dtype)

    masked.__name__ = masked.__qualname__ = name
    masked.__doc__ = reduce.__doc__
    return masked


def _wide(input: Tensor, dtype: Any) -> Any:
    """The dtype to add in: small integers are added as int64."""
    if dtype is not None:
        return dtype
    return dtypes.int64 if input.dtype in SMALL else input.dtype


@_masked
def sum(x: Tensor, dims: Any, keepdim: bool, dtype: Any) -> Tensor:
    """The sum of the elements whose mask is true.

    Math: y = Σ mᵢ xᵢ      ∂L/∂xᵢ = g · mᵢ
    Shape: (*) -> the shape without `dim`

    Raises:
        IndexError: for a dimension that is not there.

    Example:
        >>> import edutorch as torch
        >>> x, mask = torch.tensor([1.0, 2.0, 4.0]), torch.tensor([True, False, True])
        >>> torch.masked.sum(x, 0, mask=mask)
        tensor(5.)
    """
    return ops.sum(x, dims, keepdim, dtype=_wide(x, dtype))


@_masked
def prod(x: Tensor, dims: Any, keepdim: bool, dtype: Any) -> Tensor:
    """The product of the elements whose mask is true.

    Math: y = Π xᵢ where mᵢ      ∂L/∂xᵢ = g · y / xᵢ where mᵢ
    Shape: (*) -> the shape without `dim`

    Raises:
        IndexError: for a dimension that is not there.

    Example:
        >>> import edutorch as torch
        >>> x, mask = torch.tensor([1.0, 2.0, 4.0]), torch.tensor([True, False, True])
        >>> torch.masked.prod(x, 0, mask=mask)
        tensor(4.)
    """
    y = x.to(dtype=_wide(x, dtype))
    for d in reversed(dims):
        y = y.prod(dim=d, keepdim=keepdim)
    return y


@_masked
def amax(x: Tensor, dims: Any, keepdim: bool, dtype: Any) -> Tensor:
    """The largest of the elements whose mask is true.

    Math: y = max xᵢ where mᵢ      ∂L/∂x: g to the largest ones
    Shape: (*) -> the shape without `dim`

    Example:
        >>> import edutorch as torch
        >>> x, mask = torch.tensor([1.0, 2.0, 4.0]), torch.tensor([True, True, False])
        >>> torch.masked.amax(x, 0, mask=mask)
        tensor(2.)
    """
    return ops.amax(x, dims, keepdim).to(dtype=dtype or x.dtype)


@_masked
def amin(x: Tensor, dims: Any, keepdim: bool, dtype: Any) -> Tensor:
    """The smallest of the elements whose mask is true.

    Math: y = min xᵢ where mᵢ      ∂L/∂x: g to the least ones
    Shape: (*) -> the shape without `dim`

    Example:
        >>> import edutorch as torch
        >>> x, mask = torch.tensor([1.0, 2.0, 4.0]), torch.tensor([False, True, True])
        >>> torch.masked.amin(x, 0, mask=mask)
        tensor(2.)
    """
    return ops.amin(x, dims, keepdim).to(dtype=dtype or x.dtype)


@_masked
def argmax(x: Tensor, dims: Any, keepdim: bool, dtype: Any) -> Tensor:
    """The index of the largest of the elements whose mask is true, in x's dtype.

    Math: y = argmax xᵢ where mᵢ      no derivative
    Shape: (*) -> the shape without `dim`

    Example:
        >>> import edutorch as torch
        >>> x, mask = torch.tensor([1.0, 2.0, 4.0]), torch.tensor([True, True, False])
        >>> torch.masked.argmax(x, 0, mask=mask)
        tensor(1.)
    """
    return ops.argmax(x, dims, keepdim).to(dtype=dtype or x.dtype)


@_masked
def argmin(x: Tensor, dims: Any, keepdim: bool, dtype: Any) -> Tensor:
    """The index of the smallest of the elements whose mask is true, in x's dtype.

    Math: y = argmin xᵢ where mᵢ      no derivative
    Shape: (*) -> the shape without `dim`

    Example:
        >>> import edutorch as torch
        >>> x, mask = torch.tensor([1.0, 2.0, 4.0]), torch.tensor([False, True, True])
        >>> torch.masked.argmin(x, 0, mask=mask)
        tensor(1.)
    """
    return ops.argmin(x, dims, keepdim).to(dtype=dtype or x.dtype)


def _counts(input: Tensor, dim: Any, keepdim: bool, mask: Tensor | None) -> Tensor:
    """The number of valid elements."""
    if mask is None:
        every = ops.ones(input.shape, dtype=dtypes.int64, device=input.device)
        return sum(every, dim, keepdim=keepdim)
    return _input_mask(input, mask=mask).sum(dim=dim, keepdim=keepdim)


def mean(
    input: Tensor,
    dim: Any = None,
    *,
    keepdim: bool | None = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The mean of the elements whose mask is true.

    Math: y = Σ mᵢ xᵢ / Σ mᵢ      ∂L/∂xᵢ = g · mᵢ / Σ m
    Shape: (*) -> the shape without `dim`

    Raises:
        ValueError: for integers, if no dtype is given.

    Example:
        >>> import edutorch as torch
        >>> x, mask = torch.tensor([1.0, 2.0, 4.0]), torch.tensor([True, False, True])
        >>> torch.masked.mean(x, 0, mask=mask)
        tensor(2.5000)
    """
    source = "Input" if dtype is None else "Optional"
    dtype = dtype or input.dtype
    if not (dtype.is_floating_point or dtype.is_complex):
        raise ValueError(
            f"mean(): Could not infer output dtype. {source} dtype must be either a "
            f"floating point or complex dtype. Got: {dtype}"
        )
    count = _counts(input, dim, bool(keepdim), mask)
    return sum(input, dim, keepdim=keepdim, dtype=dtype, mask=mask) / count


def median(
    input: Tensor,
    dim: int = -1,
    *,
    keepdim: bool = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The median of the elements whose mask is true; of two, the lower one.

    Math: y = median xᵢ where mᵢ      ∂L/∂x: g to the median
    Shape: (*) -> the shape without `dim`

    Raises:
        ValueError: for integers, where no element counts.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([1.0, 2.0, 4.0, 9.0])
        >>> torch.masked.median(x, 0, mask=x != 2)
        tensor(4.)
    """
    d = reduced_dims(input, dim)[0]
    integral = not input.dtype.is_floating_point
    wide = input.to(dtypes.float32) if integral else input
    x = _combine_input_and_mask("median", wide, mask)
    needs_strided("median", x)
    found: Tensor = ops.nanmedian(x, d, keepdim).values
    if not integral:
        return found
    if found.isnan().any():
        raise ValueError(
            "masked median expects no fully masked out rows if dtype is not floating "
            "point"
        )
    return found.to(dtype=dtype or input.dtype)


@_masked
def logsumexp(x: Tensor, dims: Any, keepdim: bool, dtype: Any) -> Tensor:
    """The logarithm of the sum of exponentials of the elements whose mask is true.

    Math: y = ln Σ mᵢ exp(xᵢ)      ∂L/∂xᵢ = g · mᵢ exp(xᵢ - y)
    Shape: (*) -> the shape without `dim`

    Example:
        >>> import edutorch as torch
        >>> x, mask = torch.tensor([1.0, 2.0, 4.0]), torch.tensor([True, False, False])
        >>> torch.masked.logsumexp(x, 0, mask=mask)
        tensor(1.)
    """
    return ops.logsumexp(x, dims, keepdim=keepdim).to(dtype=dtype or x.dtype)


def norm(
    input: Tensor,
    ord: Any = 2.0,
    dim: Any = None,
    *,
    keepdim: bool | None = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The norm of the elements whose mask is true.

    Math: y = (Σ mᵢ |xᵢ|ᵖ)^(1/p)      ∂L/∂x: as of `linalg.vector_norm`, where mᵢ
    Shape: (*) -> the shape without `dim`

    Example:
        >>> import edutorch as torch
        >>> x, mask = torch.tensor([3.0, 2.0, 4.0]), torch.tensor([True, False, True])
        >>> torch.masked.norm(x, 2, 0, mask=mask)
        tensor(5.)
    """
    x = _combine_input_and_mask("norm", input, mask, ord)
    needs_strided("norm", x)
    dims = reduced_dims(input, dim)
    return vector_norm(x, ord, dims, bool(keepdim), dtype=dtype or input.dtype)


def var(
    input: Tensor,
    dim: Any = None,
    unbiased: bool | None = None,
    *,
    correction: float | None = None,
    keepdim: bool | None = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The variance of the elements whose mask is true.

    Math: y = Σ mᵢ (xᵢ - x̄)² / max(0, Σ mᵢ - c)      ∂L/∂x: as of `var`, where mᵢ
    Shape: (*) -> the shape without `dim`

    Raises:
        AssertionError: if both `unbiased` and `correction` are given.

    Example:
        >>> import edutorch as torch
        >>> x, mask = torch.tensor([3.0, 2.0, 5.0]), torch.tensor([True, False, True])
        >>> torch.masked.var(x, 0, mask=mask)
        tensor(2.)
    """
    if unbiased is not None and correction is not None:
        raise AssertionError("Only one of unbiased and correction may be given")
    if correction is None:
        correction = 0.0 if unbiased is False else 1.0
    found = dtype or input.dtype
    if not (found.is_floating_point or found.is_complex):
        found = dtypes.float32
    count = _counts(input, dim, True, mask)
    centre = sum(input, dim, keepdim=True, dtype=found, mask=mask) / count
    data, counted = data_and_mask(input, mask)
    x = data - centre
    total = sum(x * x.conj(), dim, keepdim=keepdim, dtype=found, mask=counted)
    if not keepdim:
        count = count.reshape(total.shape)
    if correction != 0:
        count = (count.to(found.to_real()) - float(correction)).clamp(min=0)
    return (total / count).to(dtype=dtype or found)


def std(
    input: Tensor,
    dim: Any = None,
    unbiased: bool | None = None,
    *,
    correction: int | None = None,
    keepdim: bool | None = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The standard deviation of the elements whose mask is true.

    Math: y = √(Σ mᵢ (xᵢ - x̄)² / max(0, Σ mᵢ - c))      ∂L/∂x: as of `std`, where mᵢ
    Shape: (*) -> the shape without `dim`

    Raises:
        AssertionError: if both `unbiased` and `correction` are given.

    Example:
        >>> import edutorch as torch
        >>> x, mask = torch.tensor([3.0, 2.0, 5.0]), torch.tensor([True, False, True])
        >>> torch.masked.std(x, 0, False, mask=mask)
        tensor(1.)
    """
    found = var(
        input, dim, unbiased, correction=correction, keepdim=keepdim, dtype=dtype,
        mask=mask,
    )  # fmt: skip
    return found.sqrt()
