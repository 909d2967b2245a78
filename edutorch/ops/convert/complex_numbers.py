"""Complex numbers, and conversion to pairs of real numbers."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from ...autograd import modes as _m
from ...autograd.dispatch import Op, apply1, apply2
from ...autograd.op_errors import broadcast_error
from ...backends import array_module
from ...errors import raise_if
from ...kernels.memory_format import match_strides
from ...tensor.complex_parts import COMPLEX32, imag_part, real_part
from ...tensor.storage import strided_view
from ...tensor.tensor import Tensor
from ..argument_checks import refuse_numbers, tensor_of
from ..pointwise.trigonometric import cos, sin
from ..promotion import refuse_dtype
from ..registration import attach, copyto
from .copy_fill import clone

__all__ = [
    "complex",
    "polar",
    "resolve_conj",
    "resolve_neg",
    "view_as_complex",
    "view_as_real",
]


def complex_of(dtype: Any) -> Any:
    """The complex NumPy dtype whose parts have the given dtype."""
    return COMPLEX32 if dtype == np.float16 else np.result_type(dtype, np.complex64)


class ViewAsReal(Op):
    """Real and imaginary parts as a last dimension of size 2, as a view.

    Math: y[.., 0] = Re x, y[.., 1] = Im x      ∂L/∂x = g[.., 0] + i · g[.., 1]
    """

    is_view = True
    keeps_elements = False
    saves = ()

    def forward(self, x: Any) -> Any:
        half = real_part(x)  # a view, in which every other number is left out
        shape, strides = (*x.shape, 2), (*x.strides, half.itemsize)
        return strided_view(half, shape, strides)

    def backward(self, g: Any) -> Any:
        return g[..., 0] + 1j * g[..., 1]


def view_as_real(input: Tensor) -> Tensor:
    """A view of complex numbers as pairs of real ones.

    Math: y[.., 0] = Re x, y[.., 1] = Im x      ∂L/∂x = g[.., 0] + i · g[.., 1]
    Shape: (*) -> (*, 2)

    Raises:
        RuntimeError: for real tensors.

    Example:
        >>> import edutorch as torch
        >>> torch.view_as_real(torch.tensor([1 + 2j]))
        tensor([[1., 2.]])
    """
    if isinstance(input, Tensor) and input._data.dtype.kind not in "cW":
        raise RuntimeError("view_as_real is only supported for complex tensors")
    if isinstance(input, Tensor) and input._conjugated:
        raise RuntimeError(
            "view_as_real doesn't work on unresolved conjugated tensors.  To resolve "
            "the conjugate tensor so you can view it as real, use self.resolve_conj(); "
            "however, be warned that the resulting tensor will NOT alias the original."
        )
    return apply1(ViewAsReal(), input)


class ViewAsComplex(Op):
    """Pairs of real numbers as complex ones, as a view.

    Math: y = x[.., 0] + i · x[.., 1]      ∂L/∂x = (Re g, Im g)
    """

    is_view = True
    keeps_elements = False
    saves = ()

    def check(self, x: Tensor) -> None:
        """Check that the last dimension contains contiguous pairs."""
        if x._data.dtype.kind != "f":
            raise RuntimeError(
                "view_as_complex is only supported for half, float and double tensors, "
                f"but got a tensor of scalar type: {x.dtype.short}"
            )
        if not x._data.ndim:
            raise RuntimeError("Input tensor must have one or more dimensions")
        if x._data.shape[-1] != 2:
            raise RuntimeError("Tensor must have a last dimension of size 2")
        if x.stride(-1) != 1:
            raise RuntimeError("Tensor must have a last dimension with stride 1")
        if any(s % 2 for s in x.stride()[:-1]) or x.storage_offset() % 2:
            raise RuntimeError(
                "Tensor must have a stride divisible by 2 for all but last dimension"
            )

    def forward(self, x: Any) -> Any:
        kind = complex_of(x.dtype)
        if not x.flags.c_contiguous and x.strides[-1] != x.itemsize:
            x = x.copy()
        return x.view(kind)[..., 0]

    def backward(self, g: Any) -> Any:
        return apply1(ViewAsReal(), g if g.ndim else g.reshape(()))


def view_as_complex(input: Tensor) -> Tensor:
    """A view of pairs of real numbers as complex ones.

    Math: y = x[.., 0] + i · x[.., 1]      ∂L/∂x = (Re g, Im g)
    Shape: (*, 2) -> (*)

    Raises:
        RuntimeError: if the last dimension holds no pairs.

    Example:
        >>> import edutorch as torch
        >>> torch.view_as_complex(torch.tensor([[1.0, 2.0]]))
        tensor([1.+2.j])
    """
    if _m.special_modes and view_as_complex in _m.modes.autocast:
        return _m.autocast(view_as_complex, input)
    return apply1(ViewAsComplex(), input)


class Complex(Op):
    """Complex numbers from their real and imaginary parts.

    Math: y = a + i · b      ∂L/∂a = Re g      ∂L/∂b = Im g
    """

    same_device = slice(None)
    saves: ClassVar[tuple[int, ...] | None] = ()
    takes_scalars = False
    forward_in_single = False

    def check(self, a: Tensor, b: Tensor) -> None:
        """Check that both parts are floating-point with the same dtype."""
        if a._data.dtype.kind != "f" or b._data.dtype.kind != "f":
            raise RuntimeError(
                "Expected both inputs to be Half, Float or Double tensors but got "
                f"{a.dtype.short} and {b.dtype.short}"
            )
        if a._data.dtype != b._data.dtype:
            raise RuntimeError(
                f"Expected object of scalar type {a.dtype.short} but got scalar type "
                f"{b.dtype.short} for second argument"
            )

    def forward(self, a: Any, b: Any) -> Any:
        a, b = np.broadcast_arrays(a, b)
        y = array_module(a).empty(a.shape, complex_of(a.dtype))
        real_part(y)[...] = a  # a + 1j · b would be nan for an infinite part
        imag_part(y)[...] = b
        return match_strides(y, a, b)

    def backward(self, g: Any) -> Any:
        return g.real, g.imag


def complex(real: Tensor, imag: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Complex numbers from real and imaginary parts.

    Math: y = a + i · b      ∂L/∂a = Re g      ∂L/∂b = Im g
    Shape: (*), (*) -> (*), broadcast

    Raises:
        RuntimeError: for other dtypes than one floating type.

    Example:
        >>> import edutorch as torch
        >>> torch.complex(torch.tensor([1.0]), torch.tensor([2.0]))
        tensor([1.+2.j])
    """
    refuse_numbers("complex", real=real, imag=imag)
    result = apply2(Complex(), real, imag)
    return result if out is None else copyto(out, result, "complex", (real, imag))


class Polar(Complex):
    """Complex numbers from their absolute values and angles.

    Math: y = r · (cos φ + i · sin φ)
          ∂L/∂r = Re g · cos φ + Im g · sin φ
          ∂L/∂φ = r · (Im g · cos φ − Re g · sin φ)
    """

    saves = (0, 1)

    def check(self, r: Tensor, phi: Tensor) -> None:
        super().check(r, phi)
        if r.dtype.itemsize == 2:
            raise_if(broadcast_error([tuple(r.shape), tuple(phi.shape)]))
            refuse_dtype("polar_cpu", r.dtype)

    def forward(self, r: Any, phi: Any) -> Any:
        return super().forward(r * np.cos(phi), r * np.sin(phi))

    def backward(self, g: Any) -> Any:
        r, phi = self.inputs
        gx, gy, c, s = g.real, g.imag, cos(phi), sin(phi)
        return gx * c + gy * s, r * (gy * c - gx * s)


def polar(abs: Tensor, angle: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Complex numbers from their absolute values and angles.

    Math: y = r · (cos φ + i · sin φ)
          ∂L/∂r = Re g · cos φ + Im g · sin φ
          ∂L/∂φ = r · (Im g · cos φ − Re g · sin φ)
    Shape: (*), (*) -> (*), broadcast

    Raises:
        RuntimeError: for other dtypes than one floating type of 32 or 64 bits.

    Example:
        >>> import edutorch as torch
        >>> torch.polar(torch.tensor([2.0]), torch.tensor([0.0]))
        tensor([2.+0.j])
    """
    if _m.special_modes and polar in _m.modes.autocast:
        return _m.autocast(polar, abs, angle, out=out)
    result = apply2(
        Polar(), tensor_of(abs, "polar", "abs"), tensor_of(angle, "polar", "angle")
    )
    return result if out is None else copyto(out, result, "polar", (abs, angle))


def resolve_conj(input: Tensor) -> Tensor:
    """A copy of a conjugated view, with the conjugation applied; others as they are.

    Math: y = x      ∂L/∂x = g
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> x = torch.ones(1)
        >>> torch.resolve_conj(x) is x
        True
    """
    return clone(input) if tensor_of(input, "resolve_conj")._conjugated else input


def resolve_neg(input: Tensor) -> Tensor:
    """A copy of a negated view, with the negation applied; others as they are.

    Math: y = x      ∂L/∂x = g
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([1j]).conj().imag
        >>> x.is_neg(), torch.resolve_neg(x).is_neg()
        (True, False)
    """
    return clone(input) if tensor_of(input, "resolve_neg")._negated else input


attach(resolve_conj=resolve_conj)
attach(resolve_neg=resolve_neg)
