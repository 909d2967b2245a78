"""`fully_shard`: shards the parameters of a module over the ranks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from ...nn.modules.module import Module
from ...tensor.tensor import Tensor
from ..groups.group_registry import default_group
from ..groups.process_group import ProcessGroup
from .fsdp_unit import FSDPUnit
from .policies import MixedPrecisionPolicy, OffloadPolicy, cast_floats

__all__ = ["FSDPModule", "fully_shard", "shard_modules", "units"]

M = TypeVar("M", bound=Module | Sequence[Module])


class FSDPModule:
    """The methods that `fully_shard` adds to the class of a module.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.distributed.fsdp import FSDPModule, fully_shard
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> layer = fully_shard(torch.nn.Linear(3, 2))
        >>> isinstance(layer, FSDPModule), isinstance(layer, torch.nn.Linear)
        (True, True)
        >>> dist.destroy_process_group()
    """

    _fsdp_unit: FSDPUnit

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        unit = self._fsdp_unit
        policy = unit.precision
        if policy.cast_forward_inputs:
            args = cast_floats(args, policy.param_dtype)
            kwargs = cast_floats(kwargs, policy.param_dtype)
        with unit.unsharded():
            found = super().__call__(*args, **kwargs)  # type: ignore[misc]  # a Module's
        return cast_floats(found, policy.output_dtype)

    def unshard(self, async_op: bool = False) -> None:
        """Gather the parameters before the next forward, which frees them."""
        self._fsdp_unit.unshard()

    def reshard(self) -> None:
        """Free the unsharded parameters."""
        self._fsdp_unit.reshard()

    def set_requires_gradient_sync(
        self, requires_gradient_sync: bool, *, recurse: bool = True
    ) -> None:
        """Set whether backward reduces gradients, or keeps them for one that does."""
        for unit in self._units(recurse):
            unit.requires_gradient_sync = requires_gradient_sync

    def set_reshard_after_forward(
        self, reshard_after_forward: bool, recurse: bool = True
    ) -> None:
        """Set whether unsharded parameters are freed after the forward."""
        for unit in self._units(recurse):
            unit.reshard_after_forward = reshard_after_forward

    def _units(self, recurse: bool) -> list[FSDPUnit]:
        return list(units(self)) if recurse else [self._fsdp_unit]


def units(module: Any) -> Iterator[FSDPUnit]:
    """The sharded units of a module and of the modules inside it, each once."""
    inside = (m for m in module.modules() if isinstance(m, FSDPModule))
    yield from dict.fromkeys(inner._fsdp_unit for inner in inside)


def fully_shard(
    module: M,
    *,
    mesh: Any = None,
    reshard_after_forward: bool | None = None,
    mp_policy: MixedPrecisionPolicy | None = None,
    offload_policy: OffloadPolicy | None = None,
    ignored_params: Iterable[Tensor] | None = None,
) -> M:
    """Shard the parameters of a module over the ranks, in place.

    Shard inner modules first; each keeps its own parameters. All ranks must do this in
    the same order, starting from the same values. Each parameter is replaced by a
    one-dimensional one, this rank's shard, so create the optimizer afterwards. While
    the module runs, its parameters are unsharded.

    Math: g = 1/n Σ g_r over n ranks, each of which gets its part; equal to the gradient
          of the whole batch if the loss is a mean and all ranks have batches of equal
          size
    Shape: that of the module

    Gradients are sharded, too. `nn.utils.clip_grad_norm_` computes the norm of these
    parameters over all ranks, so all of them must call it.

    Args:
        module: or a list of modules that are gathered and freed together; those that
            share a parameter must be in one list, or in one module.
        mesh: the ranks as a mesh of one dimension; by default all. With a mesh of GPUs,
            parameters and buffers move to the current GPU.
        reshard_after_forward: free the unsharded parameters after the forward, and
            gather them again for backward (the default).
        mp_policy: dtypes in which modules compute and gradients are summed.
        offload_policy: `CPUOffloadPolicy()` keeps this rank's part on the CPU.
        ignored_params: parameters that stay whole on every rank.

    Raises:
        ValueError: before `init_process_group`; for a module that is already sharded or
            cannot be called (`ModuleList`); for parameters of different dtypes, or
            shared with modules that are not sharded together with it.
        NotImplementedError: for a mesh of two dimensions, or a number of ranks for
            `reshard_after_forward`.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.distributed.fsdp import fully_shard
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> layer = fully_shard(torch.nn.Linear(3, 2))
        >>> layer(torch.ones(1, 3)).sum().backward()
        >>> layer.weight.shape, layer.weight.grad  # on two ranks half of them
        (torch.Size([6]), tensor([1., 1., 1., 1., 1., 1.]))
        >>> dist.destroy_process_group()
    """
    modules = [module] if isinstance(module, Module) else list(module)
    if not isinstance(reshard_after_forward, bool | None):
        raise NotImplementedError(
            "reshard_after_forward as a number of ranks is not supported: pass True, "
            "which frees the parameters, or False, which keeps them"
        )
    group = default_group() if mesh is None else _group_of(mesh, modules)
    reshard = reshard_after_forward is not False
    shard_modules(
        group, modules, reshard, ignored_params or (), mp_policy, offload_policy
    )
    return module


def _group_of(mesh: Any, modules: Iterable[Module]) -> ProcessGroup:
    """The group of a mesh; moves the modules to its device."""
    if mesh.ndim != 1:
        raise NotImplementedError(
            f"fully_shard over {mesh} is not supported: hybrid sharding needs a mesh "
            "of two dimensions, and only one dimension is supported"
        )
    if mesh.device_type == "cuda":
        for module in modules:
            module.to("cuda")
    group: ProcessGroup = mesh.get_group(0)
    return group


def shard_modules(
    group: ProcessGroup,
    modules: Sequence[Module],
    reshard: bool,
    ignored: Iterable[Tensor],
    precision: MixedPrecisionPolicy | None = None,
    offload: OffloadPolicy | None = None,
) -> None:
    """`fully_shard` over the ranks of a group."""
    for module in modules:
        if isinstance(module, FSDPModule):
            raise ValueError(f"fully_shard has been applied to this module: {module}")
        if type(module).forward is Module.forward:
            raise ValueError(
                "fully_shard does not support containers that do not implement "
                f"forward: {module}"
            )
    unit = FSDPUnit(modules, group, ignored, reshard, precision, offload)
    for module in modules:
        kind = type(module)
        object.__setattr__(module, "_fsdp_unit", unit)
        module.__class__ = type(f"FSDP{kind.__name__}", (FSDPModule, kind), {})
