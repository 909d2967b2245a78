"""Fourier transforms; `edutorch.fft` gives them their public names."""

from .frames import stft

__all__ = ["stft"]
