"""Tensors as MPI sees them: contiguous memory of the CPU, without a copy if possible.

Memory that MPI may not have (strided, of another device) is copied first, and what
MPI has written into the copy is written back when it is done.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import devices
from ...autograd.modes import no_grad
from ...tensor.tensor import Tensor, wrap

__all__ = ["as_bytes", "check_tensor", "check_tensors", "readable", "writable"]


def check_tensor(tensor: Any, name: str) -> None:
    """Refuse what is no tensor.

    Raises:
        TypeError: for another type.
    """
    if not isinstance(tensor, Tensor):
        raise TypeError(
            f"Invalid function argument. Expected parameter `{name}` of type "
            f"torch.Tensor\n             but got {type(tensor)} instead."
        )


def check_tensors(tensors: Any, name: str) -> None:
    """Refuse what is no list of tensors.

    Raises:
        TypeError: for another type, or elements of one.
    """
    if not isinstance(tensors, list | tuple) or not all(
        isinstance(tensor, Tensor) for tensor in tensors
    ):
        raise TypeError(
            f"Invalid function argument. Expected parameter `{name}` of type "
            f"List[torch.Tensor]\n             but got {type(tensors)} instead."
        )


def _is_plain(tensor: Tensor) -> bool:
    """Whether a tensor's memory is what MPI can use as it is."""
    array = tensor._data
    return (
        tensor._device is devices.CPU
        and type(array) is np.ndarray
        and array.flags.c_contiguous
        and not tensor._conjugated
        and not tensor._negated
    )


def readable(tensor: Tensor) -> Any:
    """The elements as a contiguous NumPy array."""
    if _is_plain(tensor):
        return tensor._data
    if tensor.is_sparse:
        raise RuntimeError("Distributed collectives do not support sparse tensors here")
    with no_grad():
        dense = tensor.detach().resolve_conj().resolve_neg().cpu()
    return np.asarray(dense._data, order="C")


def writable(tensor: Tensor) -> tuple[Any, Callable[[], None]]:
    """An array to write the elements into, and what to call afterwards."""
    if _is_plain(tensor) and tensor._data.flags.writeable:

        def changed() -> None:
            tensor.untyped_storage().version += 1

        return tensor._data, changed
    array = readable(tensor)
    if array is tensor._data or not array.flags.writeable:
        array = array.copy()

    def write_back() -> None:
        with no_grad():
            tensor.detach().copy_(wrap(array))

    return array, write_back


def as_bytes(array: Any) -> Any:
    """The same memory as bytes: what moves unchanged needs no type."""
    return array.reshape(-1).view(np.uint8)
