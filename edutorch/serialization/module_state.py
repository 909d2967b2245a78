"""State of PyTorch's modules that edutorch's do not have."""

from __future__ import annotations

from typing import Any

from ..nn.modules.rnn_base import RNNBase

__all__ = ["state_for_pytorch"]


def state_for_pytorch(thing: Any, state: Any) -> Any:
    """The state of an object, with what PyTorch's class of a module looks for."""
    if not isinstance(thing, RNNBase) or type(state) is not dict:
        return state
    return {
        **state,
        "_flat_weights_names": thing._flat_weights_names,
        "_flat_weights": thing._flat_weights,
    }
