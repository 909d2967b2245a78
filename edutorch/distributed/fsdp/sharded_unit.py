"""`ShardedUnit`: the parameters of one module, of which each rank keeps a part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from ...autograd.final_callbacks import queue_callback
from ...autograd.function import Function
from ...autograd.graph import saved_tensors_hooks
from ...autograd.modes import no_grad
from ...nn.modules.module import Module
from ...nn.parameter import Parameter
from ...ops.create.filled import zeros
from ...ops.create.like import empty_like
from ...tensor.size import Size
from ...tensor.tensor import Tensor
from ..collectives.movements import all_gather_into_tensor
from ..collectives.reduce_op import ReduceOp
from ..collectives.reductions import reduce_scatter_tensor
from ..groups.process_group import ProcessGroup

__all__ = ["ShardedUnit", "Slot"]


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
        module: whose parameters they are, but those of units inside.
        group: the ranks.
        ignored: parameters that stay whole on every rank.
        reshard: free the whole parameters after the forward.

    Raises:
        ValueError: for parameters of different dtypes or devices.
    """

    def __init__(
        self,
        module: Module,
        group: ProcessGroup,
        ignored: Iterable[Tensor] = (),
        reshard: bool = True,
    ) -> None:
        self.group, self.reshard = group, reshard
        self.syncs = True  # whether backward reduces gradients
        self.pending: Tensor | None = None  # gradients that were not reduced yet
        self.whole: Tensor | None = None
        self.entered = 0
        parameters = self._find(module, {id(p) for p in ignored})
        if len({(p.dtype, p.device) for p in parameters}) > 1:
            kinds = sorted({f"{p.dtype} on {p.device}" for p in parameters})
            raise ValueError(
                "Must flatten tensors with uniform dtype and device but got "
                f"{', '.join(kinds)}: shard modules that have one kind each"
            )
        self._shard(parameters)

    def _find(self, module: Module, ignored: set[int]) -> list[Tensor]:
        """Lay out the parameters: each once, in the order of the modules."""
        slots: dict[int, Slot] = {}
        parameters: list[Tensor] = []
        end = 0
        for owner in _modules_outside_units(module):
            for name, p in owner._parameters.items():
                if p is None or id(p) in ignored:
                    continue
                if id(p) not in slots:
                    slots[id(p)] = Slot([], p.shape, end, end + p.numel())
                    end += p.numel()
                    parameters.append(p)
                slots[id(p)].places.append((owner, name))
        self.slots = list(slots.values())
        ranks = self.group.size()
        self.length = -(-end // ranks)  # of each rank's part; the last one is padded
        return parameters

    def _shard(self, parameters: list[Tensor]) -> None:
        """Keep this rank's part of the parameters, its pieces in their place."""
        self.shard = zeros(self.length)
        if parameters:
            self.shard = self.shard.to(parameters[0].device, parameters[0].dtype)
        mine = self.group.rank() * self.length
        for slot, p in zip(self.slots, parameters, strict=True):
            first = min(max(slot.start, mine), slot.end)
            last = max(min(slot.end, mine + self.length), first)
            slot.first = first - slot.start
            start = first - mine if last > first else 0
            part = self.shard[start : start + last - first]
            part.copy_(p.detach().reshape(-1)[slot.first : last - slot.start])
            slot.piece = Parameter(part, p.requires_grad)
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
            with no_grad():
                whole = self.shard.new_empty(self.length * self.group.size())
                all_gather_into_tensor(whole, self.shard, self.group)
            self.whole = whole
        return self.whole

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
        if self.pending is not None:
            g, self.pending = g + self.pending, None
        if not self.syncs:
            self.pending = g
            return [None] * len(self.slots)
        mine = empty_like(self.shard)
        reduce_scatter_tensor(mine, g.contiguous(), ReduceOp.AVG, self.group)
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


def _modules_outside_units(module: Module) -> Iterator[Module]:
    """A module and those inside, but units and what they hold."""
    yield module
    for child in module.children():
        if not hasattr(child, "_sharded_unit"):
            yield from _modules_outside_units(child)
