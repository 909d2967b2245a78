"""Operations that change dtype, device or memory, but not values.

- `to.py`: `to`: casts, and copies between devices. `dtype_methods.py`: `float`, `half`
  ...
- `copy_fill.py`: clone, copy_, fill_. `copy_pickle.py`: `copy` and `pickle`.
- `complex_numbers.py`, `real_imag.py`: complex numbers and their parts.
- `properties.py`: properties of tensors. `cpu_methods.py`: `apply_`, `map_` ...
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
from .complex_numbers import *  # noqa: F403
from .copy_fill import *  # noqa: F403
from .copy_pickle import *  # noqa: F403
from .cpu_methods import *  # noqa: F403
from .dtype_methods import *  # noqa: F403
from .properties import *  # noqa: F403
from .real_imag import *  # noqa: F403
from .to import *  # noqa: F403

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
