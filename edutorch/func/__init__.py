"""Functions of functions: derivatives, batches, and modules as pure functions.

Derivatives:

- `reverse_mode.py`: `grad`, `grad_and_value`, `vjp`.
- `forward_mode.py`: `jvp`, `linearize`. `jacobians.py`: `jacrev`, `jacfwd`, `hessian`.
- `tracked_inputs.py`: shared by these. `unwrapping.py`: the values behind the tensors
  that transforms pass to functions.

Batches:

- `vmap_transform.py`: `vmap`.
- `batched_dispatch.py`: runs an op on a batch, by its rule or sample by sample.
- `batching_rules.py`: the rules. `conv_rules.py`, `index_rules.py`,
  `gradient_rules.py`: rules for convolutions, for indexing, and for ops used in
  gradients.
- `vmap_in_place.py`: in-place operations. `vmap_custom_function.py`: user Functions.

Others:

- `functional_modules.py`: `functional_call`, `stack_module_state`. The exchange of a
  module's tensors during a call is in `edutorch/nn/utils/stateless.py`.
- `einops.py`: `rearrange`.
"""

from . import vmap_custom_function  # noqa: F401 (registers user Functions with dispatch)
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
