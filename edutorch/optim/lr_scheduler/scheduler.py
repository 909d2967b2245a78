"""LRScheduler: the base class of learning-rate schedules."""

from __future__ import annotations

import functools
import types
import warnings
import weakref
from typing import Any

from ...tensor.tensor import Tensor
from ..optimizer import Optimizer

__all__ = [
    "EPOCH_IS_DEPRECATED", "LRScheduler", "check_optimizer", "callable_states",
    "load_callable_states", "value_per_group", "set_value", "group_values",
]  # fmt: skip

HOW_TO = (
    " See more details at "
    "https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate"
)
EPOCH_IS_DEPRECATED = (
    "The epoch parameter in `scheduler.step()` was not necessary and is being "
    "deprecated where possible. Please use `scheduler.step()` to step the scheduler. "
    "During the deprecation, if epoch is different from None, the closed form is used "
    "instead of the new chainable form, where available. Please open an issue if you "
    "are unable to replicate your use case: "
    "https://github.com/pytorch/pytorch/issues/new/choose."
)


class LRScheduler:
    """Base class: subclasses write `get_lr`, the learning rates of this epoch.

    A schedule with a closed form also has `_get_closed_form_lr`.

    Args:
        optimizer: its "lr" changes; the initial value is stored as "initial_lr".
        last_epoch: the epoch that training continues from; -1 to begin.

    Attributes:
        last_epoch: the epoch, counted from 0.
        base_lrs: the initial learning rates of the groups.

    Raises:
        TypeError: for anything other than an optimizer.
        KeyError: for `last_epoch` of an optimizer that has no initial rates.

    Example:
        >>> import edutorch as torch
        >>> class Halved(torch.optim.lr_scheduler.LRScheduler):
        ...     def get_lr(self):
        ...         return [lr * 0.5**self.last_epoch for lr in self.base_lrs]
        >>> optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=1.0)
        >>> schedule = Halved(optimizer)
        >>> optimizer.step()
        >>> schedule.step()
        >>> schedule.get_last_lr()
        [0.5]
    """

    _get_lr_called_within_step = False
    _is_initial = False

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        check_optimizer(optimizer)
        self.optimizer = optimizer
        for i, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", _copy_if_tensor(group["lr"]))
            elif "initial_lr" not in group:
                raise KeyError(
                    f"param 'initial_lr' is not specified in param_groups[{i}] when "
                    "resuming scheduler with last_epoch >= 0.\nThis typically happens "
                    "when:\n1. You're trying to resume training from a checkpoint but "
                    "haven't properly loaded the optimizer state\n2. You're using "
                    "last_epoch >= 0 for a fresh training run (not recommended)"
                )
        self.base_lrs = group_values(optimizer, "initial_lr")
        self.last_epoch = last_epoch
        _watch_steps(optimizer)
        self._initial_step()

    def _initial_step(self) -> None:
        """Set the rates of epoch 0."""
        self._step_count = 0
        self._is_initial = True
        try:
            self.step()
        finally:
            self._is_initial = False

    # ---- the learning rates

    def get_lr(self) -> list[Any]:
        """The rates of this epoch, one for each group; subclasses define it."""
        raise NotImplementedError

    def get_last_lr(self) -> list[Any]:
        """The rates that were set last, one for each group."""
        return self._last_lr

    def step(self, epoch: int | None = None) -> None:
        """Advance by one epoch, and set the rates.

        Args:
            epoch: deprecated: the epoch to go to.
        """
        if self._step_count == 1:
            self._warn_of_order()
        self._step_count += 1
        if epoch is not None:
            warnings.warn(EPOCH_IS_DEPRECATED, UserWarning, stacklevel=2)
        self._update_lr(epoch)

    def _update_lr(self, epoch: int | None = None) -> None:
        self._get_lr_called_within_step = True
        try:
            closed = getattr(self, "_get_closed_form_lr", None)
            if epoch is None:
                self.last_epoch += 1
            else:
                self.last_epoch = epoch
            values = self.get_lr() if epoch is None or closed is None else closed()
        finally:
            self._get_lr_called_within_step = False
        self._set(values)

    def _set(self, values: list[Any]) -> None:
        for group, lr in zip(self.optimizer.param_groups, values, strict=True):
            set_value(group, "lr", lr)
        self._last_lr = group_values(self.optimizer, "lr")

    def _current_lrs(self) -> list[Any]:
        """The rates as they are."""
        return group_values(self.optimizer, "lr")

    def _warn_outside_step(self) -> None:
        """Warn that `get_lr` is meant for `step`; use `get_last_lr` elsewhere."""
        if not self._get_lr_called_within_step:
            warnings.warn(
                "To get the last learning rate computed by the scheduler, please use "
                "`get_last_lr()`.",
                UserWarning,
                stacklevel=3,
            )

    def _warn_of_order(self) -> None:
        if not hasattr(self.optimizer.step, "_wrapped_by_lr_sched"):
            warnings.warn(
                "Seems like `optimizer.step()` has been overridden after learning rate "
                "scheduler initialization. Please, make sure to call "
                "`optimizer.step()` before `lr_scheduler.step()`." + HOW_TO,
                UserWarning,
                stacklevel=3,
            )
        elif not getattr(self.optimizer, "_opt_called", False):
            warnings.warn(
                "Detected call of `lr_scheduler.step()` before `optimizer.step()`. In "
                "PyTorch 1.1.0 and later, you should call them in the opposite order: "
                "`optimizer.step()` before `lr_scheduler.step()`.  Failure to do this "
                "will result in PyTorch skipping the first value of the learning rate "
                "schedule." + HOW_TO,
                UserWarning,
                stacklevel=3,
            )

    # ---- state

    def state_dict(self) -> dict[str, Any]:
        """All attributes except the optimizer."""
        return {k: v for k, v in self.__dict__.items() if k != "optimizer"}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Load the result of `state_dict`."""
        self.__dict__.update(state_dict)


class _LRScheduler(LRScheduler):
    """The old name of `LRScheduler`, for programs that still subclass it."""


def check_optimizer(optimizer: Any) -> None:
    """Refuse anything other than an optimizer.

    Raises:
        TypeError: naming its type.
    """
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")


def _watch_steps(optimizer: Any) -> None:
    """Let `optimizer.step` note that it was called."""
    if hasattr(optimizer.step, "_wrapped_by_lr_sched"):
        return
    known, step = weakref.ref(optimizer), optimizer.step.__func__  # no cycle

    @functools.wraps(step)
    def noted(*args: Any, **kwargs: Any) -> Any:
        stepping: Any = known()
        stepping._opt_called = True
        return step(stepping, *args, **kwargs)

    noted._wrapped_by_lr_sched = True
    optimizer.step = noted


# ---- settings of groups; learning rates may be tensors


def _copy_if_tensor(value: Any) -> Any:
    return value.clone() if isinstance(value, Tensor) else value


def group_values(optimizer: Optimizer, name: str) -> list[Any]:
    """A setting of every group; tensors are copied."""
    return [_copy_if_tensor(group[name]) for group in optimizer.param_groups]


def set_value(group: dict[str, Any], name: str, value: Any) -> None:
    """Change a setting of a group; a tensor stays the same tensor."""
    if isinstance(group[name], Tensor):
        group[name].fill_(value.squeeze() if isinstance(value, Tensor) else value)
    else:
        group[name] = value


def value_per_group(name: str, optimizer: Optimizer, value: Any) -> list[Any]:
    """A setting as a list with a value for each group.

    Raises:
        ValueError: for a list of another length.
    """
    count = len(optimizer.param_groups)
    if not isinstance(value, (list, tuple)):
        return [_copy_if_tensor(value) for _ in range(count)]
    if len(value) != count:
        raise ValueError(
            f"{name} must have the same length as optimizer.param_groups. {name} has "
            f"{len(value)} values, param_groups has {count}."
        )
    return [_copy_if_tensor(v) for v in value]


# ---- functions in a state: attributes of objects are saved, code of functions is not


def callable_states(functions: list[Any]) -> list[Any]:
    """The attributes of callable objects; None for functions."""
    return [
        None if isinstance(f, types.FunctionType) else f.__dict__.copy()
        for f in functions
    ]


def load_callable_states(functions: list[Any], states: list[Any]) -> None:
    """Give callable objects the attributes that `callable_states` saved."""
    for function, state in zip(functions, states, strict=True):
        if state is not None:
            function.__dict__.update(state)
