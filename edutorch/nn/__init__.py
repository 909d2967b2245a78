"""Neural networks: modules, parameters, layers and losses.

Begin with `modules/module.py`, then `modules/linear.py`. The mathematics of a layer is
a function in `edutorch/ops`, made public by `functional.py`.

- `modules/`: `Module` and the layers, one file per family.
- `parameter.py`: `Parameter` and buffers.
- `functional.py`: `nn.functional`. `init.py`, `trunc_normal.py`: `nn.init`.
- `hooks.py`: registers global hooks, and calls all hooks around `forward`;
  `modules/module.py` registers those of a module. `backward_hooks.py`: the nodes that
  call backward hooks.
- `packed_sequence.py`: sequences of different lengths, padded or packed.
- `factories.py`: creates the initial tensors of modules.
- `qualnames.py`: names of inherited methods, for error messages.
- `utils/`: `nn.utils`: clipping, parametrizations, pruning ...
- `attention.py`: `nn.attention`. `parallel/`: modules on several devices.
"""

from . import attention, functional, init, modules, parallel, parameter, utils
from .modules import *
from .parallel import DataParallel
from .parameter import Buffer, Parameter, UninitializedBuffer, UninitializedParameter

__all__ = [
    "Buffer", "DataParallel", "Parameter", "UninitializedBuffer",
    "UninitializedParameter",
    "attention", "functional", "init", "modules", "parallel", "parameter", "utils",
    *modules.__all__,
]  # fmt: skip
