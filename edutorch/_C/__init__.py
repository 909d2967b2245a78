"""Where PyTorch keeps what it has written in C++: pickles name functions so.

Nothing is defined here; every function stands in `edutorch/ops`.
"""

from . import _nn

__all__ = ["_nn"]
