"""Discrete Fourier transforms, as `torch.fft`."""

from __future__ import annotations

from .ops.spectral.fft_1d import fft, hfft, ifft, ihfft, irfft, rfft
from .ops.spectral.fft_nd import (
    fft2,
    fftn,
    hfft2,
    hfftn,
    ifft2,
    ifftn,
    ihfft2,
    ihfftn,
    irfft2,
    irfftn,
    rfft2,
    rfftn,
)
from .ops.spectral.frequencies import fftfreq, fftshift, ifftshift, rfftfreq
from .tensor.tensor import Tensor

__all__ = [
    "Tensor",
    "fft",
    "fft2",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "hfft2",
    "hfftn",
    "ifft",
    "ifft2",
    "ifftn",
    "ifftshift",
    "ihfft",
    "ihfft2",
    "ihfftn",
    "irfft",
    "irfft2",
    "irfftn",
    "rfft",
    "rfft2",
    "rfftfreq",
    "rfftn",
]
