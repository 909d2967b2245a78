"""Schedules that follow a cosine."""

from __future__ import annotations

from math import cos, floor, log, pi
from typing import Any

from ..optimizer import Optimizer
from .scheduler import LRScheduler

__all__ = ["CosineAnnealingLR", "CosineAnnealingWarmRestarts"]


class CosineAnnealingLR(LRScheduler):
    """Moves the learning rate to its minimum and back, along a cosine.

    Math: lr_t = η_min + (lr_0 − η_min) (1 + cos(π t / T_max)) / 2
    Reference: Loshchilov and Hutter, 2017 (without restarts).

    Args:
        T_max: epochs of half a period.
        eta_min: the lowest rate.

    Example:
        >>> import edutorch as torch
        >>> optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=1.0)
        >>> schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 2)
        >>> optimizer.step()
        >>> schedule.step()
        >>> schedule.get_last_lr()
        [0.5]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        T_max: int,
        eta_min: float = 0.0,
        last_epoch: int = -1,
    ) -> None:
        self.T_max = T_max
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """The rates of this epoch, from those of the one before."""
        self._warn_outside_step()
        if self._is_initial:
            return self._current_lrs()
        t, half, low = self.last_epoch, self.T_max, self.eta_min
        if self._step_count == 1 and t > 0:
            return self._get_closed_form_lr()
        if (t - 1 - half) % (2 * half) == 0:  # at the lowest there is no ratio
            first = (1 - cos(pi / half)) / 2
            pairs = zip(self._current_lrs(), self.base_lrs, strict=True)
            return [lr + (base - low) * first for lr, base in pairs]
        ratio = (1 + cos(pi * t / half)) / (1 + cos(pi * (t - 1) / half))
        return [ratio * (lr - low) + low for lr in self._current_lrs()]

    def _get_closed_form_lr(self) -> list[Any]:
        low, height = self.eta_min, 1 + cos(pi * self.last_epoch / self.T_max)
        return [low + (base - low) * height / 2 for base in self.base_lrs]


class CosineAnnealingWarmRestarts(LRScheduler):
    """Lowers the learning rate along half a cosine, with restarts.

    Math: lr_t = η_min + (lr_0 − η_min) (1 + cos(π T_cur / T_i)) / 2
          T_cur: epochs since the restart      T_i: epochs between two restarts
    Reference: Loshchilov and Hutter, 2017, "SGDR".

    Args:
        T_0: epochs until the first restart.
        T_mult: the factor between the lengths of successive intervals.
        eta_min: the lowest rate.

    Raises:
        ValueError: for settings that are not positive integers.

    Example:
        >>> import edutorch as torch
        >>> optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=1.0)
        >>> schedules = torch.optim.lr_scheduler
        >>> schedule = schedules.CosineAnnealingWarmRestarts(optimizer, 2)
        >>> for _ in range(2):
        ...     optimizer.step()
        ...     schedule.step()
        >>> schedule.get_last_lr()
        [1.0]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        T_0: int,
        T_mult: int = 1,
        eta_min: float = 0.0,
        last_epoch: int = -1,
    ) -> None:
        if T_0 <= 0 or not isinstance(T_0, int):
            raise ValueError(f"Expected positive integer T_0, but got {T_0}")
        if T_mult < 1 or not isinstance(T_mult, int):
            raise ValueError(f"Expected integer T_mult >= 1, but got {T_mult}")
        if not isinstance(eta_min, (float, int)):
            raise ValueError(
                f"Expected float or int eta_min, but got {eta_min} of type "
                f"{type(eta_min)}"
            )
        self.T_0 = T_0
        self.T_i: float = T_0
        self.T_mult = T_mult
        self.eta_min = eta_min
        self.T_cur: float = last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """The rates at this time since the restart."""
        self._warn_outside_step()
        low, height = self.eta_min, 1 + cos(pi * self.T_cur / self.T_i)
        return [low + (base - low) * height / 2 for base in self.base_lrs]

    def step(self, epoch: float | None = None) -> None:
        """Advance by one epoch, or to a time, which may be within an epoch.

        Raises:
            ValueError: for a time below 0.
        """
        if epoch is None and self.last_epoch < 0:
            epoch = 0
        if epoch is None:
            epoch = self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur %= self.T_i
                self.T_i *= self.T_mult
        elif epoch < 0:
            raise ValueError(f"Expected non-negative epoch, but got {epoch}")
        else:
            self._enclosing_restarts(epoch)
        self.last_epoch = floor(epoch)
        self._get_lr_called_within_step = True
        values = self.get_lr()
        self._get_lr_called_within_step = False
        self._set(values)

    def _enclosing_restarts(self, epoch: float) -> None:
        """The restarts before and after a time."""
        first, ratio = self.T_0, self.T_mult
        if epoch < first:
            self.T_i, self.T_cur = first, epoch
        elif ratio == 1:
            self.T_cur = epoch % first
        else:
            n = int(log(epoch / first * (ratio - 1) + 1, ratio))  # restarts so far
            self.T_cur = epoch - first * (ratio**n - 1) / (ratio - 1)
            self.T_i = first * ratio**n
