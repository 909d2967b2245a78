"""The memory of tensors in a checkpoint: one record per storage."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from .. import backends, devices, dtypes
from ..ops.convert.copy_pickle import rebuild_meta
from ..tensor.conj_neg_view import in_memory
from ..tensor.storage import Storage
from ..tensor.tensor import Tensor, wrap
from ..tensor.typed_storage import TypedStorage
from .errors import NotAllowedError, corrupted
from .locations import location_tag, restorer

__all__ = [
    "LoadedStorages", "Records", "SavedStorages", "StorageType", "TYPE_NAMES",
    "checked_reference", "view",
]  # fmt: skip

# PyTorch's names of typed storages; the other dtypes have untyped ones.
TYPE_NAMES = {
    d: f"{d.short}Storage"
    for d in dtypes.ALL
    if d.numpy not in dtypes.FLOAT8
    and d.name not in ("uint16", "uint32", "uint64", "complex32")
}
LARGEST = 2**63


# ---- saving


@dataclass
class Place:
    """The location of a tensor: the record, and its elements in it."""

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
    owner: Any  # keeps the memory where it is as long as it is known by its place


class SavedStorages:
    """Collects the storages that are referred to; tensors that share one stay so."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], _Saved] = {}
        self._types: dict[int, dtypes.dtype] = {}  # by address

    def records(self) -> dict[str, Any]:
        """The bytes of each storage by its key."""
        return {saved.key: saved.data for saved in self._known.values()}

    def dtype_of(self, key: str) -> dtypes.dtype:
        """The type of the elements of a storage."""
        return next(s.dtype for s in self._known.values() if s.key == key)

    def place_of(self, tensor: Tensor) -> Place:
        """The place of a tensor, whose storage is collected if it is a new one.

        Raises:
            RuntimeError: if tensors of different dtypes look at the same memory.
        """
        array, dtype = in_memory(tensor), tensor.dtype
        storage = tensor.untyped_storage()
        if _covers(storage, array):
            offset, stride = tensor.storage_offset(), tensor.stride()
        else:  # memory that cannot be saved as one piece
            bare = wrap(array, tensor._device)  # a lazy view's memory
            array = np.ascontiguousarray(bare._host_array())
            storage, offset, stride = Storage(array), 0, wrap(array).stride()
        place = self.storage(storage, dtype)
        return replace(place, offset=offset, stride=stride)

    def storage(
        self, storage: Storage, dtype: dtypes.dtype, name: str | None = None
    ) -> Place:
        """The place of all of a storage, which is collected if it is a new one.

        Raises:
            RuntimeError: if it has been collected with another dtype.
        """
        nbytes = int(storage.nbytes)
        at = (storage.data_ptr() if nbytes else id(storage), nbytes)
        saved = self._known.get(at)
        if saved is None:
            data = _on_host(storage)
            saved = _Saved(str(len(self._known)), data, dtype, storage)
            self._known[at] = saved
        if nbytes and self._types.setdefault(at[0], dtype) is not dtype:
            raise RuntimeError(
                "Cannot save multiple tensors or storages that view the same data as "
                "different types"
            )
        name = name or TYPE_NAMES.get(dtype, "UntypedStorage")
        numel = nbytes if name == "UntypedStorage" else nbytes // dtype.itemsize
        return Place(saved.key, location_tag(storage), name, numel, 0, ())


def _covers(storage: Storage, array: Any) -> bool:
    """Whether an array is a part of the memory that PyTorch can describe."""
    owner, nbytes = storage.array, int(storage.nbytes)
    size = array.itemsize
    if nbytes == 0 or any(s < 0 or s % size for s in array.strides):
        return array.size == 0 and nbytes == 0
    if not (owner.flags.c_contiguous or owner.flags.f_contiguous):
        return False
    begin = wrap(array).data_ptr() - wrap(owner).data_ptr()
    reach = sum((n - 1) * s for n, s in zip(array.shape, array.strides, strict=True))
    end = begin + (reach + size if array.size else 0)
    return begin >= 0 and begin % size == 0 and end <= nbytes


def _on_host(storage: Storage) -> Any:
    """The bytes of a storage in host memory, not copied if they are there."""
    array = storage.bytes()
    if isinstance(array, np.ndarray):
        return array
    return backends.backend_of(storage.device).download(array)


# ---- loading


class StorageType:
    """The type of a storage: a dtype, or None where it is only bytes."""

    def __init__(self, dtype: dtypes.dtype | None) -> None:
        self.dtype = dtype


class Records(Protocol):
    """The source of the bytes of storages."""

    def size(self, key: str) -> int | None:
        """The bytes of a record, None if there is none of this name."""

    def read(self, key: str) -> Any:
        """A record as a writable one-dimensional array of bytes."""


class LoadedStorages:
    """Reads storages when a pickle refers to them, each of them once.

    Args:
        records: their bytes.
        swap: whether they come from a machine with the other byte order.
        map_location: where to put what was on which device; see `load`.
    """

    def __init__(self, records: Records, swap: bool, map_location: Any) -> None:
        self._records, self._swap = records, swap
        self._restore = restorer(map_location)
        self._known: dict[str, TypedStorage] = {}

    def find(self, reference: Any) -> TypedStorage:
        """The storage that a pickle refers to.

        Raises:
            UnpicklingError: if the reference is not ("storage", type, key, location,
                number of elements), or does not fit the record.
            RuntimeError: if the record is damaged or there is no such device.
        """
        kind, key, location, size = checked_reference(reference)
        there = self._records.size(key)
        if there is None:
            raise corrupted(f"there is no record data/{key[:40]}")
        if size != there:
            raise corrupted(
                f"a storage of {size} bytes is claimed, but record data/{key[:40]} has "
                f"{there}"
            )
        if key not in self._known:
            self._known[key] = self._read(key, kind, location)
        found = self._known[key]
        if found.dtype is not (kind.dtype or dtypes.uint8):
            if size:
                raise corrupted(f"record data/{key[:40]} is said to have two types")
            found = TypedStorage(wrap_storage=found.untyped(), dtype=kind.dtype)
        return part_of(found, reference[5]) if len(reference) == 6 else found

    def _read(self, key: str, kind: StorageType, location: str) -> TypedStorage:
        memory = self._records.read(key)
        if self._swap and kind.dtype is not None:
            memory = _swapped(memory, kind.dtype)
        storage = self._restore(Storage(memory, devices.CPU), location)
        return TypedStorage(wrap_storage=storage, dtype=kind.dtype or dtypes.uint8)


def checked_reference(reference: Any) -> tuple[StorageType, str, str, int]:
    """The type, key, location and bytes of the storage that a pickle refers to.

    Raises:
        NotAllowedError: for a reference to something else.
        UnpicklingError: for one that makes no sense.
    """
    if not isinstance(reference, tuple) or len(reference) not in (5, 6):
        raise NotAllowedError(
            "persistent_load id must be tuple or int, but got "
            f"{type(reference).__name__}"
        )
    tag, kind, key, location, numel = reference[:5]
    if tag != "storage":
        raise NotAllowedError(
            f"Only persistent_load of storage is allowed, but got {str(tag)[:40]}"
        )
    if not isinstance(kind, StorageType):
        raise corrupted("it refers to a storage without a type")
    if not (type(key) is str and type(location) is str and type(numel) is int):
        raise corrupted("its reference to a storage has parts of wrong types")
    return kind, key, location, numel * (kind.dtype.itemsize if kind.dtype else 1)


def part_of(storage: TypedStorage, about: Any) -> TypedStorage:
    """The part of a storage that was a separate one in old files: (key, offset, size).

    Raises:
        UnpicklingError: if it is not part of it.
    """
    if about is None:
        return storage
    if not (type(about) is tuple and len(about) == 3 and _all_integers(about[1:])):
        raise corrupted("a part of a storage has no place in it")
    itemsize = storage.element_size()
    begin, end = about[1] * itemsize, (about[1] + about[2]) * itemsize
    if end > storage.nbytes():
        raise corrupted("a part of a storage reaches beyond it")
    memory = storage.untyped().bytes()[begin:end]
    part = Storage(memory, storage.device)
    return TypedStorage(wrap_storage=part, dtype=storage.dtype)


def _swapped(memory: Any, dtype: dtypes.dtype) -> Any:
    """Bytes of numbers from a machine with the other byte order."""
    real = dtype.to_real().itemsize
    return memory.reshape(-1, real)[:, ::-1].reshape(-1).copy()


def view(
    source: Any, offset: Any, size: Any, stride: Any, dtype: dtypes.dtype | None = None
) -> Tensor:
    """A tensor over a storage that was read, once all numbers have been checked.

    Raises:
        UnpicklingError: if it would reach beyond the storage.
    """
    if not isinstance(source, TypedStorage):
        raise corrupted("a tensor has no storage")
    dtype = dtype or source.dtype
    if not (_is_integer(offset) and _all_integers(size) and _all_integers(stride)):
        raise corrupted("sizes, strides and offset of a tensor must be whole numbers")
    if len(size) != len(stride):
        raise corrupted("a tensor has not as many strides as sizes")
    numel = math.prod(size)
    last = offset + sum((n - 1) * s for n, s in zip(size, stride, strict=True))
    end = (last + 1) * dtype.itemsize if numel else 0
    if numel * dtype.itemsize >= LARGEST or end > source.nbytes():
        raise corrupted("a tensor reaches beyond its storage")
    storage = source.untyped()
    if storage.device.type == "meta":
        return rebuild_meta(dtype, tuple(size), tuple(stride), False)
    array = _strided(storage.bytes(), offset, tuple(size), tuple(stride), dtype)
    tensor = wrap(array, devices.CPU)
    tensor._device, tensor._storage = storage.device, storage
    return tensor


def _is_integer(n: Any) -> bool:
    return type(n) is int and 0 <= n < LARGEST


def _all_integers(numbers: Any) -> bool:
    return isinstance(numbers, tuple) and all(map(_is_integer, numbers))


def _strided(
    memory: Any, offset: int, size: tuple[int, ...], stride: tuple[int, ...],
    dtype: dtypes.dtype,
) -> Any:  # fmt: skip
    if 0 in size:  # nothing is there: any place will do
        stride, offset = (1,) * len(size), 0
    strides = tuple(s * dtype.itemsize for s in stride)
    start = offset * dtype.itemsize
    if isinstance(memory, np.ndarray):
        return np.ndarray(size, dtype.numpy, memory, start, strides)
    xp = backends.array_module(memory)
    return xp.ndarray(size, dtype.numpy, memory.data + start, strides)
