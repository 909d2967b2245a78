"""Fourier transforms and windows; `edutorch.fft` has the transforms' public names.

- `fft_1d.py`, `fft_nd.py`: fft, rfft, fft2, fftn ...
- `arguments.py`: sizes, dimensions and `norm`, checked or by default; calls the ops.
- `dft.py`: the ops; cuts or pads to a size. `frequencies.py`: fftfreq, fftshift.
- `short_time_fourier.py`: stft, istft. `window_functions.py`: hann_window ...
"""

from . import short_time_fourier, window_functions
from .short_time_fourier import *
from .window_functions import *

__all__ = short_time_fourier.__all__ + window_functions.__all__
