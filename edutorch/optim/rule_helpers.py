"""Helpers of update rules: checks of settings, initial state, step counts, decay."""

from __future__ import annotations

from math import inf
from typing import Any

from .. import dtypes
from ..autograd.op_errors import cast_error
from ..ops import full, view_as_real, zeros_like
from ..tensor.tensor import Tensor

__all__ = [
    "as_real", "check_adam_settings", "check_betas", "check_lr", "check_nonnegative",
    "count_step", "state_scalar", "learning_rate", "scalar", "sparse_rows",
    "gradient_with_decay", "convert_step_counts", "to_float", "zeros",
]  # fmt: skip


def check_lr(lr: Any) -> None:
    """Refuse a learning rate that is negative, or a tensor of several.

    Raises:
        ValueError: with PyTorch's words.
    """
    if isinstance(lr, Tensor) and lr.numel() != 1:
        raise ValueError("Tensor lr must be 1-element")
    check_nonnegative(lr, "learning rate")


def check_nonnegative(value: Any, name: str) -> None:
    """Refuse a negative setting, or one that is not a number (nan).

    Raises:
        ValueError: naming the setting.
    """
    if not 0.0 <= value <= inf:
        raise ValueError(f"Invalid {name}: {value}")


def check_betas(betas: Any) -> None:
    """Refuse decay rates outside [0, 1).

    Raises:
        ValueError: naming the position.
    """
    for i in (0, 1):
        beta = betas[i]
        if not 0.0 <= beta < 1.0:
            raise ValueError(f"Invalid beta parameter at index {i}: {beta}")


def check_adam_settings(lr: Any, betas: Any, eps: float, weight_decay: float) -> None:
    """Check the settings that Adam and its variants have in common.

    Raises:
        ValueError: for the first one out of range.
    """
    check_lr(lr)
    check_nonnegative(eps, "epsilon value")
    check_betas(betas)
    check_nonnegative(weight_decay, "weight_decay value")


def state_scalar(value: float = 0.0) -> Tensor:
    """A scalar of the state, such as a step count, as a tensor."""
    wide = dtypes.get_default_dtype() is dtypes.float64
    return full((), value, dtype=dtypes.float64 if wide else dtypes.float32)


def zeros(p: Tensor) -> Tensor:
    """Initial state: zeros in the shape of a parameter."""
    return zeros_like(p.detach())


def count_step(state: dict[str, Any]) -> Any:
    """Increment the step count and return it as an object with `item`.

    A loaded count of several elements is returned as a tensor, which refuses `item`.
    """
    step = state["step"]
    if not isinstance(step, Tensor):  # in old states
        step = state["step"] = state_scalar(float(step))
    try:
        step._data += 1  # a count needs neither gradients nor checks
    except TypeError:
        raise cast_error("Long", "Bool") from None
    return step if step._data.ndim else step._data


def convert_step_counts(states: Any, parameters: Any) -> None:
    """Convert the step counts of loaded states, maybe Python numbers, to tensors.

    Raises:
        TypeError: if states are not dictionaries, or counts are not numbers.
    """
    for p in parameters:
        values = states.get(p, ())
        if len(values) and not isinstance(values["step"], Tensor):
            values["step"] = state_scalar(float(values["step"]))


def to_float(value: Any) -> Any:
    """Convert a tensor of one element, such as a learning rate, to a Python number."""
    if isinstance(value, Tensor) and value.numel() == 1:
        return float(value)
    return value


def scalar(value: Any) -> Any:
    """A setting: a number, or a tensor of one element without dimensions."""
    single = isinstance(value, Tensor) and value._data.ndim and value.numel() == 1
    return value.reshape(()) if single else value


def learning_rate(group: dict[str, Any]) -> Any:
    """The learning rate of a group: a number, or a tensor without dimensions."""
    return scalar(group["lr"])


def gradient_with_decay(p: Tensor, g: Tensor, group: dict[str, Any]) -> Tensor:
    """The gradient plus weight decay; negated when maximizing."""
    g = -g if group["maximize"] else g
    decay = group["weight_decay"]
    if decay == 0:
        return g
    if group.get("decoupled_weight_decay"):
        p.mul_(1 - learning_rate(group) * decay)
        return g
    return g.add(p, alpha=decay)


def sparse_rows(g: Tensor) -> tuple[Any, Any]:
    """The distinct indices of a sparse gradient, and the values there."""
    once = g._data.unique()
    if not len(once.indices):  # without sparse dimensions
        return ..., once.values.sum(axis=0)
    return tuple(once.indices), once.values


def as_real(*tensors: Tensor) -> tuple[Tensor, ...]:
    """View complex tensors as real ones, with a last dimension of 2."""
    return tuple(view_as_real(t) if t.is_complex() else t for t in tensors)
