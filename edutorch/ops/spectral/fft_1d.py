"""Fourier transforms along one dimension."""

from __future__ import annotations

from typing import Any

from ...autograd import modes as _m
from ...tensor.tensor import Tensor
from ..pointwise.conjugate import conj
from ..registration import composite, copyto
from .arguments import (
    check_points,
    check_real_out,
    check_transform,
    complex_transform,
    half_transform,
    hermitian_transform,
    opposite_norm,
    real_transform,
)

__all__ = ["fft", "hfft", "ifft", "ihfft", "irfft", "rfft"]


def fft(
    input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None,
    *, out: Tensor | None = None, axis: Any = None,
) -> Tensor:  # fmt: skip
    """Fourier transform along a dimension.

    Math: y[k] = scale · Σ x[j] e^(-2πi jk/n), scale 1 unless `norm` says otherwise
          ∂L/∂x[j] = scale · Σₖ g[k] e^(2πi jk/n)
    Shape: (.., m, ..) -> (.., n, ..)
    Reference: Cooley and Tukey, 1965

    Args:
        n: cut the input, or fill it with zeros, to this size first.
        norm: "backward" (scale 1), "ortho" (1/√n) or "forward" (1/n).

    Raises:
        RuntimeError: for a size that is not positive, an unknown `norm`, and half
            precision.

    Example:
        >>> import edutorch as torch
        >>> torch.fft.fft(torch.tensor([1.0, 0.0, 0.0, 0.0]))
        tensor([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j])
    """
    if _m.special_modes and fft in _m.modes.autocast:
        return _m.autocast(fft, input, n, dim, norm, out=out, axis=axis)
    dims, sizes = check_transform("fft_fft", input, n, dim, norm, axis)
    result = complex_transform(input, sizes, dims, norm, inverse=False)
    if out is None:
        return result
    return copyto(out, result, "fft_fft", (input,), variant=_variant(input))


def ifft(
    input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None,
    *, out: Tensor | None = None, axis: Any = None,
) -> Tensor:  # fmt: skip
    """Inverse of `fft`.

    Math: y[j] = scale · Σ x[k] e^(2πi jk/n), scale 1/n unless `norm` says otherwise
          ∂L/∂x[k] = scale · Σⱼ g[j] e^(-2πi jk/n)
    Shape: (.., m, ..) -> (.., n, ..)

    Raises:
        RuntimeError: for a size that is not positive, an unknown `norm`, and half
            precision.

    Example:
        >>> import edutorch as torch
        >>> torch.fft.ifft(torch.tensor([4.0, 0.0, 0.0, 0.0]))
        tensor([1.-0.j, 1.-0.j, 1.-0.j, 1.-0.j])
    """
    if _m.special_modes and ifft in _m.modes.autocast:
        return _m.autocast(ifft, input, n, dim, norm, out=out, axis=axis)
    dims, sizes = check_transform("fft_ifft", input, n, dim, norm, axis)
    result = complex_transform(input, sizes, dims, norm, inverse=True)
    if out is None:
        return result
    variant = _variant(input)
    copyto(out, result, "fft_ifft", (input,), variant=variant)
    return _conjugated(out, result) if variant else out


def _conjugated(out: Tensor, result: Tensor) -> Tensor:
    """The output, unless PyTorch's last step, which conjugates it, refuses its dtype.

    Raises:
        RuntimeError: for another precision than that of the result.
    """
    if out.dtype is not result.dtype:
        raise RuntimeError(
            f"Found dtype {out.dtype.short} but expected {result.dtype.short}"
        )
    return out


def _variant(input: Tensor) -> str:
    """The variant of the kernel: PyTorch has another one for real numbers."""
    return "" if input.is_complex() else "real"


def rfft(
    input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None,
    *, out: Tensor | None = None, axis: Any = None,
) -> Tensor:  # fmt: skip
    """Fourier transform of real numbers; half of the Hermitian result.

    Math: y[k] = scale · Σ x[j] e^(-2πi jk/n), k <= n/2
          ∂L/∂x[j] = scale · Re Σₖ g[k] e^(2πi jk/n), over these k
    Shape: (.., m, ..) -> (.., n/2 + 1, ..)

    Raises:
        RuntimeError: for a size that is not positive, an unknown `norm`, and half
            precision.

    Example:
        >>> import edutorch as torch
        >>> torch.fft.rfft(torch.tensor([1.0, 0.0, 0.0, 0.0]))
        tensor([1.+0.j, 1.+0.j, 1.+0.j])
    """
    if _m.special_modes and rfft in _m.modes.autocast:
        return _m.autocast(rfft, input, n, dim, norm, out=out, axis=axis)
    dims, sizes = check_transform("fft_rfft", input, n, dim, norm, axis)
    result = real_transform("rfft", input, sizes, dims, norm)
    return result if out is None else copyto(out, result, "fft_rfft", (input,))


def irfft(
    input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None,
    *, out: Tensor | None = None, axis: Any = None,
) -> Tensor:  # fmt: skip
    """Inverse of `rfft`: real numbers from half of a transform.

    Math: y[j] = scale · Σ x[k] e^(2πi jk/n) over both halves, scale 1/n by default
          ∂L/∂x[k] = scale · c Σⱼ g[j] e^(-2πi jk/n), c = 2 where x is mirrored, else 1
    Shape: (.., m, ..) -> (.., n, ..), n = 2 (m - 1) if not given

    Raises:
        RuntimeError: for a size that is not positive, an unknown `norm`, and half
            precision.

    Example:
        >>> import edutorch as torch
        >>> torch.fft.irfft(torch.tensor([4.0, 0.0, 0.0]))
        tensor([1., 1., 1., 1.])
    """
    if _m.special_modes and irfft in _m.modes.autocast:
        return _m.autocast(irfft, input, n, dim, norm, out=out, axis=axis)
    dims, sizes = check_transform("fft_irfft", input, n, dim, norm, axis)
    check_real_out("irfft", out)
    size = 2 * (sizes[0] - 1) if n is None else n
    check_points(size)
    result = half_transform(input, [size], dims, norm)
    return result if out is None else copyto(out, result, "fft_irfft", (input,))


@composite
def hfft(
    input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None,
    *, out: Tensor | None = None, axis: Any = None,
) -> Tensor:  # fmt: skip
    """Real Fourier transform of a Hermitian-symmetric signal, given one half.

    Math: as irfft(conj(x)), with the scale of `fft`
          ∂L/∂x[k] = scale · c Σⱼ g[j] e^(2πi jk/n), c = 2 where x is mirrored, else 1
    Shape: (.., m, ..) -> (.., n, ..), n = 2 (m - 1) if not given

    Raises:
        RuntimeError: for a size that is not positive, an unknown `norm`, and half
            precision.

    Example:
        >>> import edutorch as torch
        >>> torch.fft.hfft(torch.tensor([1.0, 0.0, 0.0]))
        tensor([1., 1., 1., 1.])
    """
    if _m.special_modes and hfft in _m.modes.autocast:
        return _m.autocast(hfft, input, n, dim, norm, out=out, axis=axis)
    dims, sizes = check_transform("fft_hfft", input, n, dim, norm, axis)
    check_real_out("hfft", out)
    size = 2 * (sizes[0] - 1) if n is None else n
    check_points(size)
    result = hermitian_transform(input, [size], dims, norm)
    return result if out is None else copyto(out, result, "fft_hfft", (input,))


@composite
def ihfft(
    input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None,
    *, out: Tensor | None = None, axis: Any = None,
) -> Tensor:  # fmt: skip
    """Inverse of `hfft`: half of a Hermitian-symmetric signal.

    Math: as conj(rfft(x)), with the scale of `ifft`
          ∂L/∂x[j] = scale · Re Σₖ g[k] e^(-2πi jk/n)
    Shape: (.., m, ..) -> (.., n/2 + 1, ..)

    Raises:
        RuntimeError: for a size that is not positive, an unknown `norm`, and half
            precision.

    Example:
        >>> import edutorch as torch
        >>> torch.fft.ihfft(torch.tensor([4.0, 0.0, 0.0, 0.0])).real
        tensor([1., 1., 1.])
    """
    if _m.special_modes and ihfft in _m.modes.autocast:
        return _m.autocast(ihfft, input, n, dim, norm, out=out, axis=axis)
    dims, sizes = check_transform("fft_ihfft", input, n, dim, norm, axis)
    check_points(sizes[0])
    half = real_transform("ihfft", input, sizes, dims, opposite_norm(norm))
    result: Tensor = conj(half)
    if out is None:
        return result
    copyto(out, result, "fft_ihfft", (input,), variant="real")
    return _conjugated(out, result)
