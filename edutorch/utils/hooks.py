"""Hooks that are not saved with a tensor, and the public name of `RemovableHandle`."""

from __future__ import annotations

from typing import Any

from ..autograd.hooks import RemovableHandle
from ..ops.convert.copy_pickle import warn_of_hooks

__all__ = ["RemovableHandle", "unserializable_hook", "warn_if_has_hooks"]


def unserializable_hook(f: Any) -> Any:
    """Mark a hook that need not be saved: saving a tensor does not warn of it.

    Example:
        >>> import edutorch as torch
        >>> @torch.utils.hooks.unserializable_hook
        ... def double(g):
        ...     return 2 * g
        >>> double.__torch_unserializable__
        True
    """
    f.__torch_unserializable__ = True
    return f


def warn_if_has_hooks(tensor: Any) -> None:
    """Warn of the hooks on a tensor, which are not saved with it.

    Example:
        >>> import edutorch as torch
        >>> torch.utils.hooks.warn_if_has_hooks(torch.ones(1))
    """
    warn_of_hooks(tensor)
