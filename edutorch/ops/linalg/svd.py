"""Singular values and vectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd import modes as _m
from ...autograd.dispatch import Op, apply, apply1
from ...backends.meta import MetaArray
from ...tensor.tensor import Tensor
from ..argument_checks import need_flags, need_tensors
from ..matmul.array_products import ctranspose
from ..pointwise.ternary import where
from ..registration import copyto, public
from ..return_types import return_type
from . import lapack
from .checks import need_matrix, not_converged_error
from .eigen import eye_of, inverse_gaps, need_phase_invariance, saved_or_recomputed

__all__ = ["old_svd", "svd", "svdvals"]

svd_type = return_type("linalg_svd", "U", "S", "Vh")
old_svd_type = return_type("svd", "U", "S", "V")


def singular_values(x: Any, full: bool) -> tuple[Any, Any, Any]:
    """U, s and Vᵀ of arrays.

    Raises:
        LinAlgError: for matrices with infinities or nan.
    """
    try:
        u, s, vh = lapack.svd(x, full)
    except np.linalg.LinAlgError:
        raise not_converged_error("linalg.svd", x, "singular values") from None
    if type(x) is MetaArray:  # on the meta device PyTorch's result is row-major
        return lapack.column_major(u), s, vh.copy(order="C")
    return lapack.column_major(u), s, lapack.column_major(vh)


def singular_values_only(x: Any) -> Any:
    """Singular values of arrays.

    Raises:
        LinAlgError: for matrices with infinities or nan.
    """
    try:
        return np.linalg.svd(x, compute_uv=False)
    except np.linalg.LinAlgError:
        raise not_converged_error("linalg.svd", x, "singular values") from None


PHASE = "phase term, making it"


class Svd(Op):
    """Singular values and vectors.

    Math: x = U diag(s) Vᵀ
          ∂L/∂x = U (K(Uᵀ gU) s + s K(Vᵀ gV) + diag(gs)) Vᵀ + (1 - U Uᵀ) gU s⁻¹ Vᵀ
          + U s⁻¹ gVᵀ (1 - V Vᵀ), where K(y) = (y - yᵀ) / (s[j]² - s[i]²)
    Shape: (*, n, m) -> (*, n, k), (*, k), (*, k, m)
    Reference: Townsend, 2016
    """

    torch_name = "LinalgSvd"
    partial: list[bool]  # as in `Eigh`
    multiple_outputs = True
    saves_extra = True
    saves_results = (0, 1, 2)
    complex32_kernel = "linalg_svd_cpu"

    def check(self, x: Any) -> None:
        need_matrix("linalg.svd", x, "linalg_svd_cpu")

    def forward(self, x: Any) -> Any:
        self.saved, self.partial = singular_values(x, full=False), []
        return self.saved

    def backward(self, gu: Any, gs: Any, gvh: Any) -> Any:
        x = self.inputs[0]
        k = gs.shape[-1]
        u, _, vh = self.saved
        vectors = (
            (u[..., :k], gu[..., :k]),
            (ctranspose(vh)[..., :k], ctranspose(gvh)[..., :k]),
        )
        need_phase_invariance(self, "svd_backward", PHASE, *vectors)
        u, s, vh = saved_or_recomputed(self)
        u, vh, gu, gvh = u[..., :k], vh[..., :k, :], gu[..., :k], gvh[..., :k, :]
        v, gv, uh = ctranspose(vh), ctranspose(gvh), ctranspose(u)
        eye = eye_of(u)
        row, column = s[..., None, :], s[..., :, None]
        gap = inverse_gaps(s * s, eye)

        def over_gaps(y: Any) -> Any:  # K in the formula
            return (y - ctranspose(y)) * gap

        uu, vv = uh @ gu, vh @ gv
        inner = over_gaps(uu) * row + column * over_gaps(vv)
        inner = inner + where(eye, gs[..., None, :], 0)
        if getattr(x, "_data", x).dtype.kind == "c":
            # The phase that U and V share is free; its part along U is imaginary.
            inner = inner + where(eye, (uu - ctranspose(uu)) / (2 * row), 0)
        gx = u @ inner @ vh
        if x.shape[-2] > s.shape[-1]:
            outside = gu / row
            gx = gx + (outside - u @ (uh @ outside)) @ vh
        if x.shape[-1] > s.shape[-1]:
            outside = gvh / column
            gx = gx + u @ (outside - outside @ v @ vh)
        return gx


def reduced_svd(x: Any) -> Any:
    """The thin factors, for formulas."""
    return apply(Svd(), x)


class FullSvd(Svd):
    """Singular values with full bases of singular vectors.

    Shape: (*, n, m) -> (*, n, n), (*, min(n, m)), (*, m, m)
    """

    torch_name = "LinalgSvd"
    public = "svd"
    complex32_kernel = "linalg_svd_cpu"

    def forward(self, x: Any) -> Any:
        self.saved, self.partial = singular_values(x, full=True), []
        return self.saved


def svd(
    A: Tensor, full_matrices: bool = True, *, driver: str | None = None, out: Any = None
) -> Any:
    """Singular values in descending order, and singular vectors.

    Math: x = U diag(s) Vᵀ
          ∂L/∂x = U (K(Uᵀ gU) s + s K(Vᵀ gV) + diag(gs)) Vᵀ + (1 - U Uᵀ) gU s⁻¹ Vᵀ
          + U s⁻¹ gVᵀ (1 - V Vᵀ), where K(y) = (y - yᵀ) / (s[j]² - s[i]²)
    Shape: (*, n, m) -> (*, n, n), (*, k), (*, m, m); (*, n, k) and (*, k, m) without
        `full_matrices`
    Reference: Townsend, 2016

    Raises:
        RuntimeError: if the input is not a floating-point matrix.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.svd(torch.tensor([[3.0, 0.0], [0.0, 4.0]])).S
        tensor([4., 3.])
    """
    if _m.special_modes and svd in _m.modes.autocast:
        return _m.autocast(svd, A, full_matrices, driver=driver, out=out)
    need_tensors("linalg_svd", A=A)
    need_flags("linalg_svd", full_matrices=full_matrices)
    result = svd_type(*apply(FullSvd() if full_matrices else Svd(), A))
    return result if out is None else copyto(out, result, "linalg_svd", (A,))


@public("svd")
def old_svd(
    input: Tensor, some: bool = True, compute_uv: bool = True, *, out: Any = None
) -> Any:
    """Singular values and vectors in the deprecated form: U, S, V (not transposed).

    Math: x = U diag(s) Vᵀ      ∂L/∂x: as of `torch.linalg.svd`
    Shape: (*, n, m) -> (*, n, k), (*, k), (*, m, k)

    Raises:
        RuntimeError: if the input is not a floating-point matrix.

    Example:
        >>> import edutorch as torch
        >>> torch.svd(torch.tensor([[3.0, 0.0], [0.0, 4.0]])).S
        tensor([4., 3.])
    """
    if _m.special_modes and old_svd in _m.modes.autocast:
        return _m.autocast(old_svd, input, some, compute_uv, out=out)
    need_flags("svd", some=some, compute_uv=compute_uv)
    need_tensors("svd", input=input)
    if input.ndim < 2:
        raise RuntimeError(
            "linalg.svd: input should have at least 2 dimensions, but has "
            f"{input.ndim} dimensions instead"
        )
    if compute_uv:
        u, s, vh = svd(input, full_matrices=not some)
        v = ctranspose(vh)
    else:
        s = svdvals(input)
        *batch, n, m = input.shape
        u, v = input.new_zeros(*batch, n, n), input.new_zeros(*batch, m, m).mT
    result = old_svd_type(u, s, v)
    return result if out is None else copyto(out, result, "svd", (input,))


class Svdvals(Op):
    """Singular values.

    Math: y = s of x = U diag(s) Vᵀ      ∂L/∂x = U diag(g) Vᵀ
    Shape: (*, n, m) -> (*, min(n, m))
    """

    public = "svdvals"
    torch_name = "LinalgSvd"
    complex32_kernel = "linalg_svd_cpu"

    def check(self, x: Any) -> None:
        need_matrix("linalg.svd", x, "linalg_svd_cpu")

    def forward(self, x: Any) -> Any:
        return singular_values_only(x)

    def backward(self, g: Any) -> Any:
        u, _, vh = reduced_svd(self.inputs[0])
        return u * g[..., None, :] @ vh


def svdvals(
    A: Tensor, *, driver: str | None = None, out: Tensor | None = None
) -> Tensor:
    """Singular values in descending order.

    Math: y = s of x = U diag(s) Vᵀ      ∂L/∂x = U diag(g) Vᵀ
    Shape: (*, n, m) -> (*, min(n, m))

    Raises:
        RuntimeError: if the input is not a floating-point matrix.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.svdvals(torch.tensor([[3.0, 0.0], [0.0, 4.0]]))
        tensor([4., 3.])
    """
    if _m.special_modes and svdvals in _m.modes.autocast:
        return _m.autocast(svdvals, A, driver=driver, out=out)
    need_tensors("linalg_svdvals", A=A)
    result = apply1(Svdvals(), A)
    return result if out is None else copyto(out, result, "linalg_svdvals", (A,))
