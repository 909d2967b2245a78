"""PyTorch's names of functions that it has written in C++; pickles use these names.

Nothing is defined here; every function is in `edutorch/ops`.

- `_nn.py`: functions of `nn.functional` under those names.
"""

from . import _nn

__all__ = ["_nn"]
