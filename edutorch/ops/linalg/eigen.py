"""Eigenvalues and eigenvectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd import modes as _m
from ...autograd.dispatch import Op, apply, apply1
from ...backends import array_module
from ...backends.meta import MetaArray, no_item_error
from ...tensor.tensor import Tensor
from ..argument_checks import need_tensors
from ..argument_errors import parser_errors
from ..matmul.array_products import ctranspose
from ..pointwise.conjugate import conj
from ..pointwise.ternary import where
from ..registration import copyto
from ..return_types import return_type
from . import lapack
from .checks import need_square, need_square_shape, not_converged_error

__all__ = ["eig", "eigh", "eigvals", "eigvalsh"]

eigh_type = return_type("linalg_eigh", "eigenvalues", "eigenvectors")
eig_type = return_type("linalg_eig", "eigenvalues", "eigenvectors")


def eye_of(x: Any) -> Any:
    """A boolean identity matrix for the last dimension of `x`."""
    return array_module(getattr(x, "_data", x)).eye(x.shape[-1], dtype=bool)


def inverse_gaps(w: Any, eye: Any) -> Any:
    """1 / (w[j] - w[i]), and 0 on the diagonal, for formulas."""
    difference = where(eye, 1, w[..., None, :] - w[..., :, None])
    with np.errstate(divide="ignore"):  # equal eigenvalues have no derivative
        return where(eye, 0, 1 / difference)


def saved_or_recomputed(op: Op) -> Any:
    """The saved results of an op, recomputed for second derivatives."""
    x = op.inputs[0]
    if not isinstance(x, Tensor):
        return op.saved
    fresh: Any = op.fresh_copy()
    results = apply(fresh, x)
    for node in (op, fresh):  # each gets a part of one gradient, in which phases count
        if hasattr(node, "partial"):  # the factors of QR have none
            node.partial.append(True)
    return results


def need_phase_invariance(op: Any, name: str, what: str, *pairs: Any) -> None:
    """Raise if gradients depend on the arbitrary phase of eigenvectors.

    Args:
        pairs: vectors and their gradients; Vᵀ gV has a real diagonal where the phase
            does not count.

    Raises:
        RuntimeError: in the words of PyTorch's `name`.
    """
    if op.partial or pairs[0][0].dtype.kind != "c":
        return
    along = sum((v.conj() * getattr(g, "_data", g)).sum(-2).imag for v, g in pairs)
    if type(along) is MetaArray:
        if len(pairs) == 1:
            return  # PyTorch asks for the number only of `svd`
        no_item_error()
    if (abs(along) > 1e-2).any():
        vectors = "singular vectors" if len(pairs) > 1 else "eigenvectors"
        raise RuntimeError(
            f"{name}: The {vectors} in the complex case are specified up to "
            "multiplication by e^{i phi}. The specified loss function depends on this "
            f"{what} ill-defined."
        )


def symmetric_eigen(x: Any, half: Any) -> Any:
    """Eigenvalues and eigenvectors of symmetric arrays, from one triangle.

    Raises:
        LinAlgError: for matrices with infinities or nan.
    """
    if x.dtype.kind in "biu":  # without elements, or refused
        return np.empty(x.shape[:-1], x.dtype), x.copy()
    try:
        return np.linalg.eigh(x, half)
    except np.linalg.LinAlgError:
        raise not_converged_error("linalg.eigh", x, "eigenvalues") from None


def triangle_of(UPLO: str, x: Tensor) -> str:
    """The triangle of symmetric matrices that is read: "L" or "U".

    Raises:
        RuntimeError: for anything else, and first for matrices that are not square.
    """
    if UPLO.upper() not in ("L", "U"):
        need_square_shape("linalg.eigh", x)
        raise RuntimeError(f"Expected UPLO argument to be 'L' or 'U', but got {UPLO}")
    return UPLO.upper()


QUANTITY = "quantity, so it is"


class Eigh(Op):
    """Eigenvalues and eigenvectors of symmetric matrices.

    Math: x = V diag(w) Vᵀ      ∂L/∂x = V (diag(gw) + (Vᵀ gV) / (w[j] - w[i])) Vᵀ,
          of which the symmetric part
    Shape: (*, n, n) -> (*, n), (*, n, n)
    Reference: Giles, 2008
    """

    torch_name = "LinalgEigh"
    partial: list[bool]  # shared by all copies of a node that backward makes
    attributes = ("UPLO",)
    multiple_outputs = True
    saves_extra = True
    saves_results = (0, 1)
    complex32_kernel = "linalg_eigh_cpu"

    def __init__(self, UPLO: str) -> None:
        self.UPLO = UPLO

    def check(self, x: Any) -> None:
        need_square("linalg.eigh", x, "linalg_eigh_cpu", integers=True)

    def forward(self, x: Any) -> Any:
        w, v = symmetric_eigen(x, self.UPLO)
        self.saved, self.partial = (w, lapack.column_major(v)), []
        return self.saved

    def backward(self, gw: Any, gv: Any) -> Any:
        need_phase_invariance(
            self, "linalg_eigh_backward", QUANTITY, (self.saved[1], gv)
        )
        w, v = saved_or_recomputed(self)
        eye = eye_of(v)
        inner = ctranspose(v) @ gv * inverse_gaps(w, eye) + where(
            eye, gw[..., None, :], 0
        )
        gx = v @ inner @ ctranspose(v)
        return (gx + ctranspose(gx)) / 2


@parser_errors
def eigh(input: Tensor, UPLO: str = "L", *, out: Any = None) -> Any:
    """Eigenvalues, ascending, and eigenvectors of symmetric matrices.

    Math: x = V diag(w) Vᵀ      ∂L/∂x = V (diag(gw) + (Vᵀ gV) / (w[j] - w[i])) Vᵀ
    Shape: (*, n, n) -> (*, n), (*, n, n)
    Reference: Giles, 2008

    Args:
        UPLO: which half is read, "L" or "U".

    Raises:
        RuntimeError: for another UPLO than "L" and "U".

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.eigh(torch.tensor([[2.0, 0.0], [0.0, 1.0]])).eigenvalues
        tensor([1., 2.])
    """
    if _m.special_modes and eigh in _m.modes.autocast:
        return _m.autocast(eigh, input, UPLO, out=out)
    need_tensors("linalg_eigh", input=input)
    result = eigh_type(*apply(Eigh(triangle_of(UPLO, input)), input))
    return result if out is None else copyto(out, result, "linalg_eigh", (input,))


class Eigvalsh(Op):
    """Eigenvalues of symmetric matrices.

    Math: y = w of x = V diag(w) Vᵀ      ∂L/∂x = V diag(g) Vᵀ
    Shape: (*, n, n) -> (*, n)
    """

    public = "eigvalsh"
    torch_name = "LinalgEigh"
    attributes = ("UPLO",)
    saves_extra = True
    complex32_kernel = "linalg_eigh_cpu"

    def __init__(self, UPLO: str) -> None:
        self.UPLO = UPLO

    def check(self, x: Any) -> None:
        need_square("linalg.eigh", x, "linalg_eigh_cpu", integers=True)

    def forward(self, x: Any) -> Any:
        self.saved = symmetric_eigen(x, self.UPLO)
        return self.saved[0]

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        v = eigh(x, self.UPLO)[1] if isinstance(x, Tensor) else self.saved[1]
        return v * g[..., None, :] @ ctranspose(v)


@parser_errors
def eigvalsh(input: Tensor, UPLO: str = "L", *, out: Tensor | None = None) -> Tensor:
    """Eigenvalues of symmetric matrices, ascending.

    Math: y = w of x = V diag(w) Vᵀ      ∂L/∂x = V diag(g) Vᵀ
    Shape: (*, n, n) -> (*, n)

    Raises:
        RuntimeError: if the input is not a square floating-point matrix.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.eigvalsh(torch.tensor([[2.0, 0.0], [0.0, 1.0]]))
        tensor([1., 2.])
    """
    if _m.special_modes and eigvalsh in _m.modes.autocast:
        return _m.autocast(eigvalsh, input, UPLO, out=out)
    need_tensors("linalg_eigvalsh", input=input)
    result = apply1(Eigvalsh(triangle_of(UPLO, input)), input)
    return result if out is None else copyto(out, result, "linalg_eigvalsh", (input,))


class Eig(Op):
    """Eigenvalues and eigenvectors of square matrices.

    Math: x V = V diag(w)
          ∂L/∂x = V⁻ᵀ (diag(gw) + (Vᵀ gV - Vᵀ V diag(Re(Vᵀ gV))) / conj(w[j] - w[i])) Vᵀ
    Shape: (*, n, n) -> (*, n), (*, n, n), complex
    Reference: Boeddeker et al., 2017
    """

    torch_name = "LinalgEig"
    partial: list[bool]  # shared by all copies of a node that backward makes
    caller = "linalg.eig"
    gives_vectors = True
    multiple_outputs = True
    saves_extra = True
    saves_results = (0, 1)
    complex32_kernel = "linalg_eig_out_cpu"

    def check(self, x: Any) -> None:
        if x._data.dtype.kind not in "fcV":
            raise RuntimeError(f"Unknown Complex ScalarType for {x.dtype.short}")
        caller = "linalg.eig" if x.requires_grad else self.caller
        need_square(caller, x, "linalg_eig_out_cpu")

    def forward(self, x: Any) -> Any:
        if not np.isfinite(x).all():
            raise RuntimeError(
                "torch.linalg.eig: input tensor should not contain infs or NaNs."
            )
        self.saved, self.partial = lapack.eig(x), []
        return self.saved

    def backward(self, gw: Any, gv: Any) -> Any:
        if self.gives_vectors:
            need_phase_invariance(
                self, "linalg_eig_backward", QUANTITY, (self.saved[1], gv)
            )
        w, v = saved_or_recomputed(self)
        eye = eye_of(v)
        vh = ctranspose(v)
        turned_gv = vh @ gv
        along = where(eye, turned_gv, 0).sum(-1).real
        inner = (turned_gv - vh @ v * along[..., None, :]) * conj(inverse_gaps(w, eye))
        inner = where(eye, gw[..., None, :], inner)
        return _solve(vh, inner @ vh)


def _solve(a: Any, b: Any) -> Any:
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
        y = ctranspose(self.output)
        return -(y @ g @ y)


class EigForValues(Eig):
    """`Eig`, of which only the eigenvalues are used."""

    public = "eigvals"
    torch_name = "LinalgEig"
    gives_vectors = False
    caller = "linalg.eigvals"
    complex32_kernel = "linalg_eig_out_cpu"


def eig(input: Tensor, *, out: Any = None) -> Any:
    """Complex eigenvalues and eigenvectors of square matrices.

    Math: x V = V diag(w)
          ∂L/∂x = V⁻ᴴ (diag(gw) + (Vᴴ gV - Vᴴ V diag(Re(Vᴴ gV))) / conj(w[j] - w[i])) Vᴴ
    Shape: (*, n, n) -> (*, n), (*, n, n), complex
    Reference: Boeddeker et al., 2017

    Raises:
        RuntimeError: if the input is not a square floating-point matrix.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.eig(torch.tensor([[2.0, 0.0], [0.0, 1.0]])).eigenvalues
        tensor([2.+0.j, 1.+0.j])
    """
    if _m.special_modes and eig in _m.modes.autocast:
        return _m.autocast(eig, input, out=out)
    need_tensors("linalg_eig", input=input)
    result = eig_type(*apply(Eig(), input))
    return result if out is None else copyto(out, result, "linalg_eig", (input,))


def eigvals(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Complex eigenvalues of square matrices.

    Math: y = w of x V = V diag(w)      ∂L/∂x = V⁻ᵀ diag(g) Vᵀ
    Shape: (*, n, n) -> (*, n), complex

    Raises:
        RuntimeError: if the input is not a square floating-point matrix.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.eigvals(torch.tensor([[2.0, 0.0], [0.0, 1.0]]))
        tensor([2.+0.j, 1.+0.j])
    """
    if _m.special_modes and eigvals in _m.modes.autocast:
        return _m.autocast(eigvals, input, out=out)
    need_tensors("linalg_eigvals", input=input)
    result: Tensor = apply(EigForValues(), input)[0]
    return result if out is None else copyto(out, result, "linalg_eigvals", (input,))
