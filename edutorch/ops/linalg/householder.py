"""Householder reflections: QR in LAPACK's packed form, and products with it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd import modes as _m
from ...autograd.dispatch import Op, apply, apply2
from ...autograd.foreign_operands import accept_arrays
from ...backends import array_module
from ...tensor.tensor import Tensor
from ..argument_checks import (
    need_flags,
    need_one_device,
    need_tensors,
    refuse_complex_gradients,
    refuse_kinds,
)
from ..matmul.array_products import ctranspose
from ..pointwise.conjugate import conj
from ..registration import composite, copyto, public
from ..return_types import return_type
from . import lapack
from .checks import need_precision
from .triangular_parts import concatenate, lower

__all__ = ["geqrf", "householder_product", "orgqr", "ormqr"]

geqrf_type = return_type("geqrf", "a", "tau")


class Geqrf(Op):
    """R in the upper triangle, the reflections' vectors below it, and their scales.

    Math: x = H₁ H₂ .. R with H = 1 - τ v vᵀ, no derivative
    Shape: (*, n, m) -> (*, n, m), (*, min(n, m))
    Reference: Householder, 1958
    """

    multiple_outputs = True

    def check(self, x: Any) -> None:
        if x._data.ndim < 2:
            raise RuntimeError("torch.geqrf: input must have at least 2 dimensions.")
        need_precision("torch.geqrf", x, "geqrf_cpu", integers=True)

    def forward(self, x: Any) -> Any:
        y = np.empty(x.shape, x.dtype)
        scales = np.empty((*x.shape[:-2], min(x.shape[-2:])), x.dtype)
        for place in np.ndindex(x.shape[:-2]):
            if x[place].size:
                y[place], scales[place], *_ = lapack.routine("geqrf", x)(x[place])
        return lapack.column_major(y), scales

    def backward(self, g: Any, g_scales: Any) -> Any:
        raise NotImplementedError("the derivative for 'geqrf' is not implemented.")


@public("geqrf")
def geqrf(input: Tensor, *, out: Any = None) -> Any:
    """QR in LAPACK's packed form, for `householder_product` and `ormqr`; no derivative.

    Math: x = H₁ H₂ .. R with H = 1 - τ v vᵀ; R on and above the diagonal, v below it
    Shape: (*, n, m) -> (*, n, m), (*, min(n, m))
    Reference: Householder, 1958

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
    if _m.special_modes and geqrf in _m.modes.autocast:
        return _m.autocast(geqrf, input, out=out)
    need_tensors("geqrf", input=input)
    result = geqrf_type(*apply(Geqrf(), input))
    refuse_complex_gradients("geqrf", *result)
    return result if out is None else copyto(out, result, "geqrf", (input,))


def _reflection_vectors(a: Any, k: int) -> Any:
    """The reflections' vectors as columns: 1 on the diagonal, `a` below it."""
    one = array_module(getattr(a, "_data", a)).eye(a.shape[-2], k, dtype=_kind(a))
    with accept_arrays():
        return lower(a[..., :, :k], -1) + one


def _kind(a: Any) -> Any:
    return getattr(a, "_data", a).dtype


def _apply_reflections(y: Any, v: Any, tau: Any, order: Any) -> list[Any]:
    """A matrix, and its products after each of several reflections."""
    products = [y]
    for i in order:
        column, z = v[..., :, i : i + 1], products[-1]  # (*, n, 1)
        z = z - tau[..., i, None, None] * column @ (ctranspose(column) @ z)
        products.append(z)
    return products


def _gradients(
    g: Any, a: Any, tau: Any, products: list[Any], order: Any
) -> tuple[Any, Any, Any]:
    """Gradients of the vectors (in the form of `a`), the scales and the matrix."""
    k = tau.shape[-1]
    v = _reflection_vectors(a, k)
    columns, of_scales = [a[..., k:] * 0], [tau[..., k:]]
    found: dict[int, tuple[Any, Any]] = {}
    for i, z in reversed(list(zip(order, products, strict=False))):
        column, factor = v[..., i : i + 1], tau[..., i, None, None]
        row = ctranspose(column) @ g  # (*, 1, m)
        along = ctranspose(ctranspose(column) @ z)  # (*, m, 1)
        gv = -conj(factor) * (g @ along) - factor * (z @ ctranspose(row))
        found[i] = gv, -(row @ along)[..., 0]
        g = g - conj(factor) * (column @ row)
    pairs = [found[i] for i in range(k)]
    columns[:0], of_scales[:0] = [gv for gv, _ in pairs], [gt for _, gt in pairs]
    return lower(concatenate(columns, -1), -1), concatenate(of_scales, -1), g


class HouseholderProduct(Op):
    """The first columns of a product of Householder reflections.

    Math: y = H₁ H₂ .. Hₖ with H = 1 - τ v vᵀ and v the columns below the diagonal
          ∂L/∂v = -τ (gᵢ yᵢᵀ + yᵢ gᵢᵀ) v      ∂L/∂τ = -vᵀ gᵢ yᵢᵀ v for each factor,
          yᵢ the matrix it multiplies, gᵢ the gradient of that product
    Shape: (*, n, m), (*, k) -> (*, n, m), n >= m >= k
    Reference: Householder, 1958
    """

    torch_name = "LinalgHouseholderProduct"

    def forward(self, a: Any, tau: Any) -> Any:
        return lapack.column_major(self.products(a, tau)[-1])

    def products(self, a: Any, tau: Any) -> list[Any]:
        """The products of the last 0, 1, .. reflections."""
        one = array_module(getattr(a, "_data", a)).eye(*a.shape[-2:], dtype=_kind(a))
        k = tau.shape[-1]
        start, v = a * 0 + one, _reflection_vectors(a, k)
        return _apply_reflections(start, v, tau, range(k - 1, -1, -1))

    def backward(self, g: Any) -> Any:
        a, tau = self.inputs
        if 0 in a.shape:
            return None, None
        order = range(tau.shape[-1] - 1, -1, -1)
        return _gradients(g, a, tau, self.products(a, tau), order)[:2]


class Ormqr(Op):
    """The product of a matrix with the full product of Householder reflections.

    Math: y = Q x (`left`) or x Q; Qᵀ in place of Q with `transpose`
          ∂L/∂x = Qᵀ g      ∂L/∂v, ∂L/∂τ: as of `HouseholderProduct`
    Shape: (*, n, m), (*, k), (*, n, p) -> (*, n, p); (*, p, n) without `left`
    """

    attributes = ("left", "transpose")

    def __init__(self, left: bool, transpose: bool) -> None:
        self.left, self.transpose = left, transpose

    def forward(self, a: Any, tau: Any, x: Any) -> Any:
        with accept_arrays():
            y = self.products(a, tau, x)[-1]
        return lapack.column_major(y if self.left else ctranspose(y))

    def order(self, k: int) -> Any:
        """The order of the reflections; x Q is (Qᵀ xᵀ)ᵀ."""
        return range(k) if self.transpose is self.left else range(k - 1, -1, -1)

    def scales(self, tau: Any) -> Any:
        """The scales of the reflections, or of their transposes."""
        return conj(tau) if self.transpose is self.left else tau

    def products(self, a: Any, tau: Any, x: Any) -> list[Any]:
        """The matrix, and its products after each reflection."""
        k = tau.shape[-1]
        v, x = _reflection_vectors(a, k), x if self.left else ctranspose(x)
        return _apply_reflections(x, v, self.scales(tau), self.order(k))

    def backward(self, g: Any) -> Any:
        a, tau, x = self.inputs
        y, order = self.products(a, tau, x), self.order(tau.shape[-1])
        g = g if self.left else ctranspose(g)
        ga, gtau, gx = _gradients(g, a, self.scales(tau), y, order)
        return ga, self.scales(gtau), gx if self.left else ctranspose(gx)


@composite
def householder_product(
    input: Tensor, tau: Tensor, *, out: Tensor | None = None
) -> Tensor:
    """The first columns of a product of Householder reflections.

    Math: y = H₁ H₂ .. Hₖ with H = 1 - τ v vᵀ and v the columns below the diagonal
          ∂L/∂v = -τ (gᵢ yᵢᵀ + yᵢ gᵢᵀ) v      ∂L/∂τ = -vᵀ gᵢ yᵢᵀ v for each factor,
          yᵢ the matrix it multiplies, gᵢ the gradient of that product
    Shape: (*, n, m), (*, k) -> (*, n, m), n >= m >= k
    Reference: Householder, 1958

    Raises:
        RuntimeError: for shapes and dtypes that do not fit.

    Example:
        >>> import edutorch as torch
        >>> A, tau = torch.geqrf(torch.tensor([[3.0], [4.0]]))
        >>> torch.linalg.householder_product(A, tau)
        tensor([[-0.6000],
                [-0.8000]])
    """
    if _m.special_modes and householder_product in _m.modes.autocast:
        return _m.autocast(householder_product, input, tau, out=out)
    need_tensors("linalg_householder_product", input=input, tau=tau)
    need_one_device("__linalg_householder_product", input, tau=tau)
    if input.ndim >= 2:
        _check_sides(input, tau)
    _check("torch.linalg.householder_product", input, tau)
    if input._data.dtype != tau._data.dtype:
        raise RuntimeError(
            f"torch.linalg.householder_product: tau dtype {tau.dtype.short} does not "
            f"match input dtype {input.dtype.short}"
        )
    need_precision("orgqr", input, "orgqr_cpu", integers=True)
    result: Tensor = apply2(HouseholderProduct(), input, tau)
    if out is None:
        return result
    return copyto(out, result, "linalg_householder_product", (input, tau))


@public("orgqr")
@composite
def orgqr(input: Tensor, input2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """An alias of `torch.linalg.householder_product` with the scales as `input2`.

    Math: y = H₁ H₂ .. Hₖ with H = 1 - τ v vᵀ and v the columns below the diagonal
          ∂L/∂v, ∂L/∂τ: as of `torch.linalg.householder_product`
    Shape: (*, n, m), (*, k) -> (*, n, m), n >= m >= k

    Raises:
        RuntimeError: for shapes and dtypes that do not fit.

    Example:
        >>> import edutorch as torch
        >>> torch.orgqr(*torch.geqrf(torch.tensor([[3.0], [4.0]])))
        tensor([[-0.6000],
                [-0.8000]])
    """
    need_tensors("orgqr", input=input, input2=input2)
    return householder_product(input, input2, out=out)


def _check_sides(input: Tensor, tau: Tensor) -> None:
    """Raise for wide matrices, or more scales than columns."""
    n, m = input.shape[-2:]
    if n < m:
        raise RuntimeError(
            "torch.linalg.householder_product: input.shape[-2] must be greater than or "
            "equal to input.shape[-1]"
        )
    if m < tau.size(-1):
        raise RuntimeError(
            "torch.linalg.householder_product: input.shape[-1] must be greater than or "
            "equal to tau.shape[-1]"
        )


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
    """Raise for operands that `ormqr` cannot multiply."""
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
    input2: Tensor,
    input3: Tensor,
    left: bool = True,
    transpose: bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The product of a matrix with the full product of Householder reflections.

    Math: y = Q x (`left`) or x Q, x `input3`; Qᵀ in place of Q with `transpose`
          ∂L/∂x = Qᵀ g
    Shape: (*, n, m), (*, k), (*, n, p) -> (*, n, p); (*, p, n) without `left`

    Args:
        input: the reflections' vectors, as `geqrf` leaves them.
        input2: their scales.

    Raises:
        RuntimeError: for shapes and dtypes that do not fit.

    Example:
        >>> import edutorch as torch
        >>> A, tau = torch.geqrf(torch.tensor([[3.0], [4.0]]))
        >>> torch.ormqr(A, tau, torch.tensor([[-5.0], [0.0]]))
        tensor([[3.],
                [4.]])
    """
    if _m.special_modes and ormqr in _m.modes.autocast:
        return _m.autocast(ormqr, input, input2, input3, left, transpose, out=out)
    need_flags("ormqr", left=left, transpose=transpose)
    need_tensors("ormqr", input=input, input2=input2, input3=input3)
    need_one_device("__ormqr", input, input2=input2, input3=input3)
    tau, other = input2, input3
    _check_factor(input, tau, other, -2 if left else -1)
    refuse_kinds("ormqr_cpu", "hiub", input)
    result: Tensor = apply(Ormqr(left, transpose), input, tau, other)
    if out is None:
        return result
    return copyto(out, result, "ormqr", (input, input2, input3))
