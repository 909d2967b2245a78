"""Objects that average a model over ranks every few steps."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

from ...groups.group_registry import default_group
from .utils import average_parameters_or_parameter_groups

__all__ = ["ModelAverager", "PeriodicModelAverager"]


class ModelAverager(ABC):
    """Base class of averagers.

    Args:
        process_group: the ranks that average; None for all.

    Attributes:
        step: how often `average_parameters` was called.

    Example:
        >>> from edutorch.distributed.algorithms.model_averaging import averagers
        >>> issubclass(averagers.PeriodicModelAverager, averagers.ModelAverager)
        True
    """

    def __init__(self, process_group: Any = None) -> None:
        self.process_group = default_group() if process_group is None else process_group
        self.step = 0

    @abstractmethod
    def average_parameters(self, params: Iterable[Any]) -> None:
        """Average the parameters, if it is time; called once in each step."""


class PeriodicModelAverager(ModelAverager):
    """Averages parameters every `period` steps, after `warmup_steps`.

    Args:
        period: the number of steps between averages.
        warmup_steps: the number of steps before the first average.
        process_group: the ranks that average; None for all.

    Raises:
        ValueError: for a negative number of steps, or a period below 1.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.distributed.algorithms.model_averaging import averagers
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> averager = averagers.PeriodicModelAverager(period=4, warmup_steps=100)
        >>> averager.average_parameters(torch.nn.Linear(1, 1).parameters())
        >>> averager.step
        1
        >>> dist.destroy_process_group()
    """

    def __init__(
        self, period: int, warmup_steps: int = 0, process_group: Any = None
    ) -> None:
        super().__init__(process_group)
        if warmup_steps < 0:
            raise ValueError("Arg ``warmup_steps`` must be a non-negative number.")
        if period < 1:
            raise ValueError("Arg ``period`` must be a positive value.")
        if period == 1:
            warnings.warn(
                "When period is 1, no need to use model averaging because the "
                "communication cost of all-reducing parameters will be no less than "
                "the cost of all-reducing gradients by DistributedDataParallel in the "
                "backward pass. Therefore, only DistributedDataParallel should be used "
                "for this case.",
                stacklevel=2,
            )
        self.warmup_steps, self.period = warmup_steps, period

    def average_parameters(self, params: Iterable[Any]) -> None:
        """Average the parameters, if it is time; called once in each step.

        Args:
            params: parameters, or parameter groups of an optimizer.
        """
        since = self.step - self.warmup_steps
        if since >= 0 and since % self.period == 0:
            average_parameters_or_parameter_groups(params, self.process_group)
        self.step += 1
