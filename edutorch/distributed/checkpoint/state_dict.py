"""State dicts of sharded models and their optimizers, as `save` and `load` want them.

For modules that are not sharded, they equal those of `state_dict()`, except that the
optimizer's has names of parameters in place of numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...nn.modules.module import Module
from ...tensor.tensor import Tensor
from ..fsdp.state_dicts import (
    all_gather_shard,
    fsdp_params_by_name,
    full_state_dict,
    load_state_dict,
    local_elements,
    sharded_state_dict,
    to_flat_shard,
)

__all__ = [
    "StateDictOptions", "get_model_state_dict", "get_optimizer_state_dict",
    "set_model_state_dict", "set_optimizer_state_dict",
]  # fmt: skip


@dataclass
class StateDictOptions:
    """The contents of a state dict.

    Args:
        full_state_dict: whole tensors on every rank, not this rank's parts.

    Example:
        >>> from edutorch.distributed.checkpoint.state_dict import StateDictOptions
        >>> StateDictOptions(full_state_dict=True)
        StateDictOptions(full_state_dict=True)
    """

    full_state_dict: bool = False


def get_model_state_dict(
    model: Module, *, options: StateDictOptions | None = None
) -> dict[str, Any]:
    """The state of a model: parts of sharded parameters, or all; all ranks call this.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.distributed.checkpoint import state_dict
        >>> list(state_dict.get_model_state_dict(torch.nn.Linear(2, 1)))
        ['weight', 'bias']
    """
    if options is not None and options.full_state_dict:
        return full_state_dict(model)
    return sharded_state_dict(model)


def set_model_state_dict(model: Module, model_state_dict: Mapping[str, Any]) -> None:
    """Load the state of a model, in parts or whole.

    Raises:
        RuntimeError: for other names or shapes.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.distributed.checkpoint import state_dict
        >>> model, other = torch.nn.Linear(2, 1), torch.nn.Linear(2, 1)
        >>> state = state_dict.get_model_state_dict(model)
        >>> state_dict.set_model_state_dict(other, state)
        >>> torch.equal(model.weight, other.weight)
        True
    """
    load_state_dict(model, model_state_dict)


def get_optimizer_state_dict(
    model: Module, optimizer: Any, *, options: StateDictOptions | None = None
) -> dict[str, Any]:
    """The state of an optimizer, with the names of the model's parameters.

    Tensors with the shape of a parameter's shard are parts; with `full_state_dict`,
    they are gathered, and all ranks must call this.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.distributed.checkpoint import state_dict
        >>> model = torch.nn.Linear(2, 1, bias=False)
        >>> optimizer = torch.optim.SGD(model.parameters(), momentum=0.9)
        >>> model(torch.ones(1, 2)).sum().backward()
        >>> optimizer.step()
        >>> state_dict.get_optimizer_state_dict(model, optimizer)["state"]
        {'weight': {'momentum_buffer': tensor([[1., 1.]])}}
    """
    full = options is not None and options.full_state_dict
    names, params = _names(model, optimizer), fsdp_params_by_name(model)
    state = optimizer.state_dict()

    def shown(name: str, value: Any) -> Any:
        param, group = params[name]
        if not isinstance(value, Tensor) or value.shape != param.sharded_param.shape:
            return value
        part = to_flat_shard(param, value)
        return all_gather_shard(part, group) if full else part

    return {
        "state": {
            names[i]: {
                key: shown(names[i], value) if names[i] in params else value
                for key, value in values.items()
            }
            for i, values in state["state"].items()
        },
        "param_groups": [
            {**group, "params": [names[i] for i in group["params"]]}
            for group in state["param_groups"]
        ],
    }


def set_optimizer_state_dict(
    model: Module, optimizer: Any, optim_state_dict: Mapping[str, Any]
) -> None:
    """Load the state of an optimizer, in parts or whole.

    Raises:
        KeyError: for a name that the model does not have.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.distributed.checkpoint import state_dict
        >>> model = torch.nn.Linear(2, 1)
        >>> optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        >>> state = state_dict.get_optimizer_state_dict(model, optimizer)
        >>> state["param_groups"][0]["lr"] = 0.01
        >>> state_dict.set_optimizer_state_dict(model, optimizer, state)
        >>> optimizer.param_groups[0]["lr"]
        0.01
    """
    numbers = {name: i for i, name in _names(model, optimizer).items()}
    params = fsdp_params_by_name(model)

    def own(name: str, value: Any) -> Any:
        param = params[name][0] if name in params else None
        fits = param is not None and getattr(value, "shape", None) == param.shape
        return (
            local_elements(param, value).clone()
            if param is not None and fits
            else value
        )

    optimizer.load_state_dict(
        {
            "state": {
                numbers[name]: {key: own(name, value) for key, value in values.items()}
                for name, values in optim_state_dict["state"].items()
            },
            "param_groups": [
                {**group, "params": [numbers[name] for name in group["params"]]}
                for group in optim_state_dict["param_groups"]
            ],
        }
    )


def _names(model: Module, optimizer: Any) -> dict[int, str]:
    """The names of the optimizer's parameters, by their numbers in its state."""
    by_id = {id(p): name for name, p in model.named_parameters()}
    parameters = [p for group in optimizer.param_groups for p in group["params"]]
    return {i: by_id[id(p)] for i, p in enumerate(parameters)}
