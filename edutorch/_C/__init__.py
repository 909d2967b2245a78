"""Aliases for functions that PyTorch implements in C++; pickles use these names.

Nothing is defined here; every function is in `edutorch/ops`.

- `_nn.py`: functions of `nn.functional` under these names.
"""

from . import _nn

__all__ = ["_nn"]
