"""Eigenvalues and singular values."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.op import Op, apply, apply1
from ...backends import array_module
from ...tensor.tensor import Tensor
from ..attach import into, public
from ..matmul.arrays import turned
from ..pointwise.arithmetic import conj
from ..pointwise.blend import where
from ..return_types import return_type
from . import lapack
from .checks import need_matrix, need_square, not_converged

__all__ = ["eig", "eigh", "eigvals", "eigvalsh", "svd", "svdvals"]

eigh_type = return_type("linalg_eigh", "eigenvalues", "eigenvectors")
eig_type = return_type("linalg_eig", "eigenvalues", "eigenvectors")
svd_type = return_type("linalg_svd", "U", "S", "Vh")
old_svd_type = return_type("svd", "U", "S", "V")


def eye_of(x: Any) -> Any:
    """A boolean unit matrix for the last dimension of `x`."""
    return array_module(getattr(x, "_data", x)).eye(x.shape[-1], dtype=bool)


def gaps(w: Any, eye: Any) -> Any:
    """1 / (w[j] - w[i]), and 0 on the diagonal, for formulas."""
    difference = w[..., None, :] - w[..., :, None]
    return where(eye, 0, 1 / where(eye, 1, difference))


def found(op: Op) -> Any:
    """What an op found: the saved arrays, or in second derivatives computed again."""
    x = op.inputs[0]
    return apply(op.again(), x) if isinstance(x, Tensor) else op.saved


class Eigh(Op):
    """Eigenvalues and eigenvectors of symmetric matrices.

    Math: x = V diag(w) Vᵀ      ∂L/∂x = V (diag(gw) + (Vᵀ gV) / (w[j] - w[i])) Vᵀ,
          of which the symmetric part
    Shape: (*, n, n) -> (*, n), (*, n, n)

    Reference: Giles, 2008
    """

    torch_name = "LinalgEigh"
    attributes = ("UPLO",)
    several = True
    saves_extra = True

    def __init__(self, UPLO: str) -> None:
        self.UPLO = UPLO

    def check(self, x: Any) -> None:
        need_square("linalg.eigh", x)

    def forward(self, x: Any) -> Any:
        self.saved = np.linalg.eigh(x, self.UPLO)  # type: ignore[call-overload]
        return tuple(self.saved)

    def backward(self, gw: Any, gv: Any) -> Any:
        w, v = found(self)
        eye = eye_of(v)
        inner = turned(v) @ gv * gaps(w, eye) + where(eye, gw[..., None, :], 0)
        gx = v @ inner @ turned(v)
        return (gx + turned(gx)) / 2


def eigh(A: Tensor, UPLO: str = "L", *, out: Any = None) -> Any:
    """Eigenvalues, ascending, and eigenvectors of symmetric matrices.

    Math: x = V diag(w) Vᵀ      ∂L/∂x = V (diag(gw) + (Vᵀ gV) / (w[j] - w[i])) Vᵀ
    Shape: (*, n, n) -> (*, n), (*, n, n)

    Args:
        UPLO: which half is read, "L" or "U".

    Raises:
        RuntimeError: for another UPLO than "L" and "U".

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.eigh(torch.tensor([[2.0, 0.0], [0.0, 1.0]])).eigenvalues
        tensor([1., 2.])
    """
    if UPLO.upper() not in ("L", "U"):
        raise RuntimeError(f"Expected UPLO argument to be 'L' or 'U', but got {UPLO}")
    result = eigh_type(*apply(Eigh(UPLO.upper()), A))
    return result if out is None else into(out, result)


class Eigvalsh(Op):
    """Eigenvalues of symmetric matrices.

    Math: ∂L/∂x = V diag(g) Vᵀ
    Shape: (*, n, n) -> (*, n)
    """

    public = "eigvalsh"
    torch_name = "LinalgEigh"
    attributes = ("UPLO",)
    saves_extra = True

    def __init__(self, UPLO: str) -> None:
        self.UPLO = UPLO

    def check(self, x: Any) -> None:
        need_square("linalg.eigvalsh", x)

    def forward(self, x: Any) -> Any:
        self.saved = np.linalg.eigh(x, self.UPLO)  # type: ignore[call-overload]
        return self.saved[0]

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        v = eigh(x, self.UPLO)[1] if isinstance(x, Tensor) else self.saved[1]
        return v * g[..., None, :] @ turned(v)


def eigvalsh(A: Tensor, UPLO: str = "L", *, out: Tensor | None = None) -> Tensor:
    """Eigenvalues of symmetric matrices, ascending.

    Math: ∂L/∂x = V diag(gw) Vᵀ
    Shape: (*, n, n) -> (*, n)

    Raises:
        RuntimeError: for what is no matrix of floating numbers; square for eigenvalues.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.eigvalsh(torch.tensor([[2.0, 0.0], [0.0, 1.0]]))
        tensor([1., 2.])
    """
    result = apply1(Eigvalsh(UPLO), A)
    return result if out is None else into(out, result)


class Eig(Op):
    """Eigenvalues and eigenvectors of square matrices.

    Math: x V = V diag(w)
          ∂L/∂x = V⁻ᵀ (diag(gw) + (Vᵀ gV - Vᵀ V diag(Re(Vᵀ gV))) / conj(w[j] - w[i])) Vᵀ
    Shape: (*, n, n) -> (*, n), (*, n, n), complex

    Reference: Boeddeker et al., 2017
    """

    torch_name = "LinalgEig"
    several = True
    saves_extra = True

    def check(self, x: Any) -> None:
        need_square("linalg.eig", x)

    def forward(self, x: Any) -> Any:
        if not np.isfinite(x).all():
            raise RuntimeError(
                "torch.linalg.eig: input tensor should not contain infs or NaNs."
            )
        self.saved = lapack.eig(x)
        return self.saved

    def backward(self, gw: Any, gv: Any) -> Any:
        w, v = found(self)
        eye = eye_of(v)
        vh = turned(v)
        turned_gv = vh @ gv
        along = where(eye, turned_gv, 0).sum(-1).real
        inner = (turned_gv - vh @ v * along[..., None, :]) * conj(gaps(w, eye))
        inner = where(eye, gw[..., None, :], inner)
        return _solved(vh, inner @ vh)


def _solved(a: Any, b: Any) -> Any:
    from_inverse = apply1(_InverseOnly(), a)
    return from_inverse @ b


class _InverseOnly(Op):
    """Inverse of matrices, for the formula of eigenvectors.

    Math: y = x⁻¹      ∂L/∂x = -yᵀ g yᵀ
    """

    saves = ()
    saves_output = True

    def forward(self, x: Any) -> Any:
        return np.linalg.inv(x)

    def backward(self, g: Any) -> Any:
        y = turned(self.output)
        return -(y @ g @ y)


def eig(A: Tensor, *, out: Any = None) -> Any:
    """Eigenvalues and eigenvectors of square matrices; complex.

    Math: x V = V diag(w)
          ∂L/∂x = V⁻ᴴ (diag(gw) + (Vᴴ gV - Vᴴ V diag(Re(Vᴴ gV))) / conj(w[j] - w[i])) Vᴴ
    Shape: (*, n, n) -> (*, n), (*, n, n), complex

    Raises:
        RuntimeError: for what is no matrix of floating numbers; square for eigenvalues.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.eig(torch.tensor([[2.0, 0.0], [0.0, 1.0]])).eigenvalues
        tensor([2.+0.j, 1.+0.j])
    """
    result = eig_type(*apply(Eig(), A))
    return result if out is None else into(out, result)


def eigvals(A: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Eigenvalues of square matrices; complex.

    Math: ∂L/∂x = V⁻ᵀ diag(gw) Vᵀ
    Shape: (*, n, n) -> (*, n), complex

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.eigvals(torch.tensor([[2.0, 0.0], [0.0, 1.0]]))
        tensor([2.+0.j, 1.+0.j])
    """
    result: Tensor = eig(A).eigenvalues
    return result if out is None else into(out, result)


def singular_values(x: Any, full: bool) -> tuple[Any, Any, Any]:
    """U, s and Vᵀ of arrays.

    Raises:
        LinAlgError: for matrices with infinities or nan.
    """
    try:
        return lapack.svd(x, full)
    except np.linalg.LinAlgError:
        raise not_converged("linalg.svd", x) from None


class Svd(Op):
    """Singular values and vectors.

    Math: x = U diag(s) Vᵀ
          ∂L/∂x = U (K(Uᵀ gU) s + s K(Vᵀ gV) + diag(gs)) Vᵀ + (1 - U Uᵀ) gU s⁻¹ Vᵀ
          + U s⁻¹ gVᵀ (1 - V Vᵀ), where K(y) = (y - yᵀ) / (s[j]² - s[i]²)
    Shape: (*, n, m) -> (*, n, k), (*, k), (*, k, m)

    Reference: Townsend, 2016
    """

    torch_name = "LinalgSvd"
    several = True
    saves_extra = True

    def check(self, x: Any) -> None:
        need_matrix("linalg.svd", x)

    def forward(self, x: Any) -> Any:
        self.saved = singular_values(x, full=False)
        return self.saved

    def backward(self, gu: Any, gs: Any, gvh: Any) -> Any:
        x = self.inputs[0]
        k = gs.shape[-1]
        u, s, vh = found(self)
        u, vh, gu, gvh = u[..., :k], vh[..., :k, :], gu[..., :k], gvh[..., :k, :]
        v, gv, uh = turned(vh), turned(gvh), turned(u)
        eye = eye_of(u)
        row, column = s[..., None, :], s[..., :, None]
        gap = gaps(s * s, eye)
        ku, kv = uh @ gu, vh @ gv
        inner = (ku - turned(ku)) * gap * row + column * ((kv - turned(kv)) * gap)
        inner = inner + where(eye, gs[..., None, :], 0)
        if getattr(x, "_data", x).dtype.kind == "c":
            # The phase that U and V share is free; its part along U is imaginary.
            inner = inner + where(eye, (ku - turned(ku)) / (2 * row), 0)
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
    """Singular values and complete bases of singular vectors.

    Shape: (*, n, m) -> (*, n, n), (*, min(n, m)), (*, m, m)
    """

    torch_name = "LinalgSvd"
    public = "svd"

    def forward(self, x: Any) -> Any:
        self.saved = singular_values(x, full=True)
        return self.saved


def svd(
    A: Tensor, full_matrices: bool = True, *, driver: str | None = None, out: Any = None
) -> Any:
    """Singular values, descending, and singular vectors.

    Math: x = U diag(s) Vᵀ
          ∂L/∂x = U (K(Uᵀ gU) s + s K(Vᵀ gV) + diag(gs)) Vᵀ + (1 - U Uᵀ) gU s⁻¹ Vᵀ
          + U s⁻¹ gVᵀ (1 - V Vᵀ), where K(y) = (y - yᵀ) / (s[j]² - s[i]²)
    Shape: (*, n, m) -> (*, n, n), (*, k), (*, m, m); (*, n, k) and (*, k, m) without
        `full_matrices`

    Raises:
        RuntimeError: for what is no matrix of floating numbers; square for eigenvalues.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.svd(torch.tensor([[3.0, 0.0], [0.0, 4.0]])).S
        tensor([4., 3.])
    """
    result = svd_type(*apply(FullSvd() if full_matrices else Svd(), A))
    return result if out is None else into(out, result)


@public("svd")
def old_svd(
    input: Tensor, some: bool = True, compute_uv: bool = True, *, out: Any = None
) -> Any:
    """Singular values and vectors in the older form: U, S, V (not transposed).

    Math: x = U diag(s) Vᵀ
    Shape: (*, n, m) -> (*, n, k), (*, k), (*, m, k)

    Example:
        >>> import edutorch as torch
        >>> torch.svd(torch.tensor([[3.0, 0.0], [0.0, 4.0]])).S
        tensor([4., 3.])
    """
    if compute_uv:
        u, s, vh = svd(input, full_matrices=not some)
        v = turned(vh)
    else:
        s = svdvals(input)
        *batch, n, m = input.shape
        u, v = input.new_zeros(*batch, n, n), input.new_zeros(*batch, m, m)
    result = old_svd_type(u, s, v)
    return result if out is None else into(out, result)


class Svdvals(Op):
    """Singular values.

    Math: ∂L/∂x = U diag(g) Vᵀ
    Shape: (*, n, m) -> (*, min(n, m))
    """

    public = "svdvals"
    torch_name = "LinalgSvd"

    def check(self, x: Any) -> None:
        need_matrix("linalg.svd", x)

    def forward(self, x: Any) -> Any:
        try:
            return np.linalg.svd(x, compute_uv=False)
        except np.linalg.LinAlgError:
            raise not_converged("linalg.svd", x) from None

    def backward(self, g: Any) -> Any:
        u, _, vh = reduced_svd(self.inputs[0])
        return u * g[..., None, :] @ vh


def svdvals(
    A: Tensor, *, driver: str | None = None, out: Tensor | None = None
) -> Tensor:
    """Singular values, descending.

    Math: ∂L/∂x = U diag(gs) Vᵀ
    Shape: (*, n, m) -> (*, min(n, m))

    Raises:
        RuntimeError: for what is no matrix of floating numbers; square for eigenvalues.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.svdvals(torch.tensor([[3.0, 0.0], [0.0, 4.0]]))
        tensor([4., 3.])
    """
    result = apply1(Svdvals(), A)
    return result if out is None else into(out, result)
