"""Uneven inputs: a process without inputs joins the others' collectives.

Before every collective of a step, processes count those that still take part. One that
has no inputs left repeats the collectives of the others, adding nothing to them, until
all are done.
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from ...ops.create.filled import ones, zeros
from ..collectives.reductions import all_reduce
from ..collectives.work import Work

__all__ = ["Join", "JoinHook", "Joinable"]


class JoinHook:
    """The work of a process that has no inputs left.

    Example:
        >>> import edutorch as torch
        >>> torch.distributed.algorithms.JoinHook().main_hook()
    """

    def main_hook(self) -> None:
        """Take part in the collectives of one step of the others."""

    def post_hook(self, is_last_joiner: bool) -> None:
        """Called once when all are done.

        Args:
            is_last_joiner: whether this process was among the last with inputs.
        """


class _JoinConfig:
    """Whether a `Join` is active, and whether a process without inputs ends all."""

    def __init__(
        self, enable: bool = False, throws: bool = False, first: bool = True
    ) -> None:
        self.enable, self.throw_on_early_termination = enable, throws
        self.is_first_joinable = first


class Joinable(ABC):
    """Base class of objects with collectives in their steps, which others can repeat.

    Example:
        >>> import edutorch as torch
        >>> isinstance(torch.nn.Linear(1, 1), torch.distributed.algorithms.Joinable)
        False
    """

    def __init__(self) -> None:
        self._join_config = _JoinConfig()

    @abstractmethod
    def join_hook(self, **kwargs: Any) -> JoinHook:
        """The hook of a process without inputs left; `kwargs` come from `Join`."""

    @property
    @abstractmethod
    def join_device(self) -> Any:
        """The device on which processes are counted."""

    @property
    @abstractmethod
    def join_process_group(self) -> Any:
        """The group of the processes."""


class Join:
    """A `with` block in which processes may have different numbers of inputs.

    Args:
        joinables: modules and optimizers with collectives in their steps.
        enable: False if all processes are known to have the same number of inputs.
        throw_on_early_termination: raise in all processes when the first one has no
            inputs left.
        kwargs: passed on to `join_hook`.

    Raises:
        ValueError: for no joinables.
        RuntimeError: in the block, if `throw_on_early_termination` asks for it.

    Example:
        >>> import edutorch as torch
        >>> try:
        ...     torch.distributed.algorithms.Join([])
        ... except ValueError as error:
        ...     print(error)
        The join context manager requires at least one joinable
    """

    def __init__(
        self,
        joinables: Sequence[Joinable],
        enable: bool = True,
        throw_on_early_termination: bool = False,
        **kwargs: Any,
    ) -> None:
        if not joinables:
            raise ValueError("The join context manager requires at least one joinable")
        self._joinables = list(joinables)
        self._hooks = [joinable.join_hook(**kwargs) for joinable in joinables]
        self._enable, self._throws = enable, throw_on_early_termination
        for i, joinable in enumerate(self._joinables):
            joinable._join_config = _JoinConfig(
                enable, throw_on_early_termination, i == 0
            )
        self._group = joinables[0].join_process_group
        self._device = joinables[0].join_device

    def __enter__(self) -> None:
        """Do nothing: the work is done at the end of the block."""

    def __exit__(self, kind: object, value: object, traceback: object) -> None:
        """Help the others until all are done."""
        if self._enable and kind is None:
            self._shadow_collectives()
        for joinable in self._joinables:
            joinable._join_config = _JoinConfig()

    def _shadow_collectives(self) -> None:
        is_last, rounds = True, 0
        while self._count_active_ranks():
            is_last = False
            rounds += 1
            if self._throws:
                self._notify_early_termination()
            if rounds == 1000:
                warnings.warn(
                    "Detected uneven input skew of greater than 1000. This means that "
                    f"rank {self._group.rank()} has at least 1000 fewer inputs than "
                    "other currently-active ranks. This level of skew could lead to "
                    "performance degradation during training.",
                    stacklevel=3,
                )
            for hook in self._hooks:
                hook.main_hook()
        for hook in self._hooks:
            hook.post_hook(is_last)

    def _count_active_ranks(self) -> int:
        """The number of processes that still have inputs."""
        count = zeros(1, device=self._device)
        all_reduce(count, group=self._group)
        return int(count.item())

    def _notify_early_termination(self) -> None:
        all_reduce(ones(1, device=self._device), group=self._group)
        raise RuntimeError(f"Rank {self._group.rank()} exhausted all inputs.")

    @staticmethod
    def notify_join_context(joinable: Joinable) -> Work | None:
        """Tell the others that this process takes part in the step that begins.

        Returns the pending count of the processes that do; None outside of `Join`.
        """
        config = joinable._join_config
        if not config.enable or not config.is_first_joinable:
            return None
        device, group = joinable.join_device, joinable.join_process_group
        work = all_reduce(ones(1, device=device), group=group, async_op=True)
        if config.throw_on_early_termination and work is not None:
            work.wait()
            joined = zeros(1, device=device)
            all_reduce(joined, group=group)
            if joined.item():
                raise RuntimeError(
                    "Detected at least one rank that exhausted inputs. Throwing across "
                    "all ranks."
                )
        return work
