"""State dicts as flat dictionaries, and which rank writes which tensor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...tensor.tensor import Tensor
from .flat_shard import FlatShard

__all__ = ["Entry", "described", "flattened", "nested", "owned", "with_states"]

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
        """The keys with points between them."""
        return ".".join(str(key) for _, key in self.path)

    def put(self, value: Any) -> None:
        """Replace the value."""
        self.container[self.path[-1][1]] = value


def with_states(state_dict: Mapping[str, Any]) -> dict[str, Any]:
    """The state dicts of objects that have one (models, optimizers) in their place."""
    return {
        key: value.state_dict() if hasattr(value, "state_dict") else value
        for key, value in state_dict.items()
    }


def flattened(state: Any) -> list[Entry]:
    """All values of nested dictionaries and lists.

    Raises:
        ValueError: for two values with the same name.
        TypeError: for keys that are neither text nor integers.

    Example:
        >>> state = {"lr": 0.1, "state": {0: [1, 2]}}
        >>> [(entry.name, entry.value) for entry in flattened(state)]
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


def nested(values: Iterable[tuple[Path, Any]]) -> Any:
    """The dictionaries and lists that values come from.

    Example:
        >>> state = {"lr": 0.1, "state": {0: [1, 2]}}
        >>> nested((entry.path, entry.value) for entry in flattened(state)) == state
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
    return _with_lists(root, (), kinds)


def _with_lists(found: Any, path: Path, kinds: dict[Path, str]) -> Any:
    """Lists in place of the dictionaries of their places."""
    if path not in kinds:
        return found
    kind = kinds[path]
    filled = {k: _with_lists(v, (*path, (kind, k)), kinds) for k, v in found.items()}
    return filled if kind == "dict" else [filled[i] for i in sorted(filled)]


def described(value: Any) -> dict[str, Any] | None:
    """What metadata say of a tensor, or of a part; None for what is no tensor.

    Example:
        >>> import edutorch as torch
        >>> described(torch.ones(2, 3))
        {'dtype': 'float32', 'shape': [2, 3], 'start': 0, 'length': 6}
    """
    if isinstance(value, Tensor):
        start, count, tensor = 0, value.numel(), value
    elif isinstance(value, FlatShard):
        start, count, tensor = value.start, value.local.numel(), value.local
    else:
        return None
    dtype = str(tensor.dtype).removeprefix("torch.")
    shape = [int(n) for n in value.shape]
    return {"dtype": dtype, "shape": shape, "start": start, "length": count}


def owned(rank: int, everything: list[dict[str, Any]]) -> dict[str, Any]:
    """What a rank writes: its parts of tensors, and its share of what several have.

    Args:
        everything: what each rank has, as `described` tells it.

    Raises:
        ValueError: for a name under which ranks have different shapes or dtypes.

    Example:
        >>> weight = {"dtype": "float32", "shape": [2], "start": 0, "length": 2}
        >>> both = {"a": weight, "b": weight, "lr": None}
        >>> [sorted(owned(rank, [both, both])) for rank in (0, 1)]
        [['a', 'lr'], ['b']]
    """
    owners: dict[tuple[str, int, int], list[int]] = {}
    seen: dict[str, Any] = {}
    for r, entries in enumerate(everything):
        for name, entry in entries.items():
            kind = entry and (entry["dtype"], entry["shape"])
            if seen.setdefault(name, kind) != kind:
                raise ValueError(f"ranks disagree on {name}: {seen[name]} and {kind}")
            place = (entry["start"], entry["length"]) if entry else (0, 0)
            owners.setdefault((name, *place), []).append(r)
    found = {}
    for i, ((name, *_), ranks) in enumerate(owners.items()):
        if ranks[i % len(ranks)] == rank:
            found[name] = everything[rank][name]
    return found
