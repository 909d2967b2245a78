"""Nested state dicts as flat ones, and back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Entry", "expand_stateful", "flatten", "unflatten"]

Path = tuple[tuple[str, str | int], ...]


@dataclass
class Entry:
    """One value of nested dictionaries and lists.

    Attributes:
        path: the containers on the way to it: ("dict" or "list", its key there).
    """

    path: Path
    value: Any
    container: Any

    @property
    def name(self) -> str:
        """The keys, separated by dots."""
        return ".".join(str(key) for _, key in self.path)

    def put(self, value: Any) -> None:
        """Replace the value."""
        self.container[self.path[-1][1]] = value


def expand_stateful(state_dict: Mapping[str, Any]) -> dict[str, Any]:
    """Replace objects that have a state dict (models, optimizers) by it."""
    return {
        key: value.state_dict() if hasattr(value, "state_dict") else value
        for key, value in state_dict.items()
    }


def flatten(state: Any) -> list[Entry]:
    """All values of nested dictionaries and lists.

    Raises:
        ValueError: for two values with the same name.
        TypeError: for keys that are neither text nor integers.

    Example:
        >>> state = {"lr": 0.1, "state": {0: [1, 2]}}
        >>> [(entry.name, entry.value) for entry in flatten(state)]
        [('lr', 0.1), ('state.0.0', 1), ('state.0.1', 2)]
    """
    entries = list(_walk(state, ()))
    twice = [name for name, n in Counter(e.name for e in entries).items() if n > 1]
    if twice:
        raise ValueError(f"several values of the state dict are named {twice[0]!r}")
    return entries


def _walk(state: Any, path: Path) -> Iterator[Entry]:
    kind = "dict" if isinstance(state, dict) else "list"
    items = state.items() if kind == "dict" else enumerate(state)
    for key, value in list(items):
        if not isinstance(key, str | int):
            raise TypeError(f"the key {key!r} of a state dict is neither text nor int")
        inner = (*path, (kind, key))
        if isinstance(value, dict | list) and value:
            yield from _walk(value, inner)
        else:
            yield Entry(inner, value, state)


def unflatten(values: Iterable[tuple[Path, Any]]) -> Any:
    """The dictionaries and lists that values come from.

    Example:
        >>> state = {"lr": 0.1, "state": {0: [1, 2]}}
        >>> unflatten((entry.path, entry.value) for entry in flatten(state)) == state
        True
    """
    root: dict[str | int, Any] = {}
    kinds: dict[Path, str] = {}
    for path, value in values:
        here = root
        for depth, (kind, key) in enumerate(path):
            kinds[path[:depth]] = kind
            if depth + 1 < len(path):
                here = here.setdefault(key, {})
            else:
                here[key] = value
    return _restore_lists(root, (), kinds)


def _restore_lists(found: Any, path: Path, kinds: dict[Path, str]) -> Any:
    """Turn dictionaries of positions back into lists."""
    if path not in kinds:
        return found
    kind = kinds[path]
    filled = {k: _restore_lists(v, (*path, (kind, k)), kinds) for k, v in found.items()}
    return filled if kind == "dict" else [filled[i] for i in sorted(filled)]
