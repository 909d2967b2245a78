"""ZeroRedundancyOptimizer: each process holds the state of only some parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..autograd.modes import no_grad
from ..distributed.algorithms.join import Join, Joinable, JoinHook
from ..distributed.collectives.data_movement import broadcast
from ..distributed.collectives.objects import gather_object
from ..distributed.groups.group_registry import default_group, get_global_rank
from ..ops.convert import typename
from ..tensor.tensor import Tensor
from .optimizer import Optimizer

__all__ = ["ZeroRedundancyOptimizer"]


class _ZeROJoinHook(JoinHook):
    """Updates the parameters of a process that has no inputs left."""

    def __init__(self, optimizer: ZeroRedundancyOptimizer) -> None:
        self.optimizer = optimizer

    def main_hook(self) -> None:
        """One step of the others, in which they need this process's parameters."""
        self.optimizer.step()


class ZeroRedundancyOptimizer(Optimizer, Joinable):
    """An optimizer whose state is distributed over processes, as in ZeRO's first stage.

    Each parameter belongs to one process, which updates it and then sends it to the
    others; the largest ones are assigned first. All processes must have the same
    gradients, as `DistributedDataParallel` makes them.

    Args:
        params: parameters or groups of them.
        optimizer_class: the optimizer that each process runs on its own part.
        process_group: which processes; all by default.
        defaults: the settings of the optimizer.

    Raises:
        ValueError: for no parameters.
        TypeError: for anything other than an iterable of tensors.

    Reference: Rajbhandari et al., 2020.

    Example:
        >>> import edutorch as torch
        >>> ZeRO = torch.distributed.optim.ZeroRedundancyOptimizer
        >>> try:
        ...     ZeRO([], torch.optim.SGD, lr=0.1)
        ... except ValueError as error:
        ...     print(error)
        ZeroRedundancyOptimizer got an empty parameter list
    """

    def __init__(
        self,
        params: Any,
        optimizer_class: type[Optimizer],
        process_group: Any = None,
        parameters_as_bucket_view: bool = False,
        overlap_with_ddp: bool = False,
        **defaults: Any,
    ) -> None:
        groups = _checked(params)
        Joinable.__init__(self)
        if overlap_with_ddp:
            raise NotImplementedError(
                "overlap_with_ddp=True is not implemented: step() after backward"
            )
        self.process_group = process_group or default_group()
        self._class, self._settings = optimizer_class, defaults
        self.owner: dict[Tensor, int] = {}
        self._whole: dict[str, Any] | None = None
        self.optim: Optimizer | None = None
        super().__init__(groups, defaults)
        self._make_own()

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add a group of parameters, distributed over all processes."""
        super().add_param_group(param_group)
        if self.optim is None:  # in __init__
            return
        before = self.optim.state
        self._make_own()
        for p, state in before.items():
            if self.owner[p] == self.process_group.rank():
                self.optim.state[p] = state

    def _make_own(self) -> None:
        """Assign parameters to processes; create the optimizer of this one's."""
        loads = [0] * self.process_group.size()
        for p in (p for g in self.param_groups for p in g["params"] if p in self.owner):
            loads[self.owner[p]] += p.numel()
        every = [p for g in self.param_groups for p in g["params"]]
        for p in sorted(every, key=lambda p: -p.numel()):
            if p not in self.owner:
                rank = loads.index(min(loads))
                self.owner[p] = rank
                loads[rank] += p.numel()
        mine = [{**g, "params": self._own(g)} for g in self.param_groups]
        if not any(group["params"] for group in mine):  # nothing to update here
            mine[0]["params"] = [every[0].detach().clone()[:0]]
        self.optim = self._class(mine, **self._settings)
        for whole, own in zip(self.param_groups, self.optim.param_groups, strict=True):
            whole.update({k: v for k, v in own.items() if k != "params"})

    def _own(self, group: dict[str, Any]) -> list[Tensor]:
        rank = self.process_group.rank()
        return [p for p in group["params"] if self.owner[p] == rank]

    def step(self, closure: Callable[[], Any] | None = None, **kwargs: Any) -> Any:
        """Update the parameters of this process, and receive those of the others."""
        Join.notify_join_context(self)
        self._sync_settings(self.param_groups, self._local.param_groups)
        loss = self._local.step(closure, **kwargs)
        self._sync_settings(self._local.param_groups, self.param_groups)
        self._send_parameters()
        return loss

    @property
    def _local(self) -> Optimizer:
        if self.optim is None:
            raise RuntimeError("ZeroRedundancyOptimizer has not been made")
        return self.optim

    @staticmethod
    def _sync_settings(source: Any, target: Any) -> None:
        """Settings as schedules change them."""
        for one, other in zip(source, target, strict=True):
            other.update({k: v for k, v in one.items() if k != "params"})

    def _send_parameters(self) -> None:
        with no_grad():
            works = []
            for p, owner in self.owner.items():
                source = get_global_rank(self.process_group, owner)
                sent = p.detach()
                works.append(broadcast(sent, source, self.process_group, True))
            for work in works:
                if work is not None:
                    work.wait()

    # ---- uneven inputs

    def join_hook(self, **kwargs: Any) -> JoinHook:
        """The hook for `Join`: a process without inputs still steps."""
        return _ZeROJoinHook(self)

    @property
    def join_device(self) -> Any:
        """The device of the parameters."""
        return next(iter(self.owner)).device

    @property
    def join_process_group(self) -> Any:
        """The processes that take part."""
        return self.process_group

    # ---- state

    def consolidate_state_dict(self, to: int = 0) -> None:
        """Gather the states of all processes in one, for its `state_dict`."""
        group = self.process_group
        self._sync_settings(self.param_groups, self._local.param_groups)
        numbers = self._numbers()
        mine = {numbers[p]: s for p, s in self._local.state.items() if p in numbers}
        received: list[Any] | None = None
        here = group.rank() == group.group_rank(to)
        if here:
            received = [None] * group.size()
        gather_object(mine, received, dst=to, group=group)
        if here:
            state = {k: v for part in received or () for k, v in part.items()}
            self._whole = {"state": dict(sorted(state.items()))}

    def _numbers(self) -> dict[Tensor, int]:
        every = [p for g in self.param_groups for p in g["params"]]
        return {p: i for i, p in enumerate(every)}

    def state_dict(self) -> dict[str, Any]:
        """The state of all processes, which `consolidate_state_dict` has gathered.

        Raises:
            RuntimeError: if it has not, in this process.
        """
        if self._whole is None:
            rank = self.process_group.rank()
            raise RuntimeError(
                "Optimizer state has not been consolidated on this rank. Please call "
                f"`consolidate_state_dict(to={rank})` on all ranks beforehand if you "
                "meant to save the global state."
            )
        numbers = self._numbers()
        groups = [
            {**g, "params": [numbers[p] for p in g["params"]]}
            for g in self.param_groups
        ]
        return {**self._whole, "param_groups": groups}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Load this process's part of the state of all."""
        super().load_state_dict(state_dict)
        rank = self.process_group.rank()
        local = self._local
        for p, state in self.state.items():
            if self.owner.get(p) == rank:
                local.state[p] = state
        self.state.clear()
        self._sync_settings(self.param_groups, local.param_groups)
        self._whole = None


def _checked(params: Any) -> list[Any]:
    """Parameters as a list.

    Raises:
        TypeError: for other arguments.
        ValueError: for none.
    """
    if isinstance(params, Tensor) or not isinstance(params, Iterable):
        kind = typename(params) if isinstance(params, Tensor) else type(params).__name__
        raise TypeError(
            "`params` argument should be an iterable of Tensors or dicts, but got "
            f"{kind}"
        )
    groups = list(params)
    if not groups:
        raise ValueError("ZeroRedundancyOptimizer got an empty parameter list")
    return groups
