"""Conversions between dtypes, devices and Python; copying and filling.

- `to.py`: `to`: casts, and copies between devices. `dtype_methods.py`: `float`, `half`
  ...
- `copy_fill.py`: clone, copy_, fill_. `copy_pickle.py`: `copy` and `pickle`.
- `complex_numbers.py`: `complex`, `polar`, `view_as_real`, `view_as_complex`.
  `real_imag.py`: `real`, `imag`.
- `properties.py`: properties of tensors.
- `cpu_methods.py`: methods for the CPU's memory: `share_memory_`, `pin_memory`;
  `apply_` and `map_`, which call a Python function for each element ...
"""

from . import (
    complex_numbers,
    copy_fill,
    copy_pickle,
    cpu_methods,
    dtype_methods,
    properties,
    real_imag,
    to,
)
from .complex_numbers import *
from .copy_fill import *
from .copy_pickle import *
from .cpu_methods import *
from .dtype_methods import *
from .properties import *
from .real_imag import *
from .to import *

__all__ = (
    properties.__all__
    + cpu_methods.__all__
    + dtype_methods.__all__
    + to.__all__
    + complex_numbers.__all__
    + copy_fill.__all__
    + copy_pickle.__all__
    + real_imag.__all__
)
