"""Which rank writes which part of which tensor of a checkpoint."""

from __future__ import annotations

from typing import Any

from ...tensor.tensor import Tensor
from .flat_shard import FlatShard

__all__ = ["plan_writes", "tensor_metadata"]


def tensor_metadata(value: Any) -> dict[str, Any] | None:
    """The metadata of a tensor, or of a part of one; None for other values.

    Example:
        >>> import edutorch as torch
        >>> tensor_metadata(torch.ones(2, 3))
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


def plan_writes(rank: int, everything: list[dict[str, Any]]) -> dict[str, Any]:
    """The data that a rank writes: its parts of tensors, and its share of common data.

    Args:
        everything: the metadata of each rank's values, from `tensor_metadata`.

    Raises:
        ValueError: for a name under which ranks have different shapes or dtypes.

    Example:
        >>> weight = {"dtype": "float32", "shape": [2], "start": 0, "length": 2}
        >>> both = {"a": weight, "b": weight, "lr": None}
        >>> [sorted(plan_writes(rank, [both, both])) for rank in (0, 1)]
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
