"""`ShardedUnit`: parameters of modules, of which each rank keeps a part."""

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
from ...ops.create.filled import zeros
from ...tensor.size import Size
from ...tensor.tensor import Tensor
from ..collectives.movements import all_gather_into_tensor
from ..collectives.reduce_op import ReduceOp
from ..collectives.reductions import reduce_scatter_tensor
from ..groups.process_group import ProcessGroup
from .policies import CPUOffloadPolicy, MixedPrecisionPolicy, OffloadPolicy

__all__ = ["ShardedUnit", "Slot"]

# Parameters that a unit has sharded, and their pieces: no other unit may have them.
_managed: WeakValueDictionary[int, Tensor] = WeakValueDictionary()


@dataclass
class Slot:
    """One parameter of a unit.

    Attributes:
        places: the modules that have it, and its name there: several if they share it.
        start, end: its place in the flat tensor of the whole unit.
        piece: this rank's elements, as a parameter of one dimension.
        first: where they begin in the flattened parameter.
    """

    places: list[tuple[Module, str]]
    shape: Size
    start: int
    end: int
    piece: Parameter = field(init=False)
    first: int = 0


@dataclass
class _Saved:
    """A view of the whole parameters that backward needs: where, in place of what."""

    shape: Any
    stride: Any
    offset: int


class ShardedUnit:
    """Parameters that are gathered and freed together.

    They stand one after the other in a flat tensor; each rank keeps an equal range of
    it (`shard`). A parameter's elements in this range are its piece, a view of it.

    Args:
        modules: whose parameters they are, but those of units inside.
        group: the ranks.
        ignored: parameters that stay whole on every rank.
        reshard: free the whole parameters after the forward.
        precision: dtypes of whole parameters and of sums of gradients.
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
        self.group, self.reshard = group, reshard
        self.precision = precision or MixedPrecisionPolicy()
        self.syncs = True  # whether backward reduces gradients
        self.pending: Tensor | None = None  # gradients that were not reduced yet
        self.whole: Tensor | None = None
        self.entered = 0
        parameters = self._find(modules, {id(p) for p in ignored})
        if len({(p.dtype, p.device) for p in parameters}) > 1:
            kinds = sorted({f"{p.dtype} on {p.device}" for p in parameters})
            raise ValueError(
                "Must flatten tensors with uniform dtype and device but got "
                f"{', '.join(kinds)}: shard modules that have one kind each"
            )
        self.device = parameters[0].device if parameters else devices.CPU
        self._shard(parameters, offload)

    def _find(self, modules: Sequence[Module], ignored: set[int]) -> list[Tensor]:
        """Lay out the parameters: each once, in the order of the modules."""
        slots: dict[int, Slot] = {}
        parameters: list[Tensor] = []
        end = 0
        for owner in _modules_outside_units(modules):
            for name, p in owner._parameters.items():
                if p is None or id(p) in ignored:
                    continue
                if _managed.get(id(p)) is p:
                    raise ValueError(_shared(modules, p))
                if id(p) not in slots:
                    slots[id(p)] = Slot([], p.shape, end, end + p.numel())
                    end += p.numel()
                    parameters.append(p)
                slots[id(p)].places.append((owner, name))
        self.slots = list(slots.values())
        ranks = self.group.size()
        self.length = -(-end // ranks)  # of each rank's part; the last one is padded
        return parameters

    def _shard(self, parameters: list[Tensor], offload: OffloadPolicy | None) -> None:
        """Keep this rank's part of the parameters, its pieces in their place."""
        self.shard = zeros(self.length)
        if parameters:
            self.shard = self.shard.to(self.device, parameters[0].dtype)
        if isinstance(offload, CPUOffloadPolicy):
            self.shard = self.shard.cpu()
            if offload.pin_memory and self.device is not devices.CPU:
                self.shard = self.shard.pin_memory()
        mine = self.group.rank() * self.length
        for slot, p in zip(self.slots, parameters, strict=True):
            first = min(max(slot.start, mine), slot.end)
            last = max(min(slot.end, mine + self.length), first)
            slot.first = first - slot.start
            start = first - mine if last > first else 0
            part = self.shard[start : start + last - first]
            part.copy_(p.detach().reshape(-1)[slot.first : last - slot.start])
            slot.piece = Parameter(part, p.requires_grad)
            _managed[id(p)], _managed[id(slot.piece)] = p, slot.piece
        self.put([slot.piece for slot in self.slots])

    def put(self, tensors: Iterable[Tensor]) -> None:
        """Give the modules one tensor for each slot as their parameters."""
        for slot, tensor in zip(self.slots, tensors, strict=True):
            for owner, name in slot.places:
                owner._parameters[name] = tensor  # type: ignore[assignment]

    # ---- whole parameters

    def gather(self) -> Tensor:
        """The flat tensor of all ranks' parts; gathered if it is not there."""
        if self.whole is None:
            self.whole = self.collect(self.precision.param_dtype)
        return self.whole

    def collect(self, dtype: dtypes.dtype | None = None) -> Tensor:
        """A new flat tensor of all ranks' parts, by default in their own dtype."""
        with no_grad():
            part = self.shard.to(self.device, dtype or self.shard.dtype)
            whole = part.new_empty(self.length * self.group.size())
            all_gather_into_tensor(whole, part, self.group)
        return whole

    def release(self) -> None:
        """Free the whole parameters; this rank's part stays."""
        if not self.entered:
            self.whole = None

    def views(self, whole: Tensor) -> list[Tensor]:
        """The parameters in a flat tensor of all."""
        fixed = whole.detach()
        return [
            (whole if slot.piece.requires_grad else fixed)[slot.start : slot.end].view(
                slot.shape
            )
            for slot in self.slots
        ]

    @contextmanager
    def gathered(self) -> Iterator[None]:
        """A block in which the modules have whole parameters, that have gradients."""
        if self.entered or not self.slots:  # it calls itself, or has none
            yield
            return
        whole = _Gather.apply(self, *(slot.piece for slot in self.slots))
        self.put(self.views(whole))
        del whole
        self.entered += 1
        try:
            with saved_tensors_hooks(self._pack, self._unpack):
                yield
        finally:
            self.entered -= 1
            self.put([slot.piece for slot in self.slots])
            if self.reshard:
                self.release()

    def _pack(self, tensor: Tensor) -> Any:
        """What the graph keeps: not the parameters, which are to be freed."""
        whole = self.whole
        if (
            whole is None
            or not tensor.numel()
            or (
                tensor.untyped_storage().data_ptr()
                != whole.untyped_storage().data_ptr()
            )
        ):
            return tensor
        return _Saved(tensor.shape, tensor.stride(), tensor.storage_offset())

    def _unpack(self, saved: Any) -> Any:
        """What backward gets: parameters are gathered again."""
        if not isinstance(saved, _Saved):
            return saved
        if self.whole is None:
            self.gather()
            queue_callback(self.release)  # of units whose parameters get no gradients
        with no_grad():
            return self.gather().as_strided(saved.shape, saved.stride, saved.offset)

    # ---- gradients

    def reduced(self, g: Tensor) -> list[Tensor | None]:
        """Gradients of this rank's pieces: averages over all ranks.

        Args:
            g: the gradient of the whole flat tensor, on this rank.
        """
        g = g.to(self.precision.reduce_dtype or g.dtype)
        if self.pending is not None:
            g, self.pending = g + self.pending, None
        if not self.syncs:
            self.pending = g
            return [None] * len(self.slots)
        mine = g.new_empty(self.length)
        reduce_scatter_tensor(mine, g.contiguous(), ReduceOp.AVG, self.group)
        mine = mine.to(self.shard.device, self.shard.dtype)
        found, start = [], 0
        for slot in self.slots:
            end = start + slot.piece.numel()
            found.append(mine[start:end] if slot.piece.requires_grad else None)
            start = end
        return found


class _Gather(Function):
    """The whole parameters as a function of the pieces of all ranks."""

    @staticmethod
    def forward(ctx: Any, unit: ShardedUnit, *pieces: Tensor) -> Tensor:
        ctx.unit = unit
        return unit.gather().detach()

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> Any:
        with no_grad():
            found = ctx.unit.reduced(grads[0])
        ctx.unit.release()  # all that needed the parameters has been computed
        return None, *found


def _modules_outside_units(modules: Iterable[Module]) -> Iterator[Module]:
    """Modules and those inside, but units and what they hold."""
    for module in modules:
        yield module
        inner = (c for c in module.children() if not hasattr(c, "_sharded_unit"))
        yield from _modules_outside_units(inner)


def _shared(modules: Sequence[Module], parameter: Tensor) -> str:
    """Why a parameter cannot be in a unit: another one has it."""
    named = (m.named_parameters(remove_duplicate=False) for m in modules)
    name = next((n for pairs in named for n, p in pairs if p is parameter), "")
    return (
        f"Parameter '{name}' is shared with a parameter already managed by another "
        "FSDP group. For shared/tied parameters, use fully_shard([module_a, module_b]) "
        "to place them in the same FSDP group."
    )
