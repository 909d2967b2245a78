"""`FullyShardedDataParallel`: a wrapper whose module is sharded over the ranks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import Enum, auto
from typing import Any

from ...autograd.modes import no_grad
from ...nn.modules.module import Module
from ...nn.parallel.buckets import broadcast_together
from ...nn.utils.clip_grad import clip_grads_with_norm_, get_total_norm
from ...tensor.tensor import Tensor
from ..collectives.reduce_op import ReduceOp
from ..collectives.reductions import all_reduce
from ..groups.membership import default_group
from ..groups.process_group import ProcessGroup
from . import state_dicts
from .fully_shard import FSDPModule, shard_over, units

__all__ = ["FullyShardedDataParallel", "ShardingStrategy", "StateDictType"]

Policy = Callable[..., bool] | Iterable[type]


class ShardingStrategy(Enum):
    """When parameters are whole.

    `FULL_SHARD`: while their module computes. `SHARD_GRAD_OP`: from the forward to the
    backward.

    Example:
        >>> from edutorch.distributed.fsdp import ShardingStrategy
        >>> ShardingStrategy.FULL_SHARD.name
        'FULL_SHARD'
    """

    FULL_SHARD = auto()
    SHARD_GRAD_OP = auto()


class StateDictType(Enum):
    """What `state_dict` gives: whole parameters, or this rank's parts.

    Example:
        >>> from edutorch.distributed.fsdp import StateDictType
        >>> [kind.name for kind in StateDictType]
        ['FULL_STATE_DICT', 'SHARDED_STATE_DICT']
    """

    FULL_STATE_DICT = auto()
    SHARDED_STATE_DICT = auto()


class FullyShardedDataParallel(Module):
    """A module whose parameters, gradients and optimizer state are sharded.

    Parameters keep their names, after `_fsdp_wrapped_module.`; each is this rank's
    piece, of one dimension. State dicts have the names of the module itself.

    Math: as `fully_shard`
    Shape: as the module has it

    Args:
        module: is sharded in place.
        process_group: the ranks; all by default.
        sharding_strategy: when parameters are whole, `FULL_SHARD` by default.
        auto_wrap_policy: which modules inside are units of their own: a function of
            `module`, `recurse` and `nonwrapped_numel`, or an iterable of classes.
        ignored_modules: modules whose parameters stay whole on every rank.
        sync_module_states: begin with the values of rank 0.
        device_mesh: the ranks as a mesh of one dimension.

    Raises:
        ValueError: before `init_process_group`, or as `fully_shard`.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.distributed.fsdp import FullyShardedDataParallel
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> model = FullyShardedDataParallel(torch.nn.Linear(3, 2))
        >>> model(torch.ones(1, 3)).sum().backward()
        >>> model.clip_grad_norm_(10.0).item()  # over all ranks: √8
        2.8284270763397217
        >>> {name: tuple(x.shape) for name, x in model.state_dict().items()}
        {'weight': (2, 3), 'bias': (2,)}
        >>> dist.destroy_process_group()
    """

    def __init__(
        self,
        module: Module,
        process_group: ProcessGroup | None = None,
        sharding_strategy: ShardingStrategy | None = None,
        auto_wrap_policy: Policy | None = None,
        ignored_modules: Iterable[Module] = (),
        sync_module_states: bool = False,
        device_mesh: Any = None,
    ) -> None:
        super().__init__()
        if device_mesh is not None:
            process_group = device_mesh.get_group(0)
        self.process_group = group = process_group or default_group()
        self.state_dict_kind = StateDictType.FULL_STATE_DICT
        if sync_module_states:
            states = [*module.parameters(), *module.buffers()]
            broadcast_together(states, 0, self.process_group)
        skipped = {id(inner) for m in ignored_modules for inner in m.modules()}
        ignored = [p for m in ignored_modules for p in m.parameters()]
        keep = sharding_strategy is ShardingStrategy.SHARD_GRAD_OP

        if auto_wrap_policy is not None:
            for inner in _chosen(module, auto_wrap_policy):
                if id(inner) not in skipped:
                    shard_over(group, inner, not keep, ignored)
        if not isinstance(module, FSDPModule):
            shard_over(group, module, not keep, ignored)
        self._fsdp_wrapped_module = module

    @property
    def module(self) -> Module:
        """The module itself."""
        return self._fsdp_wrapped_module

    def __getattr__(self, name: str) -> Any:
        try:
            return super().__getattr__(name)
        except AttributeError:
            if name == "_fsdp_wrapped_module":
                raise
            return getattr(self._fsdp_wrapped_module, name)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What the module gives."""
        return self._fsdp_wrapped_module(*args, **kwargs)

    @contextmanager
    def no_sync(self) -> Iterator[None]:
        """A block whose backwards add up whole gradients on each rank.

        The first backward after it reduces all that was added up.
        """
        found = list(units(self))
        for unit in found:
            unit.syncs = False
        try:
            yield
        finally:
            for unit in found:
                unit.syncs = True

    def clip_grad_norm_(self, max_norm: float, norm_type: float = 2.0) -> Tensor:
        """Scale gradients so that their norm over all ranks is at most `max_norm`.

        Returns:
            The norm before.
        """
        sharded = {id(s.piece): s.piece for u in units(self) for s in u.slots}
        others = [p for p in self.parameters() if id(p) not in sharded]
        with no_grad():
            mine = _norm(sharded.values(), norm_type)
            rest = _norm(others, norm_type)  # equal on all ranks
            if norm_type == float("inf"):
                all_reduce(mine, ReduceOp.MAX, self.process_group)
                norm = mine.maximum(rest)
            else:
                total = mine**norm_type
                all_reduce(total, ReduceOp.SUM, self.process_group)
                norm = (total + rest**norm_type) ** (1.0 / norm_type)
        clip_grads_with_norm_([*sharded.values(), *others], max_norm, norm)
        return norm

    @staticmethod
    @contextmanager
    def state_dict_type(
        module: Module, state_dict_type: StateDictType, *configs: Any
    ) -> Iterator[None]:
        """A block in which `state_dict` gives whole parameters, or parts."""
        found = [m for m in module.modules() if isinstance(m, FullyShardedDataParallel)]
        before = [m.state_dict_kind for m in found]
        for m in found:
            m.state_dict_kind = state_dict_type
        try:
            yield
        finally:
            for m, kind in zip(found, before, strict=True):
                m.state_dict_kind = kind

    @staticmethod
    @contextmanager
    def summon_full_params(module: Module) -> Iterator[None]:
        """A block in which modules have whole parameters, to be read only."""
        with state_dicts.summon_full_params(module):
            yield

    def state_dict(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """The state of the module; all ranks call this."""
        if self.state_dict_kind is StateDictType.FULL_STATE_DICT:
            return state_dicts.full_state_dict(self.module)
        return state_dicts.sharded_state_dict(self.module)

    def load_state_dict(self, state_dict: Any, *args: Any, **kwargs: Any) -> Any:
        """Take over a state dict of whole parameters or of parts."""
        return state_dicts.load_state(self.module, state_dict)


def _norm(parameters: Iterable[Any], norm_type: float) -> Tensor:
    """The norm of all gradients on this rank; a piece may be empty here."""
    grads = [p.grad for p in parameters if p.grad is not None and p.grad.numel()]
    return get_total_norm(grads, norm_type)


def _chosen(module: Module, policy: Policy) -> list[Module]:
    """The modules inside that a policy makes units, inner ones first."""
    found: list[Module] = []
    asked = policy if callable(policy) else _ModuleClasses(tuple(policy))

    def visit(inner: Module) -> int:
        """Decide for a module; returns how many of its elements are in no unit."""
        if isinstance(inner, FSDPModule):
            return 0
        count = sum(p.numel() for p in inner._parameters.values() if p is not None)
        size = sum(p.numel() for p in inner.parameters())
        if asked(module=inner, recurse=True, nonwrapped_numel=size):
            count += sum(visit(child) for child in inner.children())
        if not count or not asked(module=inner, recurse=False, nonwrapped_numel=count):
            return count
        found.append(inner)
        return 0

    visit(module)
    return [inner for inner in found if inner is not module]


class _ModuleClasses:
    """The policy that makes units of the modules of some classes."""

    def __init__(self, classes: tuple[type, ...]) -> None:
        self.classes = classes

    def __call__(self, module: Module, recurse: bool, nonwrapped_numel: int) -> bool:
        return recurse or isinstance(module, self.classes)
