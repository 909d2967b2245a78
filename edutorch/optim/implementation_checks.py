"""Checks of `foreach`, `fused` and `capturable`, which choose an implementation.

PyTorch has several implementations of a step. edutorch has one, which refuses what
PyTorch's chosen implementation refuses.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..ops.argument_errors import INVALID
from ..tensor.tensor import Tensor

__all__ = [
    "check_capturable", "check_first_fused_parameter", "check_foreach", "check_fused",
    "check_fused_parameter", "check_fused_settings",
]  # fmt: skip

FUSED = ["mps", "cuda", "xpu", "hpu", "cpu", "mtia", "privateuseone"]
FLAGS = frozenset(("maximize", "amsgrad", "nesterov"))
# PyTorch's fused functions: their lists of tensors, and then their settings, in the
# order of its error messages.
FUSED_FUNCTIONS = {
    "_fused_adam_": (6, "maximize eps beta2 beta1 lr found_inf weight_decay amsgrad"),
    "_fused_adamw_": (6, "maximize eps beta2 beta1 lr found_inf weight_decay amsgrad"),
    "_fused_adagrad_": (4, "maximize eps found_inf weight_decay lr_decay lr"),
    "_fused_sgd_": (
        3, "maximize nesterov lr momentum found_inf dampening weight_decay",
    ),
}  # fmt: skip
CAPTURING = ["cuda", "xpu", "hpu", "privateuseone"]  # which record graphs


def check_fused(fused: Any, differentiable: Any, foreach: Any) -> None:
    """Refuse implementations that exclude each other.

    Raises:
        RuntimeError: with PyTorch's words.
    """
    if fused and differentiable:
        raise RuntimeError("`fused` does not support `differentiable`")
    if fused and foreach:
        raise RuntimeError("`fused` and `foreach` cannot be `True` together.")


def check_fused_parameter(p: Tensor) -> None:
    """Refuse a parameter that PyTorch's fused kernels do not take.

    Raises:
        RuntimeError: with PyTorch's words.
    """
    if not (p._device.type in FUSED and p.is_floating_point()):
        raise RuntimeError(
            "`fused=True` requires all the params to be floating point Tensors of "
            f"supported devices: {FUSED} but {p.dtype} and {p._device.type}"
        )


def check_first_fused_parameter(optimizer: Any, params: list[Tensor]) -> None:
    """Refuse, once, what PyTorch's fused kernels do not take as the first parameter.

    Raises:
        RuntimeError: with PyTorch's words.
    """
    if params and not optimizer._fused_checked:
        check_fused_parameter(params[0])
        optimizer._fused_checked = True


def check_fused_settings(function: str, group: dict[str, Any]) -> None:
    """Refuse flags that are not bools, and settings that are not numbers.

    PyTorch's fused functions do, unlike its other implementations.

    Raises:
        TypeError: with PyTorch's words.
    """
    count, names = FUSED_FUNCTIONS[function]
    given = {name: group.get(name) for name in names.split() if name != "found_inf"}
    if "beta1" in given:
        given["beta1"], given["beta2"] = group["betas"]
    if all(
        isinstance(value, bool if name in FLAGS else (int, float, Tensor))
        for name, value in given.items()
    ):
        return
    first = "is_first_step=bool, " * (function == "_fused_sgd_")
    settings = {"grad_scale": None, **{n: given.get(n) for n in names.split()}}
    types = ", ".join(f"{name}={type(v).__name__}" for name, v in settings.items())
    raise TypeError(
        f"{function}() {INVALID} - got ({'list, ' * count}{first}{types}), but "
        "expected one of:"
    )


def check_foreach(group: dict[str, Any]) -> None:
    """Refuse `foreach` for steps that are recorded.

    Raises:
        AssertionError: with PyTorch's words.
    """
    if group.get("foreach") and group.get("differentiable"):
        raise AssertionError("_foreach ops don't support autograd")


def check_capturable(
    group: dict[str, Any],
    params: Iterable[Tensor],
    names: tuple[str, str],
    xla: tuple[bool, bool],
) -> None:
    """Refuse `capturable` for parameters on a device that records no graphs.

    Args:
        group: the settings.
        params: the parameters that have gradients.
        names: what has to be on such a device, without `foreach` and with it.
        xla: whether XLA's devices are among them, without `foreach` and with it.

    Raises:
        AssertionError: with PyTorch's words.
    """
    if not group.get("capturable"):
        return
    foreach = bool(group.get("foreach"))
    devices = CAPTURING + ["xla"] * xla[foreach]
    if any(p._device.type not in devices for p in params):
        raise AssertionError(
            f"If capturable=True, {names[foreach]} must be on supported devices: "
            f"{devices}."
        )
