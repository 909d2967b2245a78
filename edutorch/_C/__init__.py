"""Where PyTorch keeps what it has written in C++: pickles name functions so.

Nothing is defined here; every function stands in `edutorch/ops`.

- `_nn.py`: functions of `nn.functional` under those names.
"""

from . import _nn

__all__ = ["_nn"]
