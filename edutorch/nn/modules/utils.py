"""Sizes given as one number for all dimensions, and prefixes in state dictionaries."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any

__all__ = ["consume_prefix_in_state_dict_if_present", "ntuple"]


def ntuple(value: Any, n: int) -> tuple[Any, ...]:
    """Repeat `value` `n` times, unless it is iterable.

    Example:
        >>> from edutorch.nn.modules.utils import ntuple
        >>> ntuple(3, 2), ntuple((1, 2), 2)
        ((3, 3), (1, 2))
    """
    return tuple(value) if isinstance(value, Iterable) else (value,) * n


# ---- PyTorch's names, which programs import


def _ntuple(n: int, name: str = "parse") -> Callable[[Any], tuple[Any, ...]]:
    """A function that applies `ntuple` with this n."""

    def repeated(x: Any) -> tuple[Any, ...]:
        return ntuple(x, n)

    repeated.__name__ = name
    return repeated


_single, _pair = _ntuple(1, "_single"), _ntuple(2, "_pair")
_triple, _quadruple = _ntuple(3, "_triple"), _ntuple(4, "_quadruple")


def _reverse_repeat_tuple(t: Iterable[Any], n: int) -> tuple[Any, ...]:
    """The entries in reverse order, each `n` times: padding in the order of `F.pad`."""
    return tuple(chain.from_iterable([x] * n for x in reversed(list(t))))


def consume_prefix_in_state_dict_if_present(
    state_dict: dict[str, Any], prefix: str
) -> None:
    """Remove a prefix from the names of a state, in place, where it is present.

    This is how states of `DataParallel` models are loaded into the bare model.

    Example:
        >>> import edutorch as torch
        >>> state = torch.nn.DataParallel(torch.nn.Linear(1, 1)).state_dict()
        >>> utils = torch.nn.modules.utils
        >>> utils.consume_prefix_in_state_dict_if_present(state, "module.")
        >>> list(state)
        ['weight', 'bias']
    """
    for key in list(state_dict):
        if key.startswith(prefix):
            state_dict[key[len(prefix) :]] = state_dict.pop(key)
    metadata = getattr(state_dict, "_metadata", None)
    if metadata is None:
        return
    for key in list(metadata):  # metadata has module names, which lack the last dot
        if key == prefix.rstrip("."):
            metadata[""] = metadata.pop(key)
        elif key.startswith(prefix):
            metadata[key[len(prefix) :]] = metadata.pop(key)
