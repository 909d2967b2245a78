"""Replicas of a module: the same tree of modules with copies of the parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ... import module_events
from ...autograd.modes import is_grad_enabled
from ...tensor.tensor import Tensor
from ..modules.module import Module
from .autograd_functions import Broadcast
from .comm import broadcast_coalesced, gpu

__all__ = ["replicate"]


def replicate(network: Module, devices: Sequence[Any], detach: bool = False) -> Any:
    """A replica of a module on each device.

    A replica's parameters are not leaves but results of a broadcast, through which
    gradients flow back to the module and are added up. Buffers of the first replica are
    those of the module, so its changes to them persist.

    Args:
        network: the module, with its parameters on the first device.
        devices: the devices of the replicas, each at most once.
        detach: copies without history.

    Raises:
        RuntimeError: for parameters on the CPU.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(devices=2):
        ...     net = torch.nn.Linear(2, 1).to("cuda:0")
        ...     both = torch.nn.parallel.replicate(net, [0, 1])
        >>> [replica.weight.device.index for replica in both]
        [0, 1]
    """
    where = [gpu(d) for d in devices]
    parameters = _broadcast_copies(list(network.parameters()), where, detach)
    buffers = _buffer_copies(network, where, detach)
    modules = list(network.modules())
    replicas = [
        {module: _shallow_copy(module) for module in modules} for _ in where
    ]  # fmt: skip
    for module in modules:
        for i in range(len(where)):
            _set_copies(module, replicas[i], parameters[i], buffers[i])
    copies = [made[network] for made in replicas]
    module_events.note_replicas(network, copies)
    return copies


def _broadcast_copies(
    tensors: list[Tensor], where: list[Any], detach: bool
) -> list[dict[int, Tensor]]:
    """For each device, the copies by the `id` of the original tensor."""
    if not tensors:
        return [{} for _ in where]
    if detach or not is_grad_enabled():
        copies = broadcast_coalesced(tensors, where)
    else:
        flat, n = Broadcast.apply(where, *tensors), len(tensors)
        copies = [flat[i * n : (i + 1) * n] for i in range(len(where))]
    keys = [id(t) for t in tensors]
    return [dict(zip(keys, c, strict=True)) for c in copies]


def _buffer_copies(
    network: Module, where: list[Any], detach: bool
) -> list[dict[int, Tensor]]:
    """Copies of buffers, as constants unless a buffer has a graph."""
    found = list(network.buffers())
    recorded = [b for b in found if b.requires_grad and not detach]
    others = [b for b in found if not (b.requires_grad and not detach)]
    first = _broadcast_copies(recorded, where, False)
    second = _broadcast_copies(others, where, True)
    return [{**a, **b} for a, b in zip(first, second, strict=True)]


def _shallow_copy(module: Module) -> Module:
    """A module with the same class and attributes, and tables of its own."""
    replica = module.__new__(type(module))
    replica.__dict__.update(module.__dict__)
    for table in ("_buffers", "_modules"):
        replica.__dict__[table] = dict(module.__dict__[table])
    replica.__dict__["_parameters"] = {}
    replica.__dict__["_is_replica"] = True
    return replica


def _set_copies(
    module: Module,
    replicas: dict[Module, Module],
    parameters: dict[int, Tensor],
    buffers: dict[int, Tensor],
) -> None:
    """Set a replica's copies as plain attributes, since they are not leaves."""
    replica = replicas[module]
    replica.__dict__["_former_parameters"] = {}
    for name, child in module._modules.items():
        replica._modules[name] = None if child is None else replicas[child]
    for name, parameter in module._parameters.items():
        if parameter is None:
            replica._parameters[name] = None
        else:
            replica.__dict__[name] = copy = parameters[id(parameter)]
            replica.__dict__["_former_parameters"][name] = copy
    for name, buffer in module._buffers.items():
        replica._buffers[name] = None if buffer is None else buffers[id(buffer)]
