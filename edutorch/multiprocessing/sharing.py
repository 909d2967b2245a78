"""Sends tensors to other processes: shared memory stays shared."""

from __future__ import annotations

from multiprocessing.reduction import DupFd, ForkingPickler
from typing import Any

import numpy as np

from .. import dtypes
from ..backends import gpus, shared
from ..devices import CPU
from ..devices import device as Device
from ..nn.parameter import Parameter
from ..ops.convert.copy_pickle import own_attributes
from ..tensor.storage import make_storage
from ..tensor.tensor import Tensor, bare_tensor

__all__ = ["get_all_sharing_strategies", "get_sharing_strategy", "set_sharing_strategy"]

STRATEGIES = {"file_descriptor"}


def get_all_sharing_strategies() -> set[str]:
    """The strategies for sharing memory: only file descriptors.

    Example:
        >>> import edutorch as torch
        >>> torch.multiprocessing.get_all_sharing_strategies()
        {'file_descriptor'}
    """
    return set(STRATEGIES)


def get_sharing_strategy() -> str:
    """The strategy by which processes share memory.

    Example:
        >>> import edutorch as torch
        >>> torch.multiprocessing.get_sharing_strategy()
        'file_descriptor'
    """
    return "file_descriptor"


def set_sharing_strategy(new_strategy: str) -> None:
    """Set the sharing strategy: only "file_descriptor" is available.

    Raises:
        AssertionError: for another one.

    Example:
        >>> import edutorch as torch
        >>> torch.multiprocessing.set_sharing_strategy("file_descriptor")
    """
    if new_strategy not in STRATEGIES:
        raise AssertionError(f"sharing strategy {new_strategy!r} is not one of ours")


def _reduce_tensor(x: Tensor) -> Any:
    """A tensor in shared memory as a place in it, others with their values."""
    memory = shared.owner(x._data)
    if not isinstance(memory, shared.SharedMemory) or memory.descriptor is None:
        return _compact(x).__reduce_ex__(4)
    start = np.frombuffer(memory, np.uint8).ctypes.data
    place = x._data.ctypes.data - start, x._data.shape, x._data.strides
    handle = DupFd(memory.descriptor)
    about = type(x), x.dtype.name, x._requires_grad, str(x._device)
    return _attach_tensor, (handle, len(memory), place, about)


def _compact(x: Tensor) -> Tensor:
    """The same values without the rest of the memory that they are a part of."""
    array = x._data
    if not isinstance(array, np.ndarray) or array.nbytes >= x.untyped_storage().nbytes:
        return x
    made: Tensor = bare_tensor(type(x), array.copy(order="K"), x._device)
    made._requires_grad = x._requires_grad
    made.__dict__.update(own_attributes(x))
    return made


def _attach_tensor(handle: Any, nbytes: int, place: Any, about: Any) -> Tensor:
    """The tensor in another process.

    Raises:
        RuntimeError: if that has no such GPU.
    """
    memory = shared.attach(handle.detach(), nbytes)
    (offset, shape, strides), (kind, dtype, requires_grad, where) = place, about
    numpy = dtypes.by_name(dtype).numpy
    array: Any = np.ndarray(shape, numpy, memory, offset, strides)
    device = CPU if where == "cpu" else Device(where)
    if device is not CPU and gpus.gpus() is None:
        raise RuntimeError(
            f"a tensor on {where} cannot be received: this process has no GPU. Set "
            "EDUTORCH_SIMULATE, which other processes inherit"
        )
    made: Tensor = bare_tensor(kind, array, device)
    made._requires_grad = requires_grad
    if device is not CPU:
        made._storage = make_storage(array, device)
    return made


for _kind in (Tensor, Parameter):
    ForkingPickler.register(_kind, _reduce_tensor)
