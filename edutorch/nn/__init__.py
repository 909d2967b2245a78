"""Neural networks: modules, parameters, layers and losses."""

from . import attention, functional, init, modules, parallel, parameter, utils
from .modules import *  # noqa: F403
from .parameter import Buffer, Parameter, UninitializedBuffer, UninitializedParameter

__all__ = [
    "Buffer", "Parameter", "UninitializedBuffer", "UninitializedParameter",
    "attention", "functional", "init", "modules", "parallel", "parameter", "utils",
    *modules.__all__,
]  # fmt: skip
