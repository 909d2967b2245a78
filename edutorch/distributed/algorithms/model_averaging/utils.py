"""Averages of parameters over the ranks of a group."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ....nn.parameter import Parameter
from ....ops.shape.joining import cat
from ....tensor.tensor import Tensor
from ...collectives.reductions import all_reduce
from ...groups.group_registry import get_world_size, resolve_group

__all__ = [
    "average_parameters", "average_parameters_or_parameter_groups",
    "get_params_to_average",
]  # fmt: skip


def average_parameters(params: Iterable[Tensor], process_group: Any) -> None:
    """Replace parameters by their averages over all ranks, in one message.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.distributed.algorithms.model_averaging import utils
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> w = torch.nn.Parameter(torch.ones(2))
        >>> utils.average_parameters([w], None)
        >>> w.tolist()  # of one rank
        [1.0, 1.0]
        >>> dist.destroy_process_group()
    """
    if resolve_group(process_group) is None:
        return
    averaged = list(params)
    flat = cat([p.data.reshape(-1) for p in averaged])
    flat /= get_world_size(process_group)
    all_reduce(flat, group=process_group)
    parts = flat.split([p.numel() for p in averaged])
    for p, part in zip(averaged, parts, strict=True):
        p.data = part.view(p.shape).to(p.dtype)


def get_params_to_average(params: Iterable[Any]) -> list[Tensor]:
    """The parameters that have gradients.

    Args:
        params: parameters, or parameter groups of an optimizer.

    Raises:
        NotImplementedError: for anything else.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.distributed.algorithms.model_averaging import utils
        >>> utils.get_params_to_average(torch.nn.Linear(1, 1).parameters())
        []
    """
    found: list[Tensor] = []
    for param in params:
        if isinstance(param, Parameter):
            found.append(param)
        elif isinstance(param, dict):
            found.extend(param["params"])
        else:
            raise NotImplementedError(
                f"Parameter input of type {type(param)} is not supported"
            )
    return [p for p in found if p.grad is not None]


def average_parameters_or_parameter_groups(
    params: Iterable[Any], process_group: Any
) -> None:
    """Replace the parameters that have gradients by their averages over all ranks.

    Args:
        params: parameters, or parameter groups of an optimizer.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.distributed.algorithms.model_averaging import utils
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> w = torch.nn.Parameter(torch.ones(2))
        >>> w.sum().backward()
        >>> utils.average_parameters_or_parameter_groups([w], None)
        >>> dist.destroy_process_group()
    """
    average_parameters(get_params_to_average(params), process_group)
