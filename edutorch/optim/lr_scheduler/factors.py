"""Schedules that multiply the learning rate by a factor."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from typing import Any

from ...nn.qualnames import RequalifyInit
from ..optimizer import Optimizer
from .scheduler import LRScheduler, callable_states, load_callable_states

__all__ = [
    "ConstantLR", "ExponentialLR", "LambdaLR", "LinearLR", "MultiStepLR",
    "MultiplicativeLR", "PolynomialLR", "StepLR",
]  # fmt: skip


class _Functions(RequalifyInit, LRScheduler):
    """Schedules of the user's functions of the epoch, one for each group."""

    lr_lambdas: list[Any]

    def __init__(
        self, optimizer: Optimizer, lr_lambda: Any, last_epoch: int = -1
    ) -> None:
        self.optimizer = optimizer
        count = len(optimizer.param_groups)
        several = isinstance(lr_lambda, (list, tuple))
        self.lr_lambdas = list(lr_lambda) if several else [lr_lambda] * count
        if len(self.lr_lambdas) != count:
            raise ValueError(
                f"Expected {count} lr_lambdas, but got {len(self.lr_lambdas)}"
            )
        self._check_functions()
        super().__init__(optimizer, last_epoch)

    def _check_functions(self) -> None:
        """Check that all of them can be called."""

    def state_dict(self) -> dict[str, Any]:
        """All attributes except the optimizer and the code of functions."""
        state = super().state_dict()
        del state["lr_lambdas"]
        return {**state, "lr_lambdas": callable_states(self.lr_lambdas)}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Load the result of `state_dict`; functions stay those of this schedule."""
        state = dict(state_dict) if isinstance(state_dict, dict) else state_dict
        states = state.pop("lr_lambdas")
        super().load_state_dict(state)
        load_callable_states(self.lr_lambdas, states)


class LambdaLR(_Functions):
    """The first learning rate times a function of the epoch.

    Math: lr_t = lr_0 · f(t)

    Args:
        lr_lambda: f, or one for each group.

    Raises:
        ValueError: for another number of functions than of groups.

    Example:
        >>> import edutorch as torch
        >>> optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=1.0)
        >>> schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda t: 0.9**t)
        >>> schedule.get_last_lr()
        [1.0]
    """

    def get_lr(self) -> list[Any]:
        """The rates of this epoch."""
        self._warn_outside_step()
        pairs = zip(self.lr_lambdas, self.base_lrs, strict=True)
        return [lr * f(self.last_epoch) for f, lr in pairs]


class MultiplicativeLR(_Functions):
    """The learning rate times a function of the epoch, in every epoch.

    Math: lr_t = lr_(t−1) · f(t)

    Args:
        lr_lambda: f, or one for each group.

    Raises:
        ValueError: for another number of functions than of groups.
        TypeError: for anything other than a function.

    Example:
        >>> import edutorch as torch
        >>> optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=1.0)
        >>> schedule = torch.optim.lr_scheduler.MultiplicativeLR(
        ...     optimizer, lambda t: 0.5)
        >>> optimizer.step()
        >>> schedule.step()
        >>> schedule.get_last_lr()
        [0.5]
    """

    def _check_functions(self) -> None:
        for f in self.lr_lambdas:
            if not callable(f):
                raise TypeError(
                    f"lr_lambda should be a function, but got {type(f).__name__}"
                )

    def get_lr(self) -> list[Any]:
        """The rates of this epoch."""
        self._warn_outside_step()
        if self._is_initial:
            return self._current_lrs()
        pairs = zip(self.lr_lambdas, self._current_lrs(), strict=True)
        return [lr * f(self.last_epoch) for f, lr in pairs]


class _Factors(LRScheduler):
    """Schedules with a factor of every epoch, and one since the first."""

    def factor_now(self) -> float:
        """This epoch's rates over the last one's; the integer 1 keeps their type."""
        raise NotImplementedError

    def factor_so_far(self) -> float:
        """The factor of the initial rates in this epoch."""
        raise NotImplementedError

    def get_lr(self) -> list[Any]:
        """The rates of this epoch."""
        self._warn_outside_step()
        factor = self.factor_now()
        if type(factor) is int and factor == 1:  # the rates stay what they are
            return self._current_lrs()
        return [lr * factor for lr in self._current_lrs()]

    def _get_closed_form_lr(self) -> list[Any]:
        factor = self.factor_so_far()
        return [lr * factor for lr in self.base_lrs]


class StepLR(_Factors):
    """Multiplies the learning rate by a factor every few epochs.

    Math: lr_t = lr_0 · γ^⌊t / step_size⌋

    Example:
        >>> import edutorch as torch
        >>> optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=1.0)
        >>> schedule = torch.optim.lr_scheduler.StepLR(optimizer, 2, gamma=0.5)
        >>> for _ in range(4):
        ...     optimizer.step()
        ...     schedule.step()
        >>> schedule.get_last_lr()
        [0.25]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        step_size: int,
        gamma: float = 0.1,
        last_epoch: int = -1,
    ) -> None:
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def factor_now(self) -> float:
        """γ where a step begins."""
        begins = self.last_epoch != 0 and self.last_epoch % self.step_size == 0
        return self.gamma if begins else 1

    def factor_so_far(self) -> float:
        """γ for every step."""
        return self.gamma ** (self.last_epoch // self.step_size)


class MultiStepLR(_Factors):
    """Multiplies the learning rate by a factor at given epochs.

    Math: lr_t = lr_0 · γ^(number of milestones ≤ t)

    Example:
        >>> import edutorch as torch
        >>> optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=1.0)
        >>> schedule = torch.optim.lr_scheduler.MultiStepLR(optimizer, [1, 30])
        >>> optimizer.step()
        >>> schedule.step()
        >>> schedule.get_last_lr()
        [0.1]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        milestones: Iterable[int],
        gamma: float = 0.1,
        last_epoch: int = -1,
    ) -> None:
        self.milestones = Counter(milestones)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def factor_now(self) -> float:
        """γ for every milestone at this epoch."""
        times = self.milestones[self.last_epoch]
        return self.gamma**times if times else 1

    def factor_so_far(self) -> float:
        """γ for every milestone passed."""
        passed = bisect_right(sorted(self.milestones.elements()), self.last_epoch)
        return self.gamma**passed


class ConstantLR(_Factors):
    """A smaller learning rate for the first epochs.

    Math: lr_t = lr_0 · factor for t < total_iters, then lr_0

    Raises:
        ValueError: for a factor outside [0, 1].

    Example:
        >>> import edutorch as torch
        >>> optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=1.0)
        >>> torch.optim.lr_scheduler.ConstantLR(optimizer, 0.5).get_last_lr()
        [0.5]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        factor: float = 1.0 / 3,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if factor > 1.0 or factor < 0:
            raise ValueError(
                "Constant multiplicative factor expected to be between 0 and 1."
            )
        self.factor = factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def factor_now(self) -> float:
        """The factor at first, its inverse at the end."""
        if self.last_epoch == 0:
            return self.factor
        return 1.0 / self.factor if self.last_epoch == self.total_iters else 1

    def factor_so_far(self) -> float:
        """The factor until the end."""
        over = self.last_epoch >= self.total_iters
        return self.factor + over * (1 - self.factor)


class LinearLR(_Factors):
    """Multiplies the learning rate by a factor that changes linearly at first.

    Math: lr_t = lr_0 · (start + (end − start) · min(t, total_iters) / total_iters)

    Raises:
        ValueError: for factors outside [0, 1], or a first one of 0.

    Example:
        >>> import edutorch as torch
        >>> optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=1.0)
        >>> torch.optim.lr_scheduler.LinearLR(optimizer, 0.25).get_last_lr()
        [0.25]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if start_factor > 1.0 or start_factor <= 0:
            raise ValueError(
                "Starting multiplicative factor expected to be greater than 0 and less "
                "or equal to 1."
            )
        if end_factor > 1.0 or end_factor < 0:
            raise ValueError(
                "Ending multiplicative factor expected to be between 0 and 1."
            )
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def factor_now(self) -> float:
        """The new factor over the one before."""
        if self.last_epoch == 0:
            return self.start_factor
        if self._is_initial or self.last_epoch > self.total_iters:
            return 1
        change = self.end_factor - self.start_factor
        before = self.total_iters * self.start_factor + (self.last_epoch - 1) * change
        return 1.0 + change / before

    def factor_so_far(self) -> float:
        """On the line from the first factor to the last."""
        t = min(self.total_iters, self.last_epoch)
        change = self.end_factor - self.start_factor
        return self.start_factor + change * t / self.total_iters


class ExponentialLR(_Factors):
    """Multiplies the learning rate by a factor in every epoch.

    Math: lr_t = lr_0 · γ^t

    Example:
        >>> import edutorch as torch
        >>> optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=1.0)
        >>> schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)
        >>> optimizer.step()
        >>> schedule.step()
        >>> schedule.get_last_lr()
        [0.9]
    """

    def __init__(
        self, optimizer: Optimizer, gamma: float, last_epoch: int = -1
    ) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def factor_now(self) -> float:
        """γ, but for the first epoch."""
        return 1 if self._is_initial else self.gamma

    def factor_so_far(self) -> float:
        """γ for every epoch."""
        return self.gamma**self.last_epoch


class PolynomialLR(_Factors):
    """A learning rate that falls to 0 as a power of the time left.

    Math: lr_t = lr_0 · (1 − min(t, total_iters) / total_iters)^power

    Example:
        >>> import edutorch as torch
        >>> optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=1.0)
        >>> schedule = torch.optim.lr_scheduler.PolynomialLR(optimizer, 4)
        >>> optimizer.step()
        >>> schedule.step()
        >>> schedule.get_last_lr()
        [0.75]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        total_iters: int = 5,
        power: float = 1.0,
        last_epoch: int = -1,
    ) -> None:
        self.total_iters = total_iters
        self.power = power
        super().__init__(optimizer, last_epoch)

    def factor_now(self) -> float:
        """The ratio of the time left to that one epoch before, to the power."""
        if self._is_initial or self.last_epoch > self.total_iters:
            return 1
        left = 1.0 - self.last_epoch / self.total_iters
        before = 1.0 - (self.last_epoch - 1) / self.total_iters
        return (left / before) ** self.power

    def factor_so_far(self) -> float:
        """The time left, to the power."""
        t = min(self.total_iters, self.last_epoch)
        return (1.0 - t / self.total_iters) ** self.power
