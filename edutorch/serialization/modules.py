"""What PyTorch's modules have in their state that edutorch's do without."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from ..nn.hooks import HOOK_TABLES
from ..nn.modules.module import Module
from ..nn.modules.rnn_base import RNNBase

__all__ = ["state_for_pytorch"]


def state_for_pytorch(thing: Any, state: Any) -> Any:
    """The state of an object, with what PyTorch's class of a module looks for.

    A module with hooks is left as it is: they are kept in another way here.
    """
    if not isinstance(thing, Module) or type(state) is not dict:
        return state
    if state.get("_module_hooks") is not None:
        return state
    known = {name: value for name, value in state.items() if name != "_module_hooks"}
    known |= {name: OrderedDict() for name in sorted(HOOK_TABLES)}
    known["_is_full_backward_hook"] = None
    if isinstance(thing, RNNBase):
        known["_flat_weights_names"] = thing._flat_weights_names
        known["_flat_weights"] = thing._flat_weights
    return known
