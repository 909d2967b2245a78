"""Checks of `foreach`, `fused` and `capturable`, which choose an implementation.

PyTorch has several implementations of a step. edutorch has one, which refuses what
PyTorch's chosen implementation refuses.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..tensor.tensor import Tensor

__all__ = [
    "check_capturable", "check_first_fused_parameter", "check_foreach", "check_fused",
    "check_fused_parameter",
]  # fmt: skip

FUSED = ["mps", "cuda", "xpu", "hpu", "cpu", "mtia", "privateuseone"]
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
