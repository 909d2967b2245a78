"""Utilities for training: data sets and loaders, checkpointing.

- `data/`: data sets, samplers, loaders and their workers.
- `checkpoint.py`: activation checkpointing, and how `use_reentrant=True` recomputes;
  `recompute.py`: how `use_reentrant=False` does.
- `benchmark.py`: `Timer`. `_pytree.py`: trees of containers.
- `dlpack.py`: memory shared with other libraries; `from_dlpack` itself is in
  `edutorch/ops/create/buffers.py`.
- `hooks.py`: hooks that are not saved with a tensor; `RemovableHandle` is in
  `edutorch/autograd/hooks.py`.
- `model_zoo.py`: an old name of `edutorch/hub.py`.
"""

from ..tensor.swap_tensors import swap_tensors
from . import benchmark, checkpoint, data, dlpack, hooks

__all__ = ["benchmark", "checkpoint", "data", "dlpack", "hooks", "swap_tensors"]
