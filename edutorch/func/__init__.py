"""Functions of functions: derivatives, batches, and modules as pure functions.

Derivatives:

- `reverse_mode.py`: `grad`, `grad_and_value`, `vjp`.
- `forward_mode.py`: `jvp`, `linearize`. `jacobians.py`: `jacrev`, `jacfwd`, `hessian`.
- `tracked_inputs.py`: what these share. `unwrapping.py`: what is behind the tensors
  that transforms show.

Batches:

- `vmap_transform.py`: `vmap`.
- `batched_dispatch.py`: how an op runs on a batch: by its rule, or sample by sample.
- `batching_rules.py`: the rules. `conv_rules.py`, `index_rules.py`,
  `gradient_rules.py`: those of convolutions, of indices, of the ops that gradients are
  made of.
- `vmap_in_place.py`: in-place operations. `vmap_custom_function.py`: user Functions.

Others:

- `functional_modules.py`: `functional_call`, `stack_module_state`.
- `einops.py`: `rearrange`.
"""

from . import vmap_custom_function  # noqa: F401 (tells dispatch of user Functions)
from .einops import rearrange
from .forward_mode import jvp, linearize
from .functional_modules import (
    functional_call,
    replace_all_batch_norm_modules_,
    stack_module_state,
)
from .jacobians import hessian, jacfwd, jacrev
from .reverse_mode import grad, grad_and_value, vjp
from .unwrapping import debug_unwrap, functionalize
from .vmap_transform import vmap

__all__ = [
    "debug_unwrap",
    "functional_call",
    "functionalize",
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "linearize",
    "rearrange",
    "replace_all_batch_norm_modules_",
    "stack_module_state",
    "vjp",
    "vmap",
]
