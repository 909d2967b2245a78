"""Functions of functions: derivatives, batches, and modules as pure functions."""

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
