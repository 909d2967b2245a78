"""Fourier transforms and windows; `edutorch.fft` gives transforms their names."""

from . import short_time, windows
from .short_time import *  # noqa: F403
from .windows import *  # noqa: F403

__all__ = short_time.__all__ + windows.__all__
