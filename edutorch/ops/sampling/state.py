"""Generators and seeds, with states that are tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...random import (
    Generator,
    default_generator,
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
)
from ...tensor.tensor import Tensor, wrap

__all__ = [
    "Generator",
    "default_generator",
    "get_rng_state",
    "initial_seed",
    "manual_seed",
    "seed",
    "set_rng_state",
]


def _state_array(state: Any) -> Any:
    if isinstance(state, np.ndarray):
        return state
    if not isinstance(state, Tensor):
        raise TypeError(f"expected a torch.ByteTensor, but got {type(state).__name__}")
    return np.ascontiguousarray(state.numpy(force=True))


# Generators are in a lower layer than tensors; here their states become tensors.
Generator._wrap_state = staticmethod(wrap)
Generator._unwrap_state = staticmethod(_state_array)
