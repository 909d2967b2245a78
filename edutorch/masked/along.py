"""Functions along a dimension, of the elements whose mask is true."""

from __future__ import annotations

from typing import Any

from .. import ops
from ..layouts import strided
from ..nn import functional as nnf
from ..tensor.tensor import Tensor
from .operands import _combine_input_and_mask, needs_strided, reduced_dims
from .reductions import norm

__all__ = [
    "cumprod", "cumsum", "log_softmax", "logaddexp", "normalize", "softmax", "softmin",
]  # fmt: skip


def _scan(
    name: str, neutral: str, input: Tensor, dim: int, dtype: Any, mask: Any
) -> Any:
    found = dtype or input.dtype
    d = reduced_dims(input, dim)[0]
    x = _combine_input_and_mask(neutral, input, mask)
    needs_strided(name, x)
    return getattr(ops, name)(x, d, dtype=found).to(dtype=found)


def cumsum(
    input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None
) -> Tensor:
    """Sums up to each place, of the elements whose mask is true.

    Math: yₖ = Σ mᵢ xᵢ for i <= k      ∂L/∂xᵢ = mᵢ Σ gₖ for k >= i
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> x, mask = torch.tensor([1.0, 2.0, 4.0]), torch.tensor([True, False, True])
        >>> torch.masked.cumsum(x, 0, mask=mask)
        tensor([1., 1., 5.])
    """
    found: Tensor = _scan("cumsum", "sum", input, dim, dtype, mask)
    return found


def cumprod(
    input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None
) -> Tensor:
    """Products up to each place, of the elements whose mask is true.

    Math: yₖ = Π xᵢ for i <= k where mᵢ      ∂L/∂x: as of `cumprod`, where mᵢ
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> x, mask = torch.tensor([1.0, 2.0, 4.0]), torch.tensor([True, False, True])
        >>> torch.masked.cumprod(x, 0, mask=mask)
        tensor([1., 1., 4.])
    """
    found: Tensor = _scan("cumprod", "prod", input, dim, dtype, mask)
    return found


def _softened(
    name: str, neutral: str, input: Tensor, dim: int, dtype: Any, mask: Any
) -> Any:
    d = reduced_dims(input, dim)[0]
    x = _combine_input_and_mask(neutral, input, mask)
    needs_strided(name, x)
    return getattr(nnf, name)(x, d, dtype=dtype or input.dtype)


def softmax(
    input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None
) -> Tensor:
    """Exponentials over their sum, of the elements whose mask is true; others get 0.

    Math: yᵢ = mᵢ exp(xᵢ) / Σ mₖ exp(xₖ)      ∂L/∂x: as of `softmax`, where mᵢ
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> x, mask = torch.zeros(3), torch.tensor([True, False, True])
        >>> torch.masked.softmax(x, 0, mask=mask)
        tensor([0.5000, 0.0000, 0.5000])
    """
    found: Tensor = _softened("softmax", "amax", input, dim, dtype, mask)
    return found


def log_softmax(
    input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None
) -> Tensor:
    """Logarithms of `softmax`; -inf where the mask is false.

    Math: yᵢ = xᵢ - ln Σ mₖ exp(xₖ) where mᵢ      ∂L/∂x: as of `log_softmax`, where mᵢ
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> x, mask = torch.zeros(3), torch.tensor([True, False, True])
        >>> torch.masked.log_softmax(x, 0, mask=mask)
        tensor([-0.6931,    -inf, -0.6931])
    """
    found: Tensor = _softened("log_softmax", "amax", input, dim, dtype, mask)
    return found


def softmin(
    input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None
) -> Tensor:
    """`softmax` of the negative elements.

    Math: yᵢ = mᵢ exp(-xᵢ) / Σ mₖ exp(-xₖ)      ∂L/∂x: as of `softmin`, where mᵢ
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> x, mask = torch.zeros(3), torch.tensor([True, False, True])
        >>> torch.masked.softmin(x, 0, mask=mask)
        tensor([0.5000, 0.0000, 0.5000])
    """
    found: Tensor = _softened("softmin", "amin", input, dim, dtype, mask)
    return found


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
