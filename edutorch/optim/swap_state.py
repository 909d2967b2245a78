"""Exchange the parameters and the state of an optimizer temporarily."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..tensor.tensor import Tensor
from .optimizer import Optimizer

__all__ = ["swap_in_optimizer_params_and_state"]

NEEDS = "swap_in_optimizer_params_and_state requires "


@contextmanager
def swap_in_optimizer_params_and_state(
    optimizer: Optimizer,
    swapin_parameters: dict[str, Tensor],
    swapin_optim_state: dict[str, Any],
) -> Iterator[None]:
    """Use an optimizer with other parameters and another state, inside a block.

    Afterwards it has its own again. What it changes in place, it changes in the
    tensors that were given.

    Args:
        optimizer: with a state, so after a step.
        swapin_parameters: the other parameters, in the order of the optimizer's.
        swapin_optim_state: state and settings, as `state_dict` gives them.

    Raises:
        RuntimeError: for another form of state, or numbers that do not fit.

    Example:
        >>> import edutorch as torch
        >>> p, q = (torch.nn.Parameter(torch.ones(1)) for _ in range(2))
        >>> optimizer = torch.optim.SGD([p], lr=0.5, momentum=0.9)
        >>> p.grad, q.grad = torch.zeros(1), torch.ones(1)
        >>> optimizer.step()
        >>> state, swap = optimizer.state_dict(), torch.optim
        >>> with swap.swap_in_optimizer_params_and_state(optimizer, {"q": q}, state):
        ...     optimizer.step()
        >>> p.item(), q.item()
        (1.0, 0.5)
    """
    groups = _checked_groups(optimizer, swapin_optim_state)
    others = _tensors_by_group(list(swapin_parameters.values()), groups)
    state = _checked_state(swapin_optim_state.get("state"), groups)
    own_state, own_groups = optimizer.state, [dict(g) for g in optimizer.param_groups]
    numbered = {
        number: p
        for group, params in zip(groups, others, strict=True)
        for number, p in zip(group["params"], params, strict=True)
    }
    optimizer.state = defaultdict(
        dict, {numbered[number]: dict(values) for number, values in state.items()}
    )
    live = optimizer.param_groups
    for group, new, params in zip(live, groups, others, strict=True):
        group.update(new, params=params)
    try:
        yield
    finally:
        optimizer.state = own_state
        for group, own in zip(live, own_groups, strict=True):
            group.clear()
            group.update(own)


def _checked_groups(optimizer: Optimizer, packed: Any) -> list[dict[str, Any]]:
    """The groups of a packed state, which must be like the optimizer's."""
    if not optimizer.state:
        raise RuntimeError(NEEDS + "initialized optimizer state.")
    if not isinstance(packed, dict):
        raise RuntimeError(NEEDS + "a DCP-style optimizer state_dict.")
    groups = packed.get("param_groups")
    if not isinstance(groups, list):
        raise RuntimeError(
            f"{NEEDS}swapin_optim_state['param_groups'] to be a list of param-group "
            f"dicts, got {type(groups).__name__}."
        )
    if len(groups) != len(optimizer.param_groups):
        raise RuntimeError(
            "swapin_optim_state has a different number of parameter groups than the "
            "live optimizer."
        )
    for i, (live, group) in enumerate(zip(optimizer.param_groups, groups, strict=True)):
        _check_group(i, live, group)
    return groups


def _check_group(i: int, live: dict[str, Any], group: Any) -> None:
    if not isinstance(group, dict):
        raise RuntimeError(f"{NEEDS}each optimizer param group to be a dictionary.")
    numbers = group.get("params")
    if not isinstance(numbers, list) or not all(isinstance(n, int) for n in numbers):
        raise RuntimeError(
            f"{NEEDS}optimizer.state_dict()-style param_groups[*]['params'] entries "
            "keyed by packed parameter ids."
        )
    if len(numbers) != len(live["params"]):
        raise RuntimeError(
            f"swapin_optim_state param group {i} has a different number of params than "
            "the live optimizer param group."
        )
    only = [k for k in group if k not in live], [k for k in live if k not in group]
    if any(only):
        raise RuntimeError(
            f"{NEEDS}optimizer.state_dict()-style param group keys to exactly match "
            f"the live optimizer group keys for group {i}. Keys only in swap-in: "
            f"{only[0]}. Keys only in live: {only[1]}."
        )


def _tensors_by_group(
    tensors: list[Tensor], groups: list[dict[str, Any]]
) -> list[list[Tensor]]:
    """The other parameters, group by group."""
    shares, start = [], 0
    for group in groups:
        stop = start + len(group["params"])
        if stop > len(tensors):
            raise RuntimeError(
                f"{NEEDS}the explicit parameter state to match optimizer.param_groups "
                "ordering."
            )
        shares.append(tensors[start:stop])
        start = stop
    return shares


def _checked_state(state: Any, groups: list[dict[str, Any]]) -> dict[int, Any]:
    """The state of parameters in the groups, by their numbers."""
    if not isinstance(state, dict):
        raise RuntimeError(
            f"{NEEDS}swapin_optim_state['state'] to be a dict mapping packed parameter "
            f"ids to per-param state dicts, got {type(state).__name__}."
        )
    if any(isinstance(key, Tensor) for key in state):
        raise RuntimeError(
            f"{NEEDS}optimizer.state_dict()-style state keyed by packed parameter ids."
        )
    if not all(isinstance(values, dict) for values in state.values()):
        raise RuntimeError(
            f"{NEEDS}per-parameter optimizer state entries to be dictionaries."
        )
    known = {number for group in groups for number in group["params"]}
    extra = [key for key in state if key not in known]
    if extra:
        raise RuntimeError(
            f"{NEEDS}swapin_optim_state['state'] to be keyed only by packed parameter "
            f"ids from param_groups[*]['params']; got extra keys {extra!r}."
        )
    return state
