"""`FSDPUnit`: parameters of modules, of which each rank keeps a part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakValueDictionary

from ... import devices, dtypes
from ...autograd.final_callbacks import queue_callback
from ...autograd.function import Function
from ...autograd.graph import saved_tensors_hooks
from ...autograd.modes import no_grad
from ...nn.modules.module import Module
from ...nn.parameter import Parameter
from ...nn.utils.clip_grad import SHARD_NORMS
from ...ops.create.filled import zeros
from ...tensor.size import Size
from ...tensor.tensor import Tensor
from ..collectives.data_movement import all_gather_into_tensor
from ..collectives.reduce_op import ReduceOp
from ..collectives.reductions import all_reduce, reduce_scatter_tensor
from ..groups.process_group import ProcessGroup
from .policies import CPUOffloadPolicy, MixedPrecisionPolicy, OffloadPolicy

__all__ = ["FSDPParam", "FSDPUnit"]

# Parameters that a unit has sharded, and their shards; a second unit is refused.
_managed: WeakValueDictionary[int, Tensor] = WeakValueDictionary()


@dataclass
class FSDPParam:
    """One parameter of a unit.

    Attributes:
        owners: the modules that have it, with its name there; several if they share it.
        start, end: its place in the flat tensor of the whole unit.
        sharded_param: this rank's elements, as a parameter of one dimension.
        shard_offset: where they begin in the flattened parameter.
    """

    owners: list[tuple[Module, str]]
    shape: Size
    start: int
    end: int
    sharded_param: Parameter = field(init=False)
    shard_offset: int = 0


@dataclass(frozen=True)
class _NormOverRanks:
    """Computes a norm over all ranks of a group from the norms of each rank."""

    group: ProcessGroup

    def __call__(self, norm: Tensor, norm_type: float) -> Tensor:
        """The norm over all ranks, given that of this rank."""
        if norm_type == float("inf"):
            all_reduce(norm, ReduceOp.MAX, self.group)
            return norm
        total = norm**norm_type
        all_reduce(total, ReduceOp.SUM, self.group)
        return total ** (1.0 / norm_type)


@dataclass
class _SavedView:
    """A view of the unsharded parameters that backward needs."""

    shape: Any
    stride: Any
    offset: int


class FSDPUnit:
    """Parameters that are gathered and freed together.

    They are concatenated in a flat tensor; each rank keeps an equal range of
    it (`shard`). A parameter's elements in this range are its shard, a view of it.

    Args:
        modules: the owners of the parameters, without those of inner units.
        group: the ranks.
        ignored: parameters that stay whole on every rank.
        reshard: free the unsharded parameters after the forward.
        precision: dtypes of unsharded parameters and of sums of gradients.
        offload: whether this rank's part is on the CPU.

    Raises:
        ValueError: for parameters of different dtypes or devices, or of another unit.
    """

    def __init__(
        self,
        modules: Sequence[Module],
        group: ProcessGroup,
        ignored: Iterable[Tensor] = (),
        reshard: bool = True,
        precision: MixedPrecisionPolicy | None = None,
        offload: OffloadPolicy | None = None,
    ) -> None:
        self.group, self.reshard_after_forward = group, reshard
        self.precision = precision or MixedPrecisionPolicy()
        self.requires_gradient_sync = True  # whether backward reduces gradients
        self.unreduced_grad: Tensor | None = None  # gradients that were not reduced yet
        self.unsharded_flat: Tensor | None = None
        self.forward_depth = 0
        parameters = self._collect_parameters(modules, {id(p) for p in ignored})
        if len({(p.dtype, p.device) for p in parameters}) > 1:
            kinds = sorted({f"{p.dtype} on {p.device}" for p in parameters})
            raise ValueError(
                "Must flatten tensors with uniform dtype and device but got "
                f"{', '.join(kinds)}: shard modules that have one kind each"
            )
        self.device = parameters[0].device if parameters else devices.CPU
        self._shard(parameters, offload)

    def _collect_parameters(
        self, modules: Sequence[Module], ignored: set[int]
    ) -> list[Tensor]:
        """Lay out the parameters: each once, in the order of the modules."""
        params: dict[int, FSDPParam] = {}
        parameters: list[Tensor] = []
        end = 0
        for owner in _modules_outside_units(modules):
            for name, p in owner._parameters.items():
                if p is None or id(p) in ignored:
                    continue
                if _managed.get(id(p)) is p:
                    raise ValueError(_shared_parameter_message(modules, p))
                if id(p) not in params:
                    params[id(p)] = FSDPParam([], p.shape, end, end + p.numel())
                    end += p.numel()
                    parameters.append(p)
                params[id(p)].owners.append((owner, name))
        self.params = list(params.values())
        ranks = self.group.size()
        self.shard_size = -(-end // ranks)  # per rank; the last shard is padded
        return parameters

    def _shard(self, parameters: list[Tensor], offload: OffloadPolicy | None) -> None:
        """Copy this rank's shards, and replace the parameters by them."""
        self.shard = zeros(self.shard_size)
        if parameters:
            self.shard = self.shard.to(self.device, parameters[0].dtype)
        if isinstance(offload, CPUOffloadPolicy):
            self.shard = self.shard.cpu()
            if offload.pin_memory and self.device is not devices.CPU:
                self.shard = self.shard.pin_memory()
        mine = self.group.rank() * self.shard_size
        self.norm_over_ranks = _NormOverRanks(self.group)
        for param, p in zip(self.params, parameters, strict=True):
            first = min(max(param.start, mine), param.end)
            last = max(min(param.end, mine + self.shard_size), first)
            param.shard_offset = first - param.start
            start = first - mine if last > first else 0
            part = self.shard[start : start + last - first]
            part.copy_(p.detach().reshape(-1)[param.shard_offset : last - param.start])
            param.sharded_param = Parameter(part, p.requires_grad)
            _managed[id(p)], _managed[id(param.sharded_param)] = p, param.sharded_param
            SHARD_NORMS[id(param.sharded_param)] = self.norm_over_ranks
        self.set_parameters([param.sharded_param for param in self.params])

    def set_parameters(self, tensors: Iterable[Tensor]) -> None:
        """Give the modules one tensor for each `FSDPParam` as their parameters."""
        for param, tensor in zip(self.params, tensors, strict=True):
            for owner, name in param.owners:
                owner._parameters[name] = tensor  # type: ignore[assignment]  # for a while

    # ---- unsharded parameters

    def unshard(self) -> Tensor:
        """The flat tensor of all ranks' parts; gathered if necessary."""
        if self.unsharded_flat is None:
            self.unsharded_flat = self.all_gather(self.precision.param_dtype)
        return self.unsharded_flat

    def all_gather(self, dtype: dtypes.dtype | None = None) -> Tensor:
        """A new flat tensor of all ranks' parts, by default in their own dtype."""
        with no_grad():
            part = self.shard.to(self.device, dtype or self.shard.dtype)
            whole = part.new_empty(self.shard_size * self.group.size())
            all_gather_into_tensor(whole, part, self.group)
        return whole

    def reshard(self) -> None:
        """Free the unsharded parameters; this rank's part stays."""
        if not self.forward_depth:
            self.unsharded_flat = None

    def views(self, whole: Tensor) -> list[Tensor]:
        """Views of the parameters in a flat tensor of all."""
        fixed = whole.detach()
        return [
            (whole if param.sharded_param.requires_grad else fixed)[
                param.start : param.end
            ].view(param.shape)
            for param in self.params
        ]

    @contextmanager
    def unsharded(self) -> Iterator[None]:
        """A block in which the modules have unsharded parameters that get gradients."""
        if self.forward_depth or not self.params:  # recursive, or nothing to gather
            yield
            return
        whole = _AllGather.apply(self, *(param.sharded_param for param in self.params))
        self.set_parameters(self.views(whole))
        del whole
        self.forward_depth += 1
        try:
            with saved_tensors_hooks(self._pack, self._unpack):
                yield
        finally:
            self.forward_depth -= 1
            self.set_parameters([param.sharded_param for param in self.params])
            if self.reshard_after_forward:
                self.reshard()

    def _pack(self, tensor: Tensor) -> Any:
        """Save a tensor for backward; unsharded parameters only as a description."""
        whole = self.unsharded_flat
        if (
            whole is None
            or not tensor.numel()
            or (
                tensor.untyped_storage().data_ptr()
                != whole.untyped_storage().data_ptr()
            )
        ):
            return tensor
        return _SavedView(tensor.shape, tensor.stride(), tensor.storage_offset())

    def _unpack(self, saved: Any) -> Any:
        """The saved tensor; unsharded parameters are gathered again."""
        if not isinstance(saved, _SavedView):
            return saved
        if self.unsharded_flat is None:
            self.unshard()
            queue_callback(self.reshard)  # if no gradient arrives
        with no_grad():
            return self.unshard().as_strided(saved.shape, saved.stride, saved.offset)

    # ---- gradients

    def reduce_scatter(self, g: Tensor) -> list[Tensor | None]:
        """Gradients of this rank's shards: averages over all ranks.

        Args:
            g: the gradient of the whole flat tensor, on this rank.
        """
        g = g.to(self.precision.reduce_dtype or g.dtype)
        if self.unreduced_grad is not None:
            g, self.unreduced_grad = g + self.unreduced_grad, None
        if not self.requires_gradient_sync:
            self.unreduced_grad = g
            return [None] * len(self.params)
        mine = g.new_empty(self.shard_size)
        reduce_scatter_tensor(mine, g.contiguous(), ReduceOp.AVG, self.group)
        mine = mine.to(self.shard.device, self.shard.dtype)
        found, start = [], 0
        for param in self.params:
            end = start + param.sharded_param.numel()
            found.append(mine[start:end] if param.sharded_param.requires_grad else None)
            start = end
        return found


class _AllGather(Function):
    """The unsharded parameters as a function of the shards of all ranks."""

    @staticmethod
    def forward(ctx: Any, unit: FSDPUnit, *sharded_params: Tensor) -> Tensor:
        ctx.unit = unit
        return unit.unshard().detach()

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> Any:
        with no_grad():
            found = ctx.unit.reduce_scatter(grads[0])
        ctx.unit.reshard()  # backward no longer needs the parameters
        return None, *found


def _modules_outside_units(modules: Iterable[Module]) -> Iterator[Module]:
    """These modules and all inside them, without units and their contents."""
    for module in modules:
        yield module
        inner = (c for c in module.children() if not hasattr(c, "_fsdp_unit"))
        yield from _modules_outside_units(inner)


def _shared_parameter_message(modules: Sequence[Module], parameter: Tensor) -> str:
    """The message for a parameter that belongs to another unit."""
    named = (m.named_parameters(remove_duplicate=False) for m in modules)
    name = next((n for pairs in named for n, p in pairs if p is parameter), "")
    return (
        f"Parameter '{name}' is shared with a parameter already managed by another "
        "FSDP group. For shared/tied parameters, use fully_shard([module_a, module_b]) "
        "to place them in the same FSDP group."
    )
