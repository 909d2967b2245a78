"""Send and receive buffers for MPI: contiguous CPU memory, without a copy if possible.

A strided tensor, or one on another device, is copied first; what MPI has received into
the copy is written back at the end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import devices
from ...autograd.modes import no_grad
from ...tensor.tensor import Tensor, wrap

__all__ = ["as_bytes", "receive_buffer", "send_buffer"]


def _is_contiguous_cpu(tensor: Tensor) -> bool:
    """Whether a tensor's memory is what MPI can use as it is."""
    array = tensor._data
    return (
        tensor._device is devices.CPU
        and type(array) is np.ndarray
        and array.flags.c_contiguous
        and not tensor._conjugated
        and not tensor._negated
    )


def send_buffer(tensor: Tensor) -> Any:
    """The elements as a contiguous NumPy array."""
    if _is_contiguous_cpu(tensor):
        return tensor._data
    if tensor.is_sparse:
        raise RuntimeError("Distributed collectives do not support sparse tensors here")
    with no_grad():
        dense = tensor.detach().resolve_conj().resolve_neg().cpu()
    return np.asarray(dense._data, order="C")


def receive_buffer(tensor: Tensor) -> tuple[Any, Callable[[], None]]:
    """An array to write the elements into, and what to call afterwards."""
    if _is_contiguous_cpu(tensor) and tensor._data.flags.writeable:

        def increment_version() -> None:
            tensor.untyped_storage().version += 1

        return tensor._data, increment_version
    array = send_buffer(tensor)
    if array is tensor._data or not array.flags.writeable:
        array = array.copy()

    def write_back() -> None:
        with no_grad():
            tensor.detach().copy_(wrap(array))

    return array, write_back


def as_bytes(array: Any) -> Any:
    """The same memory as bytes: what moves unchanged needs no type."""
    return array.reshape(-1).view(np.uint8)
