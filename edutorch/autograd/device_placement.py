"""The device on which an op runs and its result is placed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .. import devices
from ..backends.device_costs import charge_op
from ..backends.meta import META, MetaArray, NoDataError
from ..tensor.storage import make_storage
from ..tensor.tensor import Tensor
from .op_errors import translate_error

__all__ = ["align_devices", "common_device", "place_result"]

CPU = devices.CPU


def common_device(op: Any, operands: Iterable[Any]) -> devices.device:
    """The device that an op runs on; 0-d CPU tensors may be combined with GPU tensors.

    Raises:
        RuntimeError: if the tensors are on different devices.
    """
    tensors = [t for t in operands if isinstance(t, Tensor)]
    found: devices.device | None = None
    for t in tensors:
        if t._device is not tensors[0]._device:
            break
        found = t._device
    else:
        return found or CPU
    if op.index_kernel and all(t._device.type != "cuda" for t in tensors):
        raise RuntimeError(_index_devices(op.index_kernel, *tensors))
    if any(t.is_meta for t in tensors):
        return _meta_device(op, tensors)
    found = None
    for t in tensors:
        if found is None or t._device is found:
            found = t._device if found is None else found
        elif found is CPU and all(
            u._data.ndim == 0 for u in tensors if u._device is CPU
        ):
            found = t._device
        elif not (t._device is CPU and t._data.ndim == 0):
            raise RuntimeError(
                "Expected all tensors to be on the same device, but found at least "
                f"two devices, {found} and {t._device}!"
            )
    return found or CPU


def _index_devices(
    kernel: str, x: Tensor, index: Tensor, source: Tensor | None = None
) -> str:
    """The error for an index or a source on another device; a number has none."""
    found = x._device if source is None else source._device
    return (
        f"{kernel}(): self, index and source expected to be in the same device, but "
        f"got (self) {x._device}, (index) {index._device}, and (source) {found}"
    )


def _meta_device(op: Any, tensors: list[Tensor]) -> devices.device:
    """The meta device, which tensors of other devices may be combined with.

    Raises:
        RuntimeError: for elementwise operations with a CPU's tensor.
    """
    together = _placed_together(op, tensors)
    first = together if len(together) == len(tensors) else tensors
    where = next(t._device for t in first if t._data.ndim or t.is_meta)
    for t in together:
        if t._device is not where and (t._data.ndim or t.is_meta):
            raise RuntimeError(
                f"Tensor on device {t._device} is not on the expected device {where}!"
            )
    return next(t._device for t in tensors if t.is_meta)


def _placed_together(op: Any, tensors: list[Tensor]) -> list[Tensor]:
    """The operands that must share a device, even if some are meta tensors."""
    return tensors if getattr(op, "broadcasts", False) else tensors[op.same_device]


def align_devices(op: Any, a: Tensor, b: Tensor) -> tuple[Any, Any, devices.device]:
    """The arrays of two tensors, and the device on which an op runs on both."""
    device = common_device(op, [a, b])
    x, y = a._data, b._data
    mixed = type(x) is not type(y)  # a NumPy array and a CuPy array
    if mixed and device.type != "meta":
        x, y = (v.item() if t._device is CPU and device is not CPU else v
                for t, v in ((a, x), (b, y)))  # fmt: skip
    return x, y, device


def place_result(op: Any, out: Tensor, device: devices.device, operands: Any) -> None:
    """Count memory and time of a result for its GPU; on the meta device, drop values.

    Args:
        operands: the arrays it was computed from; none of a second result.

    Raises:
        NotImplementedError: if the shape would depend on values that are not there.
    """
    out._device = device
    if device.type == "meta":
        if op.data_dependent:
            raise translate_error(op, (), NoDataError())
        if type(out._data) is not MetaArray:
            out._data = (META.view if op.is_view else META.keep)(out._data)
    if not op.is_view:
        out._storage = make_storage(out._data, device)
        if operands and device.type == "cuda":
            charge_op(op, device, operands, out._data)
