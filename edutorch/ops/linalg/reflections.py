"""Householder's reflections: QR as LAPACK keeps it, and products with it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.op import Op, apply
from ...backends import array_module
from ...tensor.tensor import Tensor
from ..attach import composite, into, public
from ..matmul.arrays import turned
from ..pointwise.arithmetic import conj
from ..return_types import return_type
from . import lapack
from .triangles import lower

__all__ = ["geqrf", "householder_product", "orgqr", "ormqr"]

geqrf_type = return_type("geqrf", "a", "tau")


class Geqrf(Op):
    """R on and above the diagonal, the reflections' vectors below it, and their scales.

    Math: x = H₁ H₂ .. R with H = 1 - τ v vᵀ
    Shape: (*, n, m) -> (*, n, m), (*, min(n, m))

    Reference: Householder, 1958
    """

    several = True

    def check(self, x: Any) -> None:
        if x._data.ndim < 2:
            raise RuntimeError("torch.geqrf: input must have at least 2 dimensions.")

    def forward(self, x: Any) -> Any:
        y = np.empty_like(x)
        scales = np.empty((*x.shape[:-2], min(x.shape[-2:])), x.dtype)
        for place in np.ndindex(x.shape[:-2]):
            if x[place].size:
                y[place], scales[place], *_ = lapack.routine("geqrf", x)(x[place])
        return y, scales


@public("geqrf")
def geqrf(input: Tensor, *, out: Any = None) -> Any:
    """QR as LAPACK keeps it: for `householder_product` and `ormqr`.

    Math: x = H₁ H₂ .. R with H = 1 - τ v vᵀ; R on and above the diagonal, v below it
    Shape: (*, n, m) -> (*, n, m), (*, min(n, m))

    Raises:
        RuntimeError: for fewer than two dimensions.

    Example:
        >>> import edutorch as torch
        >>> torch.geqrf(torch.tensor([[3.0], [4.0]]))
        torch.return_types.geqrf(
        a=tensor([[-5.0000],
                [ 0.5000]]),
        tau=tensor([1.6000]))
    """
    result = geqrf_type(*apply(Geqrf(), input))
    return result if out is None else into(out, result)


def _vectors(a: Any, k: int) -> Any:
    """The reflections' vectors as columns: 1 on the diagonal, `a` below it."""
    one = array_module(a._data).eye(a.shape[-2], k, dtype=a._data.dtype)
    return lower(a[..., :, :k], -1) + one


def _reflected(y: Any, v: Any, tau: Any, order: Any) -> Any:
    """H y of several reflections, one after the other in the given order."""
    for i in order:
        column = v[..., :, i : i + 1]  # (*, n, 1)
        y = y - tau[..., i, None, None] * column @ (turned(column) @ y)
    return y


@public("orgqr")
@composite
def householder_product(A: Tensor, tau: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The first columns of a product of Householder's reflections.

    Math: y = H₁ H₂ .. Hₖ with H = 1 - τ v vᵀ and v the columns below the diagonal
    Shape: (*, n, m), (*, k) -> (*, n, m), n >= m >= k

    Raises:
        RuntimeError: for shapes and dtypes that do not fit.

    Example:
        >>> import edutorch as torch
        >>> A, tau = torch.geqrf(torch.tensor([[3.0], [4.0]]))
        >>> torch.linalg.householder_product(A, tau)
        tensor([[-0.6000],
                [-0.8000]])
    """
    _check("torch.linalg.householder_product", A, tau)
    n, m = A.shape[-2:]
    if n < m:
        raise RuntimeError(
            "torch.linalg.householder_product: input.shape[-2] must be greater than or "
            "equal to input.shape[-1]"
        )
    if m < tau.shape[-1]:
        raise RuntimeError(
            "torch.linalg.householder_product: input.shape[-1] must be greater than or "
            "equal to tau.shape[-1]"
        )
    if A._data.dtype != tau._data.dtype:
        raise RuntimeError(
            f"torch.linalg.householder_product: tau dtype {tau.dtype.short} does not "
            f"match input dtype {A.dtype.short}"
        )
    k = tau.shape[-1]
    start = A * 0 + array_module(A._data).eye(n, m, dtype=A._data.dtype)
    result: Tensor = _reflected(start, _vectors(A, k), tau, range(k - 1, -1, -1))
    return result if out is None else into(out, result)


orgqr = householder_product


def _check(name: str, a: Tensor, tau: Tensor) -> None:
    if a.ndim < 2:
        raise RuntimeError(f"{name}: input must have at least 2 dimensions.")
    if a.ndim != tau.ndim + 1:
        raise RuntimeError(
            f"{name}: Expected tau to have one dimension less than input, but got "
            f"tau.ndim equal to {tau.ndim} and input.ndim is equal to {a.ndim}"
        )
    if a.shape[:-2] != tau.shape[:-1]:
        raise RuntimeError(
            f"{name}: Expected batch dimensions of tau to be equal to "
            f"input.shape[:-2], but got {list(tau.shape[:-1])}"
        )


def _check_factor(input: Tensor, tau: Tensor, other: Tensor, dim: int) -> None:
    """Refuse what `ormqr` cannot multiply."""
    name = "torch.ormqr"
    if input.ndim >= 2 and other.ndim < 2:
        raise RuntimeError(f"{name}: other must have at least 2 dimensions.")
    if input.ndim >= 2 and other.shape[dim] != input.shape[-2]:
        raise RuntimeError(
            f"{name}: other.shape[{dim}] must be equal to input.shape[-2]"
        )
    if input.ndim >= 2 and tau.shape[-1] != min(other.shape[dim], input.shape[-1]):
        raise RuntimeError(
            f"{name}: tau.shape[-1] must be equal to min(other.shape[{dim}], "
            "input.shape[-1])"
        )
    _check(name, input, tau)
    if other.ndim != input.ndim:
        raise RuntimeError(
            f"{name}: Expected other to have the same number of dimensions as input, "
            f"but got other.ndim equal to {other.ndim} and input.ndim is equal to "
            f"{input.ndim}"
        )
    if other.shape[:-2] != input.shape[:-2]:
        raise RuntimeError(
            f"{name}: Expected batch dimensions of other to be equal to "
            f"input.shape[:-2], but got {list(other.shape[:-2])}"
        )
    for word, x in (("tau", tau), ("other", other)):
        if x._data.dtype != input._data.dtype:
            raise RuntimeError(
                f"{name}: Expected input and {word} to have the same dtype, but input "
                f"has dtype{input.dtype.short} and {word} has dtype {x.dtype.short}"
            )


@public("ormqr")
@composite
def ormqr(
    input: Tensor,
    tau: Tensor,
    other: Tensor,
    left: bool = True,
    transpose: bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The product of a matrix with all columns of Householder's reflections.

    Math: y = Q other (`left`) or other Q; Qᵀ in place of Q with `transpose`
    Shape: (*, n, m), (*, k), (*, n, p) -> (*, n, p); (*, p, n) without `left`

    Example:
        >>> import edutorch as torch
        >>> A, tau = torch.geqrf(torch.tensor([[3.0], [4.0]]))
        >>> torch.ormqr(A, tau, torch.tensor([[-5.0], [0.0]]))
        tensor([[3.],
                [4.]])
    """
    _check_factor(input, tau, other, -2 if left else -1)
    k = tau.shape[-1]
    v = _vectors(input, k)
    if not left:  # other Q is (Qᵀ otherᵀ)ᵀ
        other, transpose = turned(other), not transpose
    scales = conj(tau) if transpose else tau
    order = range(k) if transpose else range(k - 1, -1, -1)
    result: Tensor = _reflected(other, v, scales, order)
    result = result if left else turned(result)
    return result if out is None else into(out, result)
