"""Creates the initial tensors and parameters of modules."""

from __future__ import annotations

from typing import Any

from .. import devices, dtypes
from ..backends import backend_of
from ..ops import empty
from ..ops.create.factory import leaf_tensor
from ..tensor.tensor import Tensor
from .parameter import Parameter

__all__ = ["empty_parameter", "full_tensor", "full_parameter", "new_zeros"]


def full_tensor(
    shape: tuple[int, ...], value: float, device: Any = None, dtype: Any = None
) -> Tensor:
    """A tensor filled with one value, on a device and in a dtype.

    Example:
        >>> from edutorch.nn.factories import full_tensor
        >>> full_tensor((2,), 1.0)
        tensor([1., 1.])
    """
    if device is not None:
        _check_device(device)
    if shape and type(shape[0]) is bool:
        found = ", but found element of type bool at pos 0"
        raise TypeError(
            "empty(): argument 'size' (position 1) must be tuple of ints"
            f"{found if len(shape) > 1 else ', not bool'}"
        )
    kind = dtypes.get_default_dtype() if dtype is None else dtype
    made = empty(shape, dtype=kind, device=device)
    made._data.fill(value)
    return made


def _check_device(device: Any) -> None:
    """Refuse what names no device; as in PyTorch, before sizes."""
    kinds = (str, bytes, int, devices.device)
    if isinstance(device, bool) or not isinstance(device, kinds):
        raise TypeError(
            "empty(): argument 'device' must be torch.device, not "
            f"{type(device).__name__}"
        )
    devices.device(device)


def new_zeros(x: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Zeros with the dtype and device of a tensor.

    Quicker than `x.new_zeros`, which checks what users pass.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.nn.factories import new_zeros
        >>> new_zeros(torch.ones(1), (2,))
        tensor([0., 0.])
    """
    zeros = backend_of(x._device).xp.zeros(shape, x._data.dtype)
    return leaf_tensor(zeros, x._device)


def full_parameter(
    shape: tuple[int, ...], value: float, device: Any = None, dtype: Any = None
) -> Parameter:
    """A parameter filled with one value.

    Example:
        >>> from edutorch.nn.factories import full_parameter
        >>> full_parameter((1,), 2.0).item()
        2.0
    """
    return Parameter(full_tensor(shape, value, device, dtype))


def empty_parameter(
    shape: tuple[int, ...], device: Any = None, dtype: Any = None
) -> Parameter:
    """A parameter whose values an initialiser will set.

    Example:
        >>> from edutorch.nn.factories import empty_parameter
        >>> empty_parameter((2, 3)).shape
        torch.Size([2, 3])
    """
    return full_parameter(shape, 0.0, device, dtype)
