"""Creation of modules with uninitialised parameters."""

from __future__ import annotations

import inspect
from typing import Any

from ...random.generator import fork_rng
from ..modules.module import Module

__all__ = ["skip_init"]


def skip_init(module_cls: type[Module], *args: Any, **kwargs: Any) -> Module:
    """Create a module whose parameters are yet to be set; their values are unspecified.

    The random number generators stay as they were.

    Args:
        module_cls: its class; the arguments include `device`, where it is created.

    Raises:
        RuntimeError: for classes that are not modules, or that take no `device`.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.utils.skip_init(torch.nn.Linear, 5, 1)
        Linear(in_features=5, out_features=1, bias=True)
    """
    if not issubclass(module_cls, Module):
        raise RuntimeError(f"Expected a Module; got {module_cls}")
    if "device" not in inspect.signature(module_cls).parameters:
        raise RuntimeError("Module must support a 'device' arg to skip initialization")
    with fork_rng():
        return module_cls(*args, **kwargs)
