"""Names that a program allows in checkpoints, in addition to the default ones."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .torch_names import torch_name

__all__ = [
    "BLOCKED", "add_safe_globals", "clear_safe_globals", "find", "get_safe_globals",
    "is_allowed", "safe_globals",
]  # fmt: skip

BLOCKED = ("sys", "os", "posix", "nt")  # modules of which nothing is ever allowed
_allowed: dict[Any, None] = {}  # in the order in which they came


def add_safe_globals(safe_globals: Iterable[Any]) -> None:
    """Allow `load` to create objects of these classes and to call these functions.

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
    _allowed.update(dict.fromkeys(safe_globals))


def clear_safe_globals() -> None:
    """Revoke everything allowed by `add_safe_globals`.

    Example:
        >>> import edutorch as torch
        >>> torch.serialization.clear_safe_globals()
    """
    _allowed.clear()


def get_safe_globals() -> list[Any]:
    """Everything allowed by `add_safe_globals`.

    Example:
        >>> import edutorch as torch
        >>> torch.serialization.get_safe_globals()
        []
    """
    return list(_allowed)


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
        add_safe_globals(self.safe_globals)

    def __exit__(self, *exception: object) -> None:
        for item in self.safe_globals:
            _allowed.pop(item, None)


def find(module: str, name: str) -> Any:
    """The global allowed under a name; PyTorch's names stand for edutorch's.

    Raises:
        KeyError: if nothing is.
        ValueError: if a tuple was allowed that is not a pair.
        TypeError: if the second item of an allowed pair is not a string.
    """
    full = f"{module}.{name}"
    for item in _allowed:
        thing, known_as = _named(item)
        if full in known_as:
            return thing
    raise KeyError(full)


def _named(item: Any) -> tuple[Any, tuple[str, ...]]:
    """Allowed globals and their full names."""
    if not isinstance(item, tuple):
        own = f"{item.__module__}.{item.__qualname__}"
        return item, (own, ".".join(torch_name(item) or (own,)))
    if len(item) != 2:
        raise ValueError(
            "Expected tuple of length 2 (global, str of callable full path), but got "
            f"tuple of length: {len(item)}"
        )
    thing, name = item
    if type(name) is not str:
        raise TypeError(
            "Expected second item in tuple to be str of callable full path, but got: "
            f"{type(name)}"
        )
    return thing, (name,)


def is_allowed(thing: Any) -> bool:
    """Whether a program has allowed this class or function."""
    return any(thing is _named(item)[0] for item in _allowed)
