"""Tools for tests: comparing results, making tensors, checking printed text.

- `comparison.py`: `assert_close`. `creation.py`: `make_tensor`. `filecheck.py`: text.
"""

from .comparison import assert_allclose, assert_close
from .creation import make_tensor
from .filecheck import FileCheck

__all__ = ["FileCheck", "assert_allclose", "assert_close", "make_tensor"]
