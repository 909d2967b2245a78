"""Neural networks: modules, parameters, layers and losses.

Begin with `modules/module.py`, then `modules/linear.py`; the mathematics of a layer is
a function of `edutorch/ops`, which `functional.py` gives its public name.

- `modules/`: `Module` and the layers, one file per family.
- `parameter.py`: `Parameter` and buffers.
- `functional.py`: `nn.functional`. `init.py`: `nn.init`; `trunc_normal.py` is part of
  it.
- `hooks.py`, `backward_hooks.py`: forward hooks; backward hooks of modules.
- `packed_sequence.py`: sequences of different lengths, padded or packed.
- `factories.py`: making the tensors that modules start with.
- `qualnames.py`: names of inherited methods, for error messages.
- `utils/`: `nn.utils`: clipping, parametrizations, pruning ...
- `attention.py`: `nn.attention`. `parallel/`: modules on several devices.
"""

from . import attention, functional, init, modules, parallel, parameter, utils
from .modules import *  # noqa: F403
from .parallel import DataParallel
from .parameter import Buffer, Parameter, UninitializedBuffer, UninitializedParameter

__all__ = [
    "Buffer", "DataParallel", "Parameter", "UninitializedBuffer",
    "UninitializedParameter",
    "attention", "functional", "init", "modules", "parallel", "parameter", "utils",
    *modules.__all__,
]  # fmt: skip
