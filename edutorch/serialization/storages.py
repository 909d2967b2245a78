"""The memory of tensors in a checkpoint: one record for each storage, shared or not."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pickle import UnpicklingError
from typing import Any

import numpy as np

from .. import backends, devices, dtypes
from ..tensor.storage import Storage, make_storage
from ..tensor.tensor import Tensor, wrap
from .archive import ArchiveReader

__all__ = ["LoadedStorages", "SavedStorages", "StorageType", "TYPE_NAMES"]

# PyTorch's names of typed storages; the other dtypes have untyped ones.
TYPE_NAMES = {
    d: f"{d.short}Storage"
    for d in dtypes.ALL
    if d not in (dtypes.uint16, dtypes.uint32, dtypes.uint64)
}
LARGEST = 2**63


# ---- saving


@dataclass
class Place:
    """Where a tensor lies: the record, and its elements in it."""

    key: str
    location: str
    type_name: str
    numel: int  # of the whole storage; of an untyped one, the bytes
    offset: int
    stride: tuple[int, ...]


@dataclass
class _Saved:
    key: str
    data: Any  # the bytes, as a one-dimensional array
    dtype: dtypes.dtype
    owner: Any  # keeps the id alive under which it is known


class SavedStorages:
    """Collects the storages that tensors refer to; tensors that share one stay so."""

    def __init__(self) -> None:
        self._known: dict[int, _Saved] = {}
        self._types: dict[int, dtypes.dtype] = {}  # by address

    def records(self) -> dict[str, Any]:
        """The bytes of each storage by its key."""
        return {saved.key: saved.data for saved in self._known.values()}

    def place_of(self, tensor: Tensor) -> Place:
        """The place of a tensor, whose storage is collected if it is a new one.

        Raises:
            RuntimeError: if tensors of different dtypes look at the same memory.
        """
        array, dtype = tensor._data, tensor.dtype
        owner = tensor.untyped_storage().array
        offset = tensor.storage_offset() if _covers(owner, array) else -1
        if offset < 0:  # memory that cannot be saved as one piece
            owner = array = np.ascontiguousarray(tensor.numpy(force=True))
            offset = 0
        saved = self._known.get(id(owner))
        if saved is None:
            data = _flat_bytes(_on_host(owner, tensor._device))
            saved = _Saved(str(len(self._known)), data, dtype, owner)
            self._known[id(owner)] = saved
        address = wrap(owner).data_ptr()
        if owner.nbytes and self._types.setdefault(address, dtype) is not dtype:
            raise RuntimeError(
                "Cannot save multiple tensors or storages that view the same data as "
                "different types"
            )
        name = TYPE_NAMES.get(dtype, "UntypedStorage")
        untyped = name == "UntypedStorage"
        numel = saved.data.size if untyped else saved.data.size // dtype.itemsize
        stride = wrap(array).stride()
        location = str(tensor._device)
        return Place(saved.key, location, name, numel, offset, stride)


def _covers(owner: Any, array: Any) -> bool:
    """Whether an array is a part of the owner's memory that PyTorch can describe."""
    size = array.itemsize
    if owner.nbytes == 0 or any(s < 0 or s % size for s in array.strides):
        return array.size == 0 and owner.nbytes == 0
    if not (owner.flags.c_contiguous or owner.flags.f_contiguous):
        return False
    begin = wrap(array).data_ptr() - wrap(owner).data_ptr()
    reach = sum((n - 1) * s for n, s in zip(array.shape, array.strides, strict=True))
    end = begin + (reach + size if array.size else 0)
    return begin >= 0 and begin % size == 0 and end <= owner.nbytes


def _on_host(array: Any, device: devices.device) -> Any:
    if isinstance(array, np.ndarray):
        return array
    return backends.backend_of(device).download(array)


def _flat_bytes(array: Any) -> Any:
    """The memory of a contiguous array (in either order) as bytes, not copied."""
    ordered = array if array.flags.c_contiguous else array.T
    return ordered.reshape(-1).view(np.uint8)


# ---- loading


class StorageType:
    """The type of a storage: a dtype, or None where it is only bytes."""

    def __init__(self, dtype: dtypes.dtype | None) -> None:
        self.dtype = dtype


@dataclass
class LoadedStorage:
    """A storage that was read: its memory, and what it is made of."""

    memory: Any  # bytes, as a one-dimensional array on the device
    storage: Storage
    dtype: dtypes.dtype | None


def _refuse(why: str) -> UnpicklingError:
    return UnpicklingError(f"the checkpoint is damaged or was forged: {why}")


class LoadedStorages:
    """Reads storages when a pickle refers to them, each of them once.

    Args:
        reader: the archive.
        map_location: where to put what was on which device; see `load`.
    """

    def __init__(self, reader: ArchiveReader, map_location: Any) -> None:
        self._reader = reader
        self._map = map_location
        self._known: dict[str, LoadedStorage] = {}
        self._swap = _byte_order(reader) != sys.byteorder

    def find(self, reference: Any) -> LoadedStorage:
        """The storage that a pickle refers to.

        Raises:
            UnpicklingError: if the reference is not ("storage", type, key, location,
                number of elements), or does not fit the record.
            RuntimeError: if the record is damaged or there is no such device.
        """
        if not isinstance(reference, tuple) or len(reference) != 5:
            raise _refuse("it refers to something outside that is no storage")
        tag, kind, key, location, numel = reference
        if tag != "storage" or not isinstance(kind, StorageType):
            raise _refuse("it refers to something outside that is no storage")
        if not (type(key) is str and type(location) is str and type(numel) is int):
            raise _refuse("its reference to a storage has parts of wrong types")
        size = numel * (kind.dtype.itemsize if kind.dtype else 1)
        if f"data/{key}" not in self._reader:
            raise _refuse(f"there is no record data/{key[:40]}")
        if size != self._reader.size(f"data/{key}"):
            raise _refuse(
                f"a storage of {size} bytes is claimed, but record data/{key[:40]} has "
                f"{self._reader.size(f'data/{key}')}"
            )
        if key not in self._known:
            self._known[key] = self._read(key, size, kind, location)
        if self._known[key].dtype is not kind.dtype:
            raise _refuse(f"record data/{key[:40]} is said to have two types")
        return self._known[key]

    def _read(
        self, key: str, size: int, kind: StorageType, location: str
    ) -> LoadedStorage:
        memory = np.empty(size, np.uint8)
        self._reader.read_into(f"data/{key}", memoryview(memory))
        if self._swap and kind.dtype is not None:
            memory = _swapped(memory, kind.dtype)
        device = target(location, self._map, memory)
        if device is not devices.CPU:
            memory = backends.backend_of(device).upload(memory, device)
        return LoadedStorage(memory, make_storage(memory, device), kind.dtype)


def _byte_order(reader: ArchiveReader) -> str:
    order = (
        reader.read("byteorder").decode("latin1") if "byteorder" in reader else "little"
    )
    if order not in ("little", "big"):
        raise _refuse(f"its byte order is {order[:20]!r}")
    return order


def _swapped(memory: Any, dtype: dtypes.dtype) -> Any:
    """Bytes of numbers from a machine with the other byte order."""
    real = dtype.to_real().itemsize
    return memory.reshape(-1, real)[:, ::-1].reshape(-1).copy()


def target(location: str, map_location: Any, memory: Any = None) -> devices.device:
    """The device for what was saved on `location`.

    Raises:
        RuntimeError: if that device is unknown or not there.
    """
    if isinstance(map_location, dict):
        location = map_location.get(location, location)
    elif isinstance(map_location, Callable):  # type: ignore[arg-type]
        chosen = map_location(Storage(memory, devices.CPU), location)
        location = location if chosen is None else chosen.device
    elif map_location is not None:
        location = map_location
    try:
        device = devices.to_device(location)
    except RuntimeError:
        raise RuntimeError(
            "don't know how to restore data location of torch.storage.UntypedStorage "
            f"(tagged with {str(location)[:40]})"
        ) from None
    try:
        backends.backend_of(device)
    except (AssertionError, NotImplementedError):
        raise RuntimeError(
            f"Attempting to deserialize object on a {device.type.upper()} device but "
            f"torch.{device.type}.is_available() is False. If you are running on a "
            "CPU-only machine, please use torch.load with "
            "map_location=torch.device('cpu') to map your storages to the CPU."
        ) from None
    return device


def view(
    source: Any, offset: Any, size: Any, stride: Any, dtype: dtypes.dtype | None = None
) -> Tensor:
    """A tensor over a storage that was read, once all numbers have been checked.

    Raises:
        UnpicklingError: if it would reach beyond the storage.
    """
    if not isinstance(source, LoadedStorage):
        raise _refuse("a tensor has no storage")
    dtype = source.dtype or dtype
    if dtype is None:
        raise _refuse("a tensor has no dtype")
    if not (_whole(offset) and _all_whole(size) and _all_whole(stride)):
        raise _refuse("sizes, strides and offset of a tensor must be whole numbers")
    if len(size) != len(stride):
        raise _refuse("a tensor has not as many strides as sizes")
    numel = math.prod(size)
    last = offset + sum((n - 1) * s for n, s in zip(size, stride, strict=True))
    end = (last + 1 if numel else offset) * dtype.itemsize
    if numel * dtype.itemsize >= LARGEST or end > source.memory.nbytes:
        raise _refuse("a tensor reaches beyond its storage")
    array = _strided(source.memory, offset, tuple(size), tuple(stride), dtype)
    tensor = wrap(array, devices.CPU)
    tensor._device, tensor._storage = source.storage.device, source.storage
    return tensor


def _whole(n: Any) -> bool:
    return type(n) is int and 0 <= n < LARGEST


def _all_whole(numbers: Any) -> bool:
    return isinstance(numbers, tuple) and all(map(_whole, numbers))


def _strided(
    memory: Any, offset: int, size: tuple[int, ...], stride: tuple[int, ...],
    dtype: dtypes.dtype,
) -> Any:  # fmt: skip
    if 0 in size:
        stride = (1,) * len(size)  # nothing moves: any stride will do
    strides = tuple(s * dtype.itemsize for s in stride)
    start = offset * dtype.itemsize
    if isinstance(memory, np.ndarray):
        return np.ndarray(size, dtype.numpy, memory, start, strides)
    xp = backends.array_module(memory)
    return xp.ndarray(size, dtype.numpy, memory.data + start, strides)
