"""Tools for tests: comparing results, making tensors, checking printed text."""

from .comparison import assert_allclose, assert_close
from .filecheck import FileCheck
from .making import make_tensor

__all__ = ["FileCheck", "assert_allclose", "assert_close", "make_tensor"]
