"""Neural networks: modules, parameters, layers and losses."""

from . import functional, init, parameter, utils
from .module import Module
from .modules import *  # noqa: F403
from .parameter import Buffer, Parameter, UninitializedParameter

__all__ = [
    "Buffer", "Module", "Parameter", "UninitializedParameter", "functional", "init",
    "parameter", "utils",
]  # fmt: skip
