"""Functions along a dimension, of the elements whose mask is true."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from .. import ops
from ..layouts import strided
from ..nn import functional as nnf
from ..tensor.tensor import Tensor
from .mask_arguments import _combine_input_and_mask, needs_strided, reduced_dims
from .reductions import norm

__all__ = [
    "cumprod", "cumsum", "log_softmax", "logaddexp", "normalize", "softmax", "softmin",
]  # fmt: skip


class Along(Protocol):
    """The signature of functions along a dimension."""

    def __call__(
        self, input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None
    ) -> Tensor: ...


def _masked(neutral: str) -> Callable[[Callable[[Tensor, int, Any], Tensor]], Along]:
    """The function of the elements whose mask is true, from one without masks.

    It gets the input with a reduction's neutral element where the mask is false.
    """

    def decorate(compute: Callable[[Tensor, int, Any], Tensor]) -> Along:
        name = compute.__name__

        def masked(
            input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None
        ) -> Tensor:
            d = reduced_dims(input, dim)[0]
            x = _combine_input_and_mask(neutral, input, mask)
            needs_strided(name, x)
            return compute(x, d, dtype or input.dtype)

        masked.__name__ = masked.__qualname__ = name
        masked.__doc__ = compute.__doc__
        return masked

    return decorate


@_masked("sum")
def cumsum(x: Tensor, dim: int, dtype: Any) -> Tensor:
    """Cumulative sums of the elements whose mask is true.

    Math: yₖ = Σ mᵢ xᵢ for i <= k      ∂L/∂xᵢ = mᵢ Σ gₖ for k >= i
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> x, mask = torch.tensor([1.0, 2.0, 4.0]), torch.tensor([True, False, True])
        >>> torch.masked.cumsum(x, 0, mask=mask)
        tensor([1., 1., 5.])
    """
    return ops.cumsum(x, dim, dtype=dtype).to(dtype=dtype)


@_masked("prod")
def cumprod(x: Tensor, dim: int, dtype: Any) -> Tensor:
    """Cumulative products of the elements whose mask is true.

    Math: yₖ = Π xᵢ for i <= k where mᵢ      ∂L/∂x: as of `cumprod`, where mᵢ
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> x, mask = torch.tensor([1.0, 2.0, 4.0]), torch.tensor([True, False, True])
        >>> torch.masked.cumprod(x, 0, mask=mask)
        tensor([1., 1., 4.])
    """
    return ops.cumprod(x, dim, dtype=dtype).to(dtype=dtype)


@_masked("amax")
def softmax(x: Tensor, dim: int, dtype: Any) -> Tensor:
    """Softmax of the elements whose mask is true; the others get 0.

    Math: yᵢ = mᵢ exp(xᵢ) / Σ mₖ exp(xₖ)      ∂L/∂x: as of `softmax`, where mᵢ
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> x, mask = torch.zeros(3), torch.tensor([True, False, True])
        >>> torch.masked.softmax(x, 0, mask=mask)
        tensor([0.5000, 0.0000, 0.5000])
    """
    return nnf.softmax(x, dim, dtype=dtype)


@_masked("amax")
def log_softmax(x: Tensor, dim: int, dtype: Any) -> Tensor:
    """Logarithms of `softmax`; -inf where the mask is false.

    Math: yᵢ = xᵢ - ln Σ mₖ exp(xₖ) where mᵢ      ∂L/∂x: as of `log_softmax`, where mᵢ
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> x, mask = torch.zeros(3), torch.tensor([True, False, True])
        >>> torch.masked.log_softmax(x, 0, mask=mask)
        tensor([-0.6931,    -inf, -0.6931])
    """
    return nnf.log_softmax(x, dim, dtype=dtype)


@_masked("amin")
def softmin(x: Tensor, dim: int, dtype: Any) -> Tensor:
    """`softmax` of the negative elements.

    Math: yᵢ = mᵢ exp(-xᵢ) / Σ mₖ exp(-xₖ)      ∂L/∂x: as of `softmin`, where mᵢ
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> x, mask = torch.zeros(3), torch.tensor([True, False, True])
        >>> torch.masked.softmin(x, 0, mask=mask)
        tensor([0.5000, 0.0000, 0.5000])
    """
    return nnf.softmin(x, dim, dtype=dtype)


def normalize(
    input: Tensor,
    ord: float,
    dim: int,
    *,
    eps: float = 1e-12,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The elements whose mask is true over their norm.

    Math: yᵢ = mᵢ xᵢ / max(‖x‖, eps)      ∂L/∂x: by the quotient rule, where mᵢ
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> x, mask = torch.tensor([3.0, 2.0, 4.0]), torch.tensor([True, False, True])
        >>> torch.masked.normalize(x, 2, 0, mask=mask)
        tensor([0.6000, 0.0000, 0.8000])
    """
    x = _combine_input_and_mask("sum", input, mask)
    needs_strided("normalize", x)
    length = norm(input, ord, dim, keepdim=True, dtype=dtype, mask=mask)
    return x / ops.maximum(length, length.new_full([], eps))


def logaddexp(
    input: Tensor,
    other: Tensor,
    *,
    dtype: Any = None,
    input_mask: Tensor | None = None,
    other_mask: Tensor | None = None,
) -> Tensor:
    """The logarithm of the sum of two exponentials, of those whose mask is true.

    Math: y = ln(m exp(x) + n exp(z))      ∂L/∂x = g · m exp(x - y)
    Shape: (*), (*) -> (*), broadcast

    Raises:
        ValueError: for sparse tensors.

    Example:
        >>> import edutorch as torch
        >>> x, mask = torch.zeros(2), torch.tensor([True, False])
        >>> torch.masked.logaddexp(x, x, other_mask=mask)
        tensor([0.6931, 0.0000])
    """
    if input.layout is not strided or other.layout is not strided:
        raise ValueError(
            f"masked logaddexp expects strided tensors (got {input.layout} tensor for "
            f"input, {other.layout} for other)"
        )
    x = _combine_input_and_mask("logaddexp", input, input_mask)
    z = _combine_input_and_mask("logaddexp", other, other_mask)
    return ops.logaddexp(x, z).to(dtype=dtype or input.dtype)
