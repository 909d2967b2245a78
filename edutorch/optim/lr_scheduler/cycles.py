"""Schedules in cycles: the learning rate up and down, the momentum down and up."""

from __future__ import annotations

import types
from collections.abc import Callable
from functools import partial
from math import cos, floor, pi
from typing import Any

from ..optimizer import Optimizer
from .scheduler import LRScheduler, check_optimizer, set_value, value_per_group

__all__ = ["CyclicLR", "OneCycleLR"]


class _CyclicBase(LRScheduler):
    """Base class: a momentum that changes inversely to the learning rate."""

    def _start_momentum(self, base: Any, top: Any, first: bool) -> tuple[Any, Any]:
        """The lists of lowest and highest momenta; at first the highest is set."""
        defaults = self.optimizer.defaults
        if "momentum" not in defaults and "betas" not in defaults:
            raise ValueError(
                "optimizer must support momentum or beta1 with `cycle_momentum` option "
                "enabled"
            )
        self.use_beta1 = "betas" in defaults
        lowest = value_per_group("base_momentum", self.optimizer, base)
        highest = value_per_group("max_momentum", self.optimizer, top)
        groups = self.optimizer.param_groups if first else []
        for group, low, high in zip(groups, lowest, highest, strict=False):
            self._set_momentum(group, high)
            group["max_momentum"], group["base_momentum"] = high, low
        return lowest, highest

    def _set_momentum(self, group: dict[str, Any], value: float) -> None:
        if self.use_beta1:
            group["betas"] = (value, *group["betas"][1:])
        else:
            group["momentum"] = value


class CyclicLR(_CyclicBase):
    """Moves the learning rate between two bounds, in cycles.

    Math: lr_t = base_lr + (max_lr − base_lr) · h · s
          h rises from 0 to 1 in step_size_up steps and falls in step_size_down
          s = 1 (triangular), 1 / 2^(cycle − 1) (triangular2), γ^t (exp_range)
    Reference: Smith, 2017, "Cyclical learning rates for training neural networks".

    Args:
        base_lr, max_lr: the bounds, or one for each group.
        scale_fn: the function s, instead of a mode; `scale_mode`: whether it gets the
            number of the "cycle" or of "iterations".
        cycle_momentum: whether the momentum changes inversely.

    Raises:
        ValueError: for an unknown mode, or a momentum that the optimizer lacks.

    Example:
        >>> import edutorch as torch
        >>> p = [torch.nn.Parameter(torch.ones(1))]
        >>> optimizer = torch.optim.SGD(p, lr=1.0, momentum=0.9)
        >>> schedule = torch.optim.lr_scheduler.CyclicLR(optimizer, 0.1, 0.5, 2)
        >>> for _ in range(2):
        ...     optimizer.step()
        ...     schedule.step()
        >>> schedule.get_last_lr()
        [0.5]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        base_lr: Any,
        max_lr: Any,
        step_size_up: int = 2000,
        step_size_down: int | None = None,
        mode: str = "triangular",
        gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None,
        scale_mode: str = "cycle",
        cycle_momentum: bool = True,
        base_momentum: float = 0.8,
        max_momentum: float = 0.9,
        last_epoch: int = -1,
    ) -> None:
        check_optimizer(optimizer)
        self.optimizer = optimizer
        base_lrs = value_per_group("base_lr", optimizer, base_lr)
        if last_epoch == -1:
            for lr, group in zip(base_lrs, optimizer.param_groups, strict=True):
                set_value(group, "lr", lr)
        self.max_lrs = value_per_group("max_lr", optimizer, max_lr)
        up = float(step_size_up)
        self.total_size = up + (up if step_size_down is None else float(step_size_down))
        self.step_ratio = up / self.total_size
        modes = ("triangular", "triangular2", "exp_range")
        if mode not in modes and scale_fn is None:
            raise ValueError("mode is invalid and scale_fn is None")
        self.mode = mode
        self.gamma = gamma
        self._scale_fn_custom = scale_fn
        self.scale_mode = scale_mode
        self._init_scale_fn()
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self.base_momentums, self.max_momentums = self._start_momentum(
                base_momentum, max_momentum, last_epoch == -1
            )
        super().__init__(optimizer, last_epoch)
        self.base_lrs = base_lrs

    def _init_scale_fn(self) -> None:
        """Choose the mode's scale."""
        if self._scale_fn_custom is None:
            scales = {
                "triangular": _constant,
                "triangular2": _halved,
                "exp_range": partial(_power, self.gamma),
            }
            self._scale_fn_ref: Any = scales[self.mode]
            by_steps = self.mode == "exp_range"
            self.scale_mode = "iterations" if by_steps else "cycle"

    def scale_fn(self, x: float) -> float:
        """The scale of a cycle, or of a step."""
        return (self._scale_fn_custom or self._scale_fn_ref)(x)

    def get_lr(self) -> list[Any]:
        """The rates of this step; sets the momenta as well."""
        self._warn_outside_step()
        cycle = floor(1 + self.last_epoch / self.total_size)
        x = 1.0 + self.last_epoch / self.total_size - cycle  # within the cycle, 0 to 1
        turn = self.step_ratio
        height = x / turn if x <= turn else (x - 1) / (turn - 1)
        scale = self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        if self.cycle_momentum:
            momenta = zip(self.base_momentums, self.max_momentums, strict=True)
            for group, (low, high) in zip(
                self.optimizer.param_groups, momenta, strict=True
            ):
                self._set_momentum(group, high - (high - low) * height * scale)
        bounds = zip(self.base_lrs, self.max_lrs, strict=True)
        return [low + (high - low) * height * scale for low, high in bounds]

    def state_dict(self) -> dict[str, Any]:
        """All attributes except the optimizer and the code of functions."""
        state = super().state_dict()
        state.pop("_scale_fn_ref", None)
        scale = state.pop("_scale_fn_custom")
        no_state = scale is None or isinstance(scale, types.FunctionType)
        return {
            **state,
            "_scale_fn_custom": None if no_state else scale.__dict__.copy(),
        }

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Load the result of `state_dict`."""
        state = state_dict.copy()
        attributes = state.pop("_scale_fn_custom")
        super().load_state_dict(state)
        if attributes is not None:
            self._scale_fn_custom.__dict__.update(attributes)
        self._init_scale_fn()


def _constant(cycle: float) -> float:
    return 1.0


def _halved(cycle: float) -> float:
    return 1 / (2.0 ** (cycle - 1))


def _power(gamma: float, step: float) -> float:
    return gamma**step


class OneCycleLR(_CyclicBase):
    """Raises the learning rate once, then lowers it far below its first value.

    Math: phases of `anneal_strategy`, from a to b: b + (a − b) (1 + cos(π x)) / 2, or
          a + (b − a) x, x from 0 to 1:
          max_lr / div_factor -> max_lr -> max_lr / (div_factor · final_div_factor)
    Reference: Smith and Topin, 2019, "Super-convergence".

    Args:
        max_lr: the highest rate, or one for each group.
        total_steps: the length of the cycle, or `epochs` times `steps_per_epoch`.
        pct_start: the share of the steps in which the rate rises.
        anneal_strategy: "cos" or "linear".
        cycle_momentum: whether the momentum changes inversely.
        three_phase: fall to the first rate as fast as it rose, and then to the last.

    Raises:
        ValueError: for settings out of range, and steps beyond the last.

    Example:
        >>> import edutorch as torch
        >>> p = [torch.nn.Parameter(torch.ones(1))]
        >>> optimizer = torch.optim.SGD(p, lr=1.0, momentum=0.9)
        >>> schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 1.0, 10)
        >>> optimizer.param_groups[0]["momentum"]
        0.95
    """

    def __init__(
        self,
        optimizer: Optimizer,
        max_lr: Any,
        total_steps: int | None = None,
        epochs: int | None = None,
        steps_per_epoch: int | None = None,
        pct_start: float = 0.3,
        anneal_strategy: str = "cos",
        cycle_momentum: bool = True,
        base_momentum: Any = 0.85,
        max_momentum: Any = 0.95,
        div_factor: float = 25.0,
        final_div_factor: float = 1e4,
        three_phase: bool = False,
        last_epoch: int = -1,
    ) -> None:
        check_optimizer(optimizer)
        self.optimizer = optimizer
        self.total_steps = _total_steps(total_steps, epochs, steps_per_epoch)
        self._schedule_phases = _phases(self.total_steps, pct_start, three_phase)
        if not isinstance(pct_start, float) or pct_start < 0 or pct_start > 1:
            raise ValueError(
                f"Expected float between 0 and 1 pct_start, but got {pct_start}"
            )
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(
                "anneal_strategy must be one of 'cos' or 'linear', instead got "
                f"{anneal_strategy}"
            )
        self._anneal_func_type = anneal_strategy
        highest = value_per_group("max_lr", optimizer, max_lr)
        if last_epoch == -1:
            for lr, group in zip(highest, optimizer.param_groups, strict=True):
                group["initial_lr"] = lr / div_factor
                group["max_lr"] = lr
                group["min_lr"] = group["initial_lr"] / final_div_factor
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self._start_momentum(base_momentum, max_momentum, last_epoch == -1)
        super().__init__(optimizer, last_epoch)

    def _interpolate(self, start: Any, end: Any, x: float) -> Any:
        """The value at the fraction x of the way from `start` to `end`."""
        if self._anneal_func_type == "cos":
            return end + (start - end) / 2.0 * (cos(pi * x) + 1)
        return (end - start) * x + start

    def get_lr(self) -> list[Any]:
        """The rates of this step; sets the momenta as well."""
        self._warn_outside_step()
        step = self.last_epoch
        if step > self.total_steps:
            raise ValueError(
                f"Tried to step {step} times. The specified number of total steps is "
                f"{self.total_steps}"
            )
        start = 0.0
        for phase in self._schedule_phases:
            if step <= phase["end_step"] or phase is self._schedule_phases[-1]:
                break
            start = phase["end_step"]
        x = (step - start) / (phase["end_step"] - start)
        rates = []
        for group in self.optimizer.param_groups:
            lr = self._interpolate(group[phase["start_lr"]], group[phase["end_lr"]], x)
            rates.append(lr)
            if self.cycle_momentum:
                ends = group[phase["start_momentum"]], group[phase["end_momentum"]]
                self._set_momentum(group, self._interpolate(*ends, x))
        return rates


def _total_steps(steps: Any, epochs: Any, steps_per_epoch: Any) -> int:
    """The number of steps, given or multiplied."""
    if steps is not None:
        if steps <= 0 or not isinstance(steps, int):
            raise ValueError(f"Expected positive integer total_steps, but got {steps}")
        return int(steps)
    if epochs is None or steps_per_epoch is None:
        raise ValueError(
            "You must define either total_steps OR (epochs AND steps_per_epoch)"
        )
    _check_count("epochs", epochs)
    _check_count("steps_per_epoch", steps_per_epoch)
    return int(epochs * steps_per_epoch)


def _check_count(name: str, value: Any) -> None:
    if not isinstance(value, int) or value <= 0:
        raise ValueError(f"Expected positive integer {name}, but got {value}")


def _phases(total: int, share: float, three: bool) -> list[dict[str, Any]]:
    """The end of every phase, and the settings of a group between which it moves."""
    names = "end_step", "start_lr", "end_lr", "start_momentum", "end_momentum"
    rise = float(share * total) - 1
    rows = [(rise, "initial_lr", "max_lr", "max_momentum", "base_momentum")]
    if three:
        fall = float(2 * share * total) - 2
        rows += [
            (fall, "max_lr", "initial_lr", "base_momentum", "max_momentum"),
            (total - 1, "initial_lr", "min_lr", "max_momentum", "max_momentum"),
        ]
    else:
        rows += [(total - 1, "max_lr", "min_lr", "base_momentum", "max_momentum")]
    return [dict(zip(names, row, strict=True)) for row in rows]
