"""The older name of `edutorch.func`, and its modules as functions.

For programs that `import functorch`: use `from edutorch import functorch`, or set
`sys.modules["functorch"] = edutorch.functorch` before they start.

- `modules.py`: modules as functions of tuples of tensors. `einops.py`: `rearrange`.
"""

from ..func import (
    functionalize,
    grad,
    grad_and_value,
    hessian,
    jacfwd,
    jacrev,
    jvp,
    vjp,
    vmap,
)
from . import einops
from .modules import (
    FunctionalModule,
    FunctionalModuleWithBuffers,
    combine_state_for_ensemble,
    make_functional,
    make_functional_with_buffers,
)

__all__ = [
    "FunctionalModule",
    "FunctionalModuleWithBuffers",
    "combine_state_for_ensemble",
    "einops",
    "functionalize",
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "make_functional",
    "make_functional_with_buffers",
    "vjp",
    "vmap",
]
