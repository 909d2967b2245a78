"""What a program lets checkpoints name, beside tensors, containers and numbers."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

__all__ = [
    "add_safe_globals", "clear_safe_globals", "find", "get_safe_globals", "is_allowed",
    "safe_globals",
]  # fmt: skip

HOME = __name__.partition(".")[0]
_allowed: dict[str, Any] = {}  # by the full name under which a pickle knows it


def add_safe_globals(safe_globals: Iterable[Any]) -> None:
    """Let `load` make objects of these classes, and call these functions.

    Args:
        safe_globals: classes and functions, or pairs of one and the name under which
            files know it. **What they do with a file's contents is up to them.**

    Example:
        >>> import edutorch as torch
        >>> torch.serialization.add_safe_globals([torch.nn.Linear])
        >>> torch.serialization.get_safe_globals()
        [<class 'edutorch.nn.modules.linear.Linear'>]
        >>> torch.serialization.clear_safe_globals()
    """
    for item in safe_globals:
        thing, name = item if isinstance(item, tuple) else (item, _name(item))
        _allowed[name] = thing


def _name(thing: Any) -> str:
    return f"{thing.__module__}.{thing.__qualname__}"


def clear_safe_globals() -> None:
    """Allow nothing any more that was allowed by `add_safe_globals`.

    Example:
        >>> import edutorch as torch
        >>> torch.serialization.clear_safe_globals()
    """
    _allowed.clear()


def get_safe_globals() -> list[Any]:
    """What `add_safe_globals` has allowed.

    Example:
        >>> import edutorch as torch
        >>> torch.serialization.get_safe_globals()
        []
    """
    return list(_allowed.values())


class safe_globals:  # noqa: N801 (used like a function)
    """`add_safe_globals` for a `with` block.

    Example:
        >>> import edutorch as torch, io
        >>> file = io.BytesIO()
        >>> torch.save(torch.nn.ReLU(), file)
        >>> _ = file.seek(0)
        >>> with torch.serialization.safe_globals([torch.nn.ReLU]):
        ...     torch.load(file)
        ReLU()
    """

    def __init__(self, safe_globals: Iterable[Any]) -> None:
        self.safe_globals = list(safe_globals)

    def __enter__(self) -> None:
        self.before = dict(_allowed)
        add_safe_globals(self.safe_globals)

    def __exit__(self, *exception: object) -> None:
        _allowed.clear()
        _allowed.update(self.before)


def find(module: str, name: str) -> Any:
    """What is allowed under a name; PyTorch's names mean edutorch's things.

    Raises:
        KeyError: if nothing is.
    """
    full = f"{module}.{name}"
    if full in _allowed:
        return _allowed[full]
    top, _, rest = module.partition(".")
    if top == "torch":
        own = sys.modules.get(f"{HOME}.{rest}" if rest else HOME)
        found = getattr(own, name, None)
        if is_allowed(found):
            return found
    raise KeyError(full)


def is_allowed(thing: Any) -> bool:
    """Whether a program has allowed this class or function."""
    return any(thing is other for other in _allowed.values())
