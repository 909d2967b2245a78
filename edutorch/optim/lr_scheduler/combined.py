"""Several schedules for one optimizer: one after the other, or together."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from ..optimizer import Optimizer
from .plateau import ReduceLROnPlateau
from .scheduler import LRScheduler, group_values, set_value

__all__ = ["ChainedScheduler", "SequentialLR"]


class _SchedulerGroup(LRScheduler):
    """Base class: schedules of one optimizer, and their states."""

    _schedulers: Any

    def _check_schedulers(self, schedulers: Any, optimizer: Any) -> None:
        name = type(self).__name__
        for i, scheduler in enumerate(schedulers):
            if not hasattr(scheduler, "optimizer"):
                raise TypeError(
                    f"{name} at index {i} should have `optimizer` as its attribute."
                )
            if isinstance(scheduler, ReduceLROnPlateau):
                raise ValueError(
                    f"{name} does not support `ReduceLROnPlateau` scheduler as it "
                    "requires additional kwargs to be specified when calling `step`, "
                    f"but got one at index {i} in the given schedulers sequence."
                )
            if scheduler.optimizer is not optimizer:
                raise ValueError(
                    f"{name} expects all schedulers to belong to the same optimizer, "
                    f"but got scheduler {type(scheduler).__name__} at index {i} has "
                    f"{scheduler.optimizer}, which is different from "
                    f"{type(optimizer).__name__}."
                )

    def state_dict(self) -> dict[str, Any]:
        """The states of all schedules."""
        state = super().state_dict()
        del state["_schedulers"]
        return {**state, "_schedulers": [s.state_dict() for s in self._schedulers]}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Load the result of `state_dict`."""
        state = dict(state_dict)
        states = state.pop("_schedulers")
        super().load_state_dict(state)
        for scheduler, its_state in zip(self._schedulers, states, strict=True):
            scheduler.load_state_dict(its_state)


class SequentialLR(_SchedulerGroup):
    """Schedules one after the other.

    Math: lr_t as the k-th schedule has it at t − milestone_k, for milestone_k <= t

    Args:
        schedulers: in the order in which they run.
        milestones: the epochs at which the next one takes over, one fewer.

    Raises:
        ValueError: for no schedules, other optimizers, a wrong number of milestones.

    Example:
        >>> import edutorch as torch
        >>> optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=1.0)
        >>> schedules = torch.optim.lr_scheduler
        >>> warm = schedules.ConstantLR(optimizer, 0.1, total_iters=2)
        >>> fall = schedules.ExponentialLR(optimizer, 0.9)
        >>> schedule = schedules.SequentialLR(optimizer, [warm, fall], [2])
        >>> for _ in range(2):
        ...     optimizer.step()
        ...     schedule.step()
        >>> schedule.get_last_lr()
        [1.0]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        schedulers: list[Any],
        milestones: list[int],
        last_epoch: int = -1,
    ) -> None:
        if len(schedulers) < 1:
            raise ValueError(
                f"{type(self).__name__} expects at least one scheduler, but got no "
                "scheduler."
            )
        self._check_schedulers(schedulers, optimizer)
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                "Sequential Schedulers expects number of schedulers provided to be one "
                "more than the number of milestone points, but got number of "
                f"schedulers {len(schedulers)} and the number of milestones to be "
                f"equal to {len(milestones)}"
            )
        self._schedulers = schedulers
        self._milestones = milestones
        self.last_epoch = last_epoch + 1
        self.optimizer = optimizer
        # Each schedule has set the rates of its epoch 0: undo that, and do it once.
        for group in optimizer.param_groups:
            set_value(group, "lr", group["initial_lr"])
        self.recursive_undo()
        first = schedulers[bisect_right(milestones, 0)]
        first._initial_step()
        self._last_lr = first.get_last_lr()

    def recursive_undo(self, sched: Any = None) -> None:
        """Undo the first step of all schedules, also of nested ones."""
        scheduler = self if sched is None else sched
        if hasattr(scheduler, "_schedulers"):
            for inner in scheduler._schedulers:
                self.recursive_undo(inner)
        elif hasattr(scheduler, "last_epoch"):
            scheduler.last_epoch -= 1

    def step(self) -> None:  # type: ignore[override]  # PyTorch's has no epoch
        """Advance by one epoch, with the current schedule."""
        self.last_epoch += 1
        turn = bisect_right(self._milestones, self.last_epoch)
        scheduler = self._schedulers[turn]
        if turn > 0 and self._milestones[turn - 1] == self.last_epoch:
            scheduler._update_lr(0)
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()


class ChainedScheduler(_SchedulerGroup):
    """Schedules that all change the learning rate in every epoch.

    Math: lr_t = lr_(t−1), changed by each of the schedules in turn

    Raises:
        ValueError: for no schedules, or schedules of different optimizers.

    Example:
        >>> import edutorch as torch
        >>> optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=1.0)
        >>> schedules = torch.optim.lr_scheduler
        >>> both = [schedules.ConstantLR(optimizer, 0.5, 3),
        ...         schedules.ExponentialLR(optimizer, 0.5)]
        >>> schedule = schedules.ChainedScheduler(both)
        >>> optimizer.step()
        >>> schedule.step()
        >>> schedule.get_last_lr()
        [0.25]
    """

    def __init__(
        self, schedulers: Sequence[Any], optimizer: Optimizer | None = None
    ) -> None:
        if len(schedulers) < 1:
            raise ValueError(
                f"{type(self).__name__} expects at least one scheduler to be chained, "
                "but got no scheduler."
            )
        optimizer = optimizer or schedulers[0].optimizer
        self._check_schedulers(schedulers, optimizer)
        self._schedulers = schedulers
        self.optimizer = optimizer
        self._last_lr = group_values(optimizer, "lr")

    def step(self) -> None:  # type: ignore[override]  # PyTorch's has no epoch
        """Advance all schedules by one epoch, in order."""
        for scheduler in self._schedulers:
            scheduler.step()
        self._last_lr = group_values(self.optimizer, "lr")
