"""The state of an optimizer as a dictionary of numbers and tensors, and back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from copy import deepcopy
from typing import Any

from ..tensor.tensor import Tensor

__all__ = ["load_state", "pack_state"]

State = defaultdict[Any, dict[str, Any]]


def pack_state(state: State, groups: list[dict[str, Any]]) -> dict[str, Any]:
    """State and groups, with each parameter replaced by its number."""
    numbers: dict[int, int] = {}
    packed, first = [], 0
    for group in groups:
        new = (entry for entry in enumerate(group["params"], first)
               if id(entry[1]) not in numbers)  # fmt: skip
        numbers.update({id(p): number for number, p in new})  # twice in a group: last
        first += len(group["params"])
        settings = {k: v for k, v in group.items() if k != "params"}
        packed.append({**settings, "params": [numbers[id(p)] for p in group["params"]]})
    by_number = {
        (numbers[id(k)] if isinstance(k, Tensor) else k): v for k, v in state.items()
    }
    return {"state": by_number, "param_groups": packed}


def load_state(
    groups: list[dict[str, Any]], packed: dict[str, Any]
) -> tuple[State, list[dict[str, Any]]]:
    """State and groups of `pack_state`, with the parameters of `groups` in place.

    Raises:
        ValueError: if numbers of groups or parameters differ.
    """
    saved = deepcopy(packed["param_groups"])
    if len(saved) != len(groups):
        raise ValueError("loaded state dict has a different number of parameter groups")
    pairs = list(zip(groups, saved, strict=True))
    if any(len(mine["params"]) != len(new["params"]) for mine, new in pairs):
        raise ValueError(
            "loaded state dict contains a parameter group that doesn't match the size "
            "of optimizer's group"
        )
    parameters = {
        number: p
        for mine, new in pairs
        for number, p in zip(new["params"], mine["params"], strict=True)
    }
    state: State = defaultdict(dict)
    for number, values in packed["state"].items():
        p = parameters.get(number)
        state[number if p is None else p] = (
            values if p is None else _cast_like_parameter(p, values)
        )
    for mine, new in pairs:
        new["params"] = mine["params"]
        if "param_names" in mine:
            new.setdefault("param_names", mine["param_names"])
    return state, saved


def _cast_like_parameter(p: Tensor, value: Any, name: str = "") -> Any:
    """Loaded state in the parameter's dtype and on its device; step counts as is."""
    if isinstance(value, Tensor):
        if name == "step":
            return value
        return value.to(p.device, p.dtype if p.is_floating_point() else None)
    if isinstance(value, dict):
        return {k: _cast_like_parameter(p, v, k) for k, v in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str):
        kind: Any = type(value)
        return kind(_cast_like_parameter(p, v) for v in value)
    return value
