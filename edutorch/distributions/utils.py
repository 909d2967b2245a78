"""Shared by distributions: parameters of one shape, probabilities and log-odds."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Number
from typing import Any

from .. import dtypes
from ..autograd.modes import enable_grad
from ..nn.functional import softmax
from ..ops import arange, broadcast_tensors, empty, log, log1p, sigmoid, tensor
from ..tensor.size import Size
from ..tensor.tensor import Tensor

__all__ = [
    "broadcast_all", "clamp_probs", "euler_constant", "lazy_property",
    "logits_to_probs", "probs_to_logits", "shape_of", "tril_matrix_to_vec",
    "vec_to_tril_matrix",
]  # fmt: skip

euler_constant = 0.57721566490153286060  # the limit of Σ 1/k - ln n


def broadcast_all(*values: Any) -> tuple[Tensor, ...]:
    """Tensors and numbers as tensors of one shape.

    Numbers take dtype and device of the first tensor.

    Raises:
        ValueError: for other values.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.utils.broadcast_all(torch.zeros(2), 1)
        (tensor([0., 0.]), tensor([1., 1.]))
    """
    if not all(isinstance(v, (Tensor, Number)) for v in values):
        raise ValueError(
            "Input arguments must all be instances of Number, torch.Tensor or objects "
            "implementing __torch_function__."
        )
    first = next((v for v in values if isinstance(v, Tensor)), None)
    options: dict[str, Any] = {"dtype": dtypes.get_default_dtype()}
    if first is not None:
        options = {"dtype": first.dtype, "device": first.device}
    found: tuple[Tensor, ...] = broadcast_tensors(
        *(v if isinstance(v, Tensor) else tensor(v, **options) for v in values)
    )
    return found


def shape_of(*given: Any) -> Size:
    """The batch shape of parameters as given: that of the tensors, broadcast, or ()."""
    tensors = [v for v in given if isinstance(v, Tensor)]
    return broadcast_tensors(*tensors)[0].shape if tensors else Size()


def clamp_probs(probs: Tensor) -> Tensor:
    """Probabilities that are neither 0 nor 1, by the smallest step of their dtype.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.utils.clamp_probs(torch.tensor([0.5, 0.0]))
        tensor([5.0000e-01, 1.1921e-07])
    """
    eps = dtypes.finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


def probs_to_logits(probs: Tensor, is_binary: bool = False) -> Tensor:
    """Logarithms of probabilities; for two outcomes the log-odds of the second.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.utils.probs_to_logits(torch.tensor(0.5), True)
        tensor(0.)
    """
    p = clamp_probs(probs)
    return log(p) - log1p(-p) if is_binary else log(p)


def logits_to_probs(logits: Tensor, is_binary: bool = False) -> Tensor:
    """Probabilities from logarithms of them, or from log-odds.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.utils.logits_to_probs(torch.zeros(4))
        tensor([0.2500, 0.2500, 0.2500, 0.2500])
    """
    return sigmoid(logits) if is_binary else softmax(logits, dim=-1)


class lazy_property:  # noqa: N801 (used like a function)
    """A property that is computed once, on first access.

    Example:
        >>> import edutorch as torch
        >>> d = torch.distributions.Bernoulli(logits=torch.tensor(0.0))
        >>> "probs" in vars(d), d.probs, "probs" in vars(d)
        (False, tensor(0.5000), True)
    """

    def __init__(self, wrapped: Callable[[Any], Any]) -> None:
        self.wrapped = wrapped
        self.__doc__ = wrapped.__doc__

    def __get__(self, instance: Any, kind: Any = None) -> Any:
        if instance is None:
            return self
        with enable_grad():
            value = self.wrapped(instance)
        setattr(instance, self.wrapped.__name__, value)
        return value


def _standard_normal(shape: Any, dtype: Any, device: Any) -> Tensor:
    """Normal numbers."""
    return empty(shape, dtype=dtype, device=device).normal_()


def _sum_rightmost(value: Tensor, dim: int) -> Tensor:
    """The sum over the last `dim` dimensions."""
    if dim == 0:
        return value
    return value.reshape((*value.shape[: value.ndim - dim], -1)).sum(-1)


def _lower(n: int, diag: int, device: Any) -> Tensor:
    """A mask of the entries on or below a diagonal."""
    places = arange(n, device=device)
    return places <= places.unsqueeze(-1) + diag


def tril_matrix_to_vec(mat: Tensor, diag: int = 0) -> Tensor:
    """The lower triangles of matrices, row after row.

    Shape: (*, n, n) -> (*, number of entries)

    Raises:
        ValueError: for a diagonal outside of the matrix.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([[1.0, 0.0], [2.0, 3.0]])
        >>> torch.distributions.utils.tril_matrix_to_vec(x)
        tensor([1., 2., 3.])
    """
    n = mat.shape[-1]
    if not -n <= diag < n:
        raise ValueError(f"diag ({diag}) provided is outside [{-n}, {n - 1}].")
    return mat[..., _lower(n, diag, mat.device)]


def vec_to_tril_matrix(vec: Tensor, diag: int = 0) -> Tensor:
    """Matrices with given lower triangles; the inverse of `tril_matrix_to_vec`.

    Shape: (*, number of entries) -> (*, n, n)

    Raises:
        ValueError: where the entries make up no triangle.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.utils.vec_to_tril_matrix(torch.tensor([2.0]), -1)
        tensor([[0., 0.],
                [2., 0.]])
    """
    linear = 1 + 2 * diag
    root = (linear**2 + 8 * vec.shape[-1] + 4 * abs(diag) * (diag + 1)) ** 0.5
    exact = (root - linear) / 2
    n = round(exact)
    if n - exact > dtypes.finfo(vec.dtype).eps:
        raise ValueError(
            f"The size of last dimension is {vec.shape[-1]} which cannot be expressed "
            "as the lower triangular part of a square D x D matrix."
        )
    mat = vec.new_zeros((*vec.shape[:-1], n, n))
    mat[..., _lower(n, diag, vec.device)] = vec
    return mat
