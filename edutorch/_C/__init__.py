"""Aliases for functions that PyTorch implements in C++; pickles use these names.

Nothing is defined here; functions are in `edutorch/ops`, and what subclasses of Tensor
use is in `edutorch/overrides.py`.

- `_nn.py`: functions of `nn.functional` under these names.
"""

from ..overrides import DisableTorchFunctionSubclass as DisableTorchFunctionSubclass
from ..overrides import _disabled_torch_function_impl as _disabled_torch_function_impl
from . import _nn

__all__ = ["_nn"]
