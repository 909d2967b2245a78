"""Optimizers of several processes, made in `edutorch.optim`, a higher layer.

`ZeroRedundancyOptimizer` is in `edutorch/optim/zero_redundancy_optimizer.py`,
`PostLocalSGDOptimizer` in `edutorch/optim/post_local_sgd_optimizer.py`.
"""

from __future__ import annotations

import importlib
from typing import Any

__all__: list[str] = []

MODULE_OF = {
    "PostLocalSGDOptimizer": "edutorch.optim.post_local_sgd_optimizer",
    "ZeroRedundancyOptimizer": "edutorch.optim.zero_redundancy_optimizer",
}


def __getattr__(name: str) -> Any:
    """Names that are imported on first use."""
    if name not in MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(MODULE_OF[name]), name)
