"""Conversion to other dtypes and devices."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import backends, devices, dtypes, events, op_events
from ...autograd.dispatch import Op, apply1, record
from ...autograd.op_errors import operation_error
from ...backends.array_modules import on_gpu
from ...backends.device_costs import charge_copy
from ...backends.flags import warn_once
from ...backends.gpus import simulated_now
from ...backends.pinned import pin
from ...kernels.float8 import to_float8
from ...kernels.memory_format import cast_preserving_strides, has_channels_last
from ...layouts import (
    channels_last,
    channels_last_3d,
    contiguous_format,
    preserve_format,
)
from ...tensor.complex_parts import COMPLEX32
from ...tensor.tensor import Tensor, wrap
from ..argument_checks import tensor_of, type_error
from ..argument_errors import argument_error, check_call, invalid_combination
from ..registration import method
from .copy_fill import clone

__all__: list[str] = []


class ToCopy(Op):
    """A copy in another dtype.

    Math: y = x, rounded to `dtype`      ∂L/∂x = g, in the dtype of x
    """

    takes_float8 = True
    forward_in_single = False
    backward_in_single = False
    attributes = ("dtype",)
    onnx = "Cast"
    saves = ()

    differentiable: Any = None  # the dtype decides

    def __init__(self, dtype: dtypes.dtype) -> None:
        self.dtype = dtype
        self.differentiable = dtype.kind >= dtypes.FLOATING

    def forward(self, x: Any) -> Any:
        return cast_array(x, self.dtype.numpy)

    def backward(self, g: Any) -> Any:
        return g  # the engine converts gradients to the dtype of the input


def cast_array(x: Any, dtype: Any) -> Any:
    """A copy of an array in another NumPy dtype; values out of range wrap around."""
    if x.dtype == COMPLEX32:
        x = x.astype(np.complex64)
    if x.dtype.kind == "c" and np.dtype(dtype).kind not in "cbW":
        warn_once("Casting complex values to real discards the imaginary part")
        x = x.real
    if dtype not in dtypes.ORDINARY and np.dtype(dtype) in dtypes.FLOAT8:
        return to_float8(x, np.dtype(dtype))
    if x.dtype in dtypes.FLOAT8:
        x = x.astype(np.float32)
    with np.errstate(all="ignore"):
        return cast_preserving_strides(x, dtype)


class ToDevice(Op):
    """A copy on another device.

    Math: y = x      ∂L/∂x = g, back on the device of x
    """

    takes_float8 = True
    forward_in_single = False
    backward_in_single = False
    attributes = ("target",)
    torch_name = "ToCopy"
    saves = ()

    def __init__(
        self, source: devices.device, target: devices.device, non_blocking: bool = False
    ) -> None:
        self.source, self.target, self.non_blocking = source, target, non_blocking

    def forward(self, x: Any) -> Any:
        return transfer_array(x, self.source, self.target, self.non_blocking)

    def backward(self, g: Any) -> Any:
        if isinstance(g, Tensor):
            return copy_to_device(g, self.source)
        return transfer_array(g, self.target, self.source)


def transfer_array(
    x: Any, source: devices.device, target: devices.device, non_blocking: bool = False
) -> Any:
    """Copy a tensor's array from `source` to `target`, with an event.

    Args:
        non_blocking: let a GPU copy page-locked memory while the program continues.
    """
    there, here = backends.backend_of(target), backends.backend_of(source)
    if "cuda" in (source.type, target.type):
        charge_copy(source, target, x, non_blocking)
    if source is not devices.CPU and not (on_gpu(x) and there is here):
        x = here.download(x)
    if non_blocking and hasattr(there, "upload_async"):
        y = there.upload_async(x, target)
    else:
        y = there.upload(x, target) if target is not devices.CPU else x
    events.transfer(str(source), str(target), int(x.nbytes))
    return y


def copy_to_device(
    x: Tensor, target: devices.device, non_blocking: bool = False
) -> Tensor:
    """A copy of a tensor on another device, recorded like any op.

    Dispatch puts results on the device of the operands; here that would be wrong.
    """
    op = ToDevice(x._device, target, non_blocking)
    started = events.clock() if events.active else 0
    try:
        out = wrap(op.forward(x._data), target)
    except Exception as error:  # noqa: BLE001 (whatever it is gets its notes)
        raise operation_error(op, (x,), error, started) from None
    if non_blocking and target is devices.CPU and simulated_now() is not None:
        pin(out._data)  # like PyTorch's, which may still be being filled
    op.device = target
    record(op, (x,), (out,), False)
    if started:
        op_events.announce_op(op, (x,), (out,), started)
    return out


def _is_numpys(dtype: Any) -> bool:
    """Whether a dtype is NumPy's name or class of numbers, which PyTorch refuses."""
    if isinstance(dtype, type):
        return issubclass(dtype, np.generic)
    return isinstance(dtype, str)


@method
def _tensor_to(
    self: Tensor,
    *args: Any,
    device: Any = None,
    dtype: Any = None,
    non_blocking: bool = False,
    copy: bool = False,
    memory_format: Any = preserve_format,
) -> Tensor:
    """This tensor with another dtype or device; itself if nothing changes.

    The forms are `to(dtype)`, `to(device)`, `to(device, dtype)` and `to(other)`.

    Math: y = x      ∂L/∂x = g, in the dtype and on the device of x
    Shape: (*) -> (*)

    Args:
        non_blocking: let a GPU copy pinned memory while the program continues; other
            transfers end before the call returns.
        copy: make a copy even where nothing changes.

    Raises:
        RuntimeError: for a device that does not exist.

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1.7, -2.2]).to(torch.int64)
        tensor([ 1, -2])
    """
    if args:
        device, dtype, copy = target_of(args, device, dtype, copy)
        non_blocking = non_blocking or bool_after_target(args)
    if copy is not False and copy is not True:
        raise invalid_combination("to")
    result = self
    if device is not None:
        target = devices.to_device(device)
        if target is not self._device:
            result = copy_to_device(result, target, bool(non_blocking))
    if dtype is not None:
        kind = dtypes.to_dtype(dtype)
        if kind is not dtype and _is_numpys(dtype):
            raise invalid_combination("to")
        if kind.numpy != self._data.dtype:
            result = apply1(ToCopy(kind), result)
    keeps_format = memory_format in (None, preserve_format)
    if result is self and not copy:
        keeps_format = keeps_format or memory_format is _suggested(self._data)
    if not (keeps_format or result.is_contiguous(memory_format=memory_format)):
        return clone(result, memory_format=memory_format)
    return apply1(ToCopy(self.dtype), result) if copy and result is self else result


def _suggested(x: Any) -> Any:
    """The memory format of an array, contiguous or channels last."""
    if not has_channels_last(x):
        return contiguous_format
    return channels_last if x.ndim == 4 else channels_last_3d


DEVICES = (devices.device, str, int, bytes, np.integer)


def target_of(args: Any, device: Any, dtype: Any, copy: bool) -> tuple[Any, Any, bool]:
    """Parse device, dtype and `copy` from the positional arguments of `to`."""
    first, *rest = args
    if dtype is not None or device is not None:
        check_call(False)  # they may be given twice
    if isinstance(first, Tensor):
        device, dtype = first._device, first.dtype
    elif isinstance(first, dtypes.dtype):
        dtype = first
    elif first in (float, int, bool, complex):
        dtype = dtypes.to_dtype(first)
    elif isinstance(first, (bool, float, complex, np.floating)):  # means its type
        dtype = dtypes.to_dtype(
            float if isinstance(first, np.floating) else type(first)
        )
    elif first is None or isinstance(first, DEVICES):
        device = int(first) if isinstance(first, np.integer) else first
        if rest and not isinstance(rest[0], (bool, str)):
            dtype = rest.pop(0)
    else:
        raise argument_error() or TypeError(
            "to() received an invalid combination of arguments - got "
            f"({', '.join(type(v).__name__ for v in args)}), but expected one of:"
        )
    if not all(isinstance(flag, bool) for flag in rest):
        kinds = ", ".join(type(v).__name__ for v in args)
        raise argument_error() or TypeError(
            f"to() received an invalid combination of arguments - got ({kinds}), but "
            "expected one of:"
        )
    return device, dtype, rest[1] if len(rest) > 1 else copy


def bool_after_target(args: Any) -> bool:
    """The positional `non_blocking` of `to`: the first boolean argument."""
    flags = [flag for flag in args[1:] if isinstance(flag, bool)]
    return bool(flags and flags[0])


@method
def _tensor_cpu(self: Tensor, *, memory_format: Any = preserve_format) -> Tensor:
    """This tensor on the CPU; itself if it is already there.

    Math: y = x      ∂L/∂x = g
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> x = torch.ones(2)
        >>> x.cpu() is x
        True
    """
    return self.to(devices.CPU, memory_format=memory_format)


@method
def _tensor_cuda(
    self: Tensor,
    device: Any = None,
    non_blocking: bool = False,
    memory_format: Any = preserve_format,
) -> Tensor:
    """This tensor on a GPU (by default the current one); itself if it is already there.

    Math: y = x      ∂L/∂x = g
    Shape: (*) -> (*)

    Raises:
        AssertionError: if there is no GPU, not even a simulated one.
        TypeError: for a tensor or a dtype, which `to` takes.
        RuntimeError: for a device other than a GPU.

    Example:
        >>> import edutorch as torch
        >>> if torch.cuda.is_available():
        ...     x = torch.ones(2).cuda()
    """
    if isinstance(device, (bool, float, complex, Tensor, dtypes.dtype)):
        raise type_error("torch.device", "device", device)
    target = devices.device("cuda" if device is None else device)
    if target.type != "cuda":
        raise RuntimeError("Invalid device, must be cuda device")
    return self.to(target, non_blocking=non_blocking, memory_format=memory_format)


@method
def _tensor_type_as(self: Tensor, other: Tensor) -> Tensor:
    """This tensor with the dtype and device of `other`.

    Math: y = x, in the other's dtype      ∂L/∂x = g
    Shape: (*), (+) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1]).type_as(torch.ones(1))
        tensor([1.])
    """
    return self.to(tensor_of(other, "type_as", "other"))
