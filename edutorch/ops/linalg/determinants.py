"""Determinants, and their logarithms."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.dispatch import Op, apply, apply1
from ...backends import array_module
from ...op_events import reported
from ...tensor.tensor import Tensor
from ..argument_checks import need_tensors
from ..matmul.array_products import ctranspose
from ..pointwise.conjugate import conj
from ..pointwise.ternary import where
from ..registration import composite, copyto, public
from ..return_types import return_type
from .checks import need_square
from .inverse_solve import inv

__all__ = ["det", "linalg_det", "linalg_slogdet", "logdet", "slogdet"]

slogdet_type = return_type("linalg_slogdet", "sign", "logabsdet")
old_slogdet_type = return_type("slogdet", "sign", "logabsdet")


class Det(Op):
    """Determinant of matrices.

    Math: y = det x      ∂L/∂x = g · y · x⁻ᵀ, which is g times the cofactors
    Shape: (*, n, n) -> (*)
    """

    torch_name = "LinalgDet"
    saves_output = True
    complex32_kernel = "lu_cpu"

    def check(self, x: Any) -> None:
        need_square("linalg.det", x, "lu_cpu")

    def forward(self, x: Any) -> Any:
        with np.errstate(all="ignore"):  # NumPy warns where it narrows to single
            return array_module(x).asarray(np.linalg.det(x)).astype(x.dtype)

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        if x.shape[-1] == 1:  # of which the determinant is the element
            return g[..., None, None]
        if isinstance(x, Tensor):
            if not x.numel():
                return x.new_zeros(x.shape)
            if not self.output._data.all():
                return g[..., None, None] * conj(minors(x))
            scale = g * conj(self.output)
            return scale[..., None, None] * ctranspose(inv(x))
        return np.asarray(g)[..., None, None] * _cofactors(x)


def _cofactors(x: Any) -> Any:
    """Cofactors from singular values, also for singular matrices."""
    u, s, vh = np.linalg.svd(x)
    n = s.shape[-1]
    others = np.where(np.eye(n, dtype=bool), 1, s[..., None, :]).prod(-1)
    sign = np.linalg.det(u) * np.linalg.det(vh)
    return ctranspose(
        ctranspose(vh) @ (others[..., None] * ctranspose(u)) * sign[..., None, None]
    )


def minors(x: Any) -> Any:
    """Cofactors from determinants, which are differentiable even for singular x.

    Math: y[i, j] = (-1)^(i+j) det(x without row i and column j)
    Shape: (*, n, n) -> (*, n, n)
    """
    n = x.shape[-1]
    others = np.array([[k for k in range(n) if k != i] for i in range(n)], np.int64)
    others = others.reshape(n, n - 1)
    rows, columns = others[:, None, :, None], others[None, :, None, :]
    parts = x[..., rows, columns]  # (*, n, n, n - 1, n - 1)
    i = np.arange(n)
    sign = 1 - 2 * ((i[:, None] + i) % 2)
    return apply1(Det(), parts) * sign.astype(x._data.real.dtype)


@public("det")
def det(input: Tensor) -> Tensor:
    """Determinant of square matrices, as `torch.linalg.det`.

    Math: y = det x      ∂L/∂x = g · y · x⁻ᵀ
    Shape: (*, n, n) -> (*)

    Raises:
        RuntimeError: if the input is not a square floating-point matrix.

    Example:
        >>> import edutorch as torch
        >>> torch.det(torch.tensor([[2.0, 0.0], [0.0, 4.0]]))
        tensor(8.)
    """
    need_tensors("det", input=input)
    return apply1(Det(), input)


def linalg_det(A: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Determinant of square matrices.

    Math: y = det x      ∂L/∂x = g · y · x⁻ᵀ
    Shape: (*, n, n) -> (*)

    Raises:
        RuntimeError: if the input is not a square floating-point matrix.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.det(torch.tensor([[2.0, 0.0], [0.0, 4.0]]))
        tensor(8.)
    """
    need_tensors("linalg_det", A=A)
    _refuse_resized(A, out)
    result = apply1(Det(), A)
    return result if out is None else copyto(out, result, "linalg_det", (A,))


def _refuse_resized(x: Tensor, out: Any) -> None:
    """Raise if `out` is one of the matrices, which would be resized before being read.

    Raises:
        RuntimeError: if they are one of `out`.
    """
    outs = out if isinstance(out, (tuple, list)) else (out,)
    if not any(o is x for o in outs):
        return
    kinds = (x.dtype, x.dtype.to_real())
    if any(
        getattr(o, "dtype", None) is not kind
        for o, kind in zip(outs, kinds, strict=False)
    ):
        return  # refused for its dtype
    if x.ndim == 2:
        raise RuntimeError(
            "torch.lu_factor: Expected tensor with 2 or more dimensions. Got size: [] "
            "instead"
        )
    if x.ndim == 3:
        raise RuntimeError(
            "tensor.mH is only supported on matrices or batches of matrices. Got 1-D "
            "tensor."
        )


class Slogdet(Op):
    """Sign and logarithm of the absolute value of the determinant.

    Math: y = (det x / |det x|, ln |det x|)      ∂L/∂x = g₂ · x⁻ᵀ
    Shape: (*, n, n) -> (*), (*)
    """

    torch_name = "LinalgSlogdet"
    multiple_outputs = True

    def check(self, x: Any) -> None:
        need_square("linalg.slogdet", x)

    def forward(self, x: Any) -> Any:
        sign, logarithm = np.linalg.slogdet(x)
        xp = array_module(x)
        return xp.asarray(sign, x.dtype), xp.asarray(logarithm).astype(x.real.dtype)

    def backward(self, g_sign: Any, g: Any) -> Any:
        x = self.inputs[0]
        if getattr(x, "_data", x).dtype.kind == "c":
            turn = conj(g_sign) * linalg_slogdet(x)[0]
            g = g - turn.imag * 1j  # the change of the phase with x
        return g[..., None, None] * ctranspose(inv(x))


def linalg_slogdet(A: Tensor, *, out: Any = None) -> Any:
    """Sign and logarithm of the absolute value of the determinant, without overflow.

    Math: y = (det x / |det x|, ln |det x|)      ∂L/∂x = g₂ · x⁻ᵀ
    Shape: (*, n, n) -> (*), (*)

    Raises:
        RuntimeError: if the input is not a square floating-point matrix.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.slogdet(torch.tensor([[2.0, 0.0], [0.0, 4.0]])).logabsdet
        tensor(2.0794)
    """
    need_tensors("linalg_slogdet", A=A)
    _refuse_resized(A, out)
    result = slogdet_type(*apply(Slogdet(), A))
    return result if out is None else copyto(out, result, "linalg_slogdet", (A,))


@public("slogdet")
def slogdet(input: Tensor, *, out: Any = None) -> Any:
    """Sign and log of the absolute value of the determinant: `torch.linalg.slogdet`.

    Math: y = (det x / |det x|, ln |det x|)      ∂L/∂x = g₂ · x⁻ᵀ
    Shape: (*, n, n) -> (*), (*)

    Raises:
        RuntimeError: if the input is not a square floating-point matrix.

    Example:
        >>> import edutorch as torch
        >>> torch.slogdet(torch.tensor([[2.0, 0.0], [0.0, 4.0]])).logabsdet
        tensor(2.0794)
    """
    need_tensors("slogdet", input=input)
    _refuse_resized(input, out)
    result = old_slogdet_type(*apply(Slogdet(), input))
    return result if out is None else copyto(out, result, "slogdet", (input,))


@public("logdet")
@composite
@reported
def logdet(input: Tensor) -> Tensor:
    """Logarithm of the determinant; nan if it is negative.

    Math: y = ln det x      ∂L/∂x = g · x⁻ᵀ
    Shape: (*, n, n) -> (*)

    Raises:
        RuntimeError: if the input is not a square floating-point matrix.

    Example:
        >>> import edutorch as torch
        >>> torch.logdet(torch.tensor([[2.0, 0.0], [0.0, 4.0]]))
        tensor(2.0794)
    """
    need_tensors("logdet", input=input)
    need_square("logdet", input)
    sign, logarithm = slogdet(input)
    if input.is_complex():
        return sign.log() + logarithm
    return where(sign == -1, float("nan"), logarithm)
