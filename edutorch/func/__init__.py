"""Functions of functions: derivatives, batches, and modules as pure functions."""

from . import custom  # noqa: F401 (tells the gate of user Functions)
from .derivatives import grad, grad_and_value, vjp
from .einops import rearrange
from .forward import jvp, linearize
from .jacobians import hessian, jacfwd, jacrev
from .mapping import vmap
from .modules import (
    functional_call,
    replace_all_batch_norm_modules_,
    stack_module_state,
)
from .unwrapping import debug_unwrap, functionalize

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
