"""The tensors held by the variables of a running function."""

from __future__ import annotations

from inspect import CO_OPTIMIZED
from types import FrameType

from ..tensor.tensor import Tensor

__all__ = ["tensors_of"]


def tensors_of(frame: FrameType) -> dict[str, Tensor]:
    """The tensors held by the variables of a function or of its module.

    Example:
        >>> import sys
        >>> import edutorch as torch
        >>> weight = torch.ones(2)
        >>> tensors_of(sys._getframe())["weight"] is weight
        True
    """
    local = frame.f_locals
    held = {**frame.f_globals, **local}
    names = sorted(held, key=lambda name: (name.startswith("_"), name not in local))
    found = {name: held[name] for name in names if isinstance(held[name], Tensor)}
    if frame.f_code.co_flags & CO_OPTIMIZED and isinstance(local, dict):
        local.clear()  # before Python 3.13 a copy that would keep the values alive
    return found
