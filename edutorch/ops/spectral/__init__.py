"""Fourier transforms and windows; `edutorch.fft` gives transforms their names."""

from . import short_time_fourier, window_functions
from .short_time_fourier import *  # noqa: F403
from .window_functions import *  # noqa: F403

__all__ = short_time_fourier.__all__ + window_functions.__all__
