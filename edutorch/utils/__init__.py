"""Tools around training: data sets and loaders, checkpointing."""

from ..tensor.swap_tensors import swap_tensors
from . import benchmark, checkpoint, data, dlpack, hooks

__all__ = ["benchmark", "checkpoint", "data", "dlpack", "hooks", "swap_tensors"]
