"""Storage: the identity of a piece of memory, shared by a tensor and its views."""

from __future__ import annotations

import gc
import weakref
from pickle import PickleBuffer
from typing import Any

import numpy as np
from numpy.lib.array_utils import byte_bounds

from .. import backends, devices
from ..process_memory import allocate

__all__ = [
    "Storage", "DeviceStorage", "make_storage", "memory_owner", "without_base",
    "byte_range", "strided_view", "address", "spanned_bytes",
]  # fmt: skip

_new = object.__new__


class Bytes(int):
    """A number of bytes that may be called, as PyTorch's method is."""

    def __call__(self) -> int:
        return int(self)


class Storage:
    """Memory that one or more tensors refer to.

    A storage that is made smaller keeps its memory, so that tensors never refer to
    freed memory.

    Args:
        array: the array that owns the memory, or the number of bytes.

    Attributes:
        array: the array that owns the memory.
        version: counts in-place changes; backward compares it with the saved version.
        category: the purpose of the memory ("parameter", "gradient" ...), if known.
        fixed: whether the memory is owned by others and cannot grow; set if so.
        limit: the number of bytes after it was made smaller; set if it was.
    """

    __slots__ = (
        "array", "version", "device", "category", "fixed", "limit",
        "__weakref__",
    )  # fmt: skip
    fixed: bool
    limit: int

    def __init__(self, array: Any, device: devices.device = devices.CPU) -> None:
        if isinstance(array, int):
            array = allocate(np.zeros, array, np.uint8)
        self.array = array
        self.version = 0
        self.device = device
        self.category = ""

    @property
    def rounded(self) -> int:
        """The bytes that the device's allocator set aside."""
        return self.nbytes

    @property
    def nbytes(self) -> Bytes:
        """The bytes of this memory: `nbytes`, or `nbytes()` as in PyTorch."""
        return Bytes(getattr(self, "limit", self.array.nbytes))

    def size(self) -> int:
        """The bytes of this memory, as PyTorch's method gives them."""
        return int(self.nbytes)

    def data_ptr(self) -> int:
        """The address of the first byte."""
        array: Any = self.array
        return int(array.ctypes.data if hasattr(array, "ctypes") else array.data.ptr)

    @property
    def is_cuda(self) -> bool:
        """Whether the memory is on a GPU."""
        return self.device.type == "cuda"

    def is_shared(self) -> bool:
        """Whether the memory is shared between processes."""
        return False

    def element_size(self) -> int:
        """The bytes of one element, which is a byte."""
        return 1

    def bytes(self) -> Any:
        """The memory as a flat array of bytes."""
        everything = self.array.reshape(-1, order="A").view(np.uint8)
        return everything[: self.nbytes]

    def resizable(self) -> bool:
        """Whether the memory can grow; memory owned by NumPy or others cannot."""
        return not getattr(self, "fixed", False)

    def resize_(self, size: int) -> None:
        """Resize to `size` bytes, for all tensors that refer to it; new bytes are zero.

        Raises:
            RuntimeError: for memory owned by others.
        """
        if not self.resizable():
            raise RuntimeError("Trying to resize storage that is not resizable")
        if size > self.array.nbytes:
            make = backends.array_module(self.array).zeros
            self._move_to(allocate(make, size, np.uint8))
        self.limit = size

    def _move_to(self, larger: Any) -> None:
        old = self.array
        larger[: old.nbytes] = old.reshape(-1, order="A").view(np.uint8)
        # There is no list of the tensors that refer to a storage.
        same = [s for s in gc.get_referrers(old) if isinstance(s, Storage)]
        for storage in same:
            storage.array = larger
            for t in gc.get_referrers(storage):
                if getattr(t, "_storage", None) is storage:
                    t._move(old, larger)

    def sibling(self) -> Storage:
        """The same memory with a separate version."""
        made = Storage(self.array, self.device)
        if not self.resizable():
            made.fixed = True
        return made

    def tolist(self) -> list[int]:
        """The bytes as Python's integers."""
        found: list[int] = self.bytes().tolist()
        return found

    def __getitem__(self, index: Any) -> Any:
        part = self.bytes()[index]
        return Storage(part, self.device) if part.ndim else int(part)

    def __setitem__(self, index: Any, value: Any) -> None:
        self.bytes()[index] = value
        self.version += 1

    def fill_(self, value: int) -> Storage:
        """Overwrite every byte by one value."""
        self[:] = value
        return self

    def copy_(self, source: Storage, non_blocking: bool = False) -> Storage:
        """Overwrite the bytes by those of a storage of the same size.

        Raises:
            RuntimeError: if it has another size.
        """
        if len(source) != len(self):
            raise RuntimeError(
                f"size does not match, self was {len(self)} bytes but src was "
                f"{len(source)} bytes"
            )
        self[:] = source.bytes()
        return self

    def clone(self) -> Storage:
        """A copy of the memory."""
        return make_storage(self.array.copy(order="K"), self.device)

    def __len__(self) -> int:
        return int(self.nbytes)

    def __repr__(self) -> str:
        return f"<storage of {self.nbytes} bytes on {self.device}, v{self.version}>"


# Storages on GPUs, by the `id` of their array, which another may have once it is freed.
_counted: weakref.WeakValueDictionary[int, DeviceStorage] = (
    weakref.WeakValueDictionary()
)


class DeviceStorage(Storage):
    """Storage that its device's allocator counts until it is freed."""

    __slots__ = ("handle",)

    def __init__(self, array: Any, device: devices.device) -> None:
        self.array, self.device = array, device
        self.version, self.category = 0, ""
        self.handle: Any = None
        self.handle = backends.backend_of(device).allocate(device, int(array.nbytes))

    @property
    def rounded(self) -> int:
        """The bytes that the device's allocator set aside."""
        return int(self.handle.rounded)

    def sibling(self) -> Storage:
        """This storage, since its bytes are counted once."""
        return self

    def __del__(self) -> None:
        if self.handle is not None:
            self.handle.release()


def make_storage(array: Any, device: devices.device) -> Storage:
    """The storage of an array: all memory of the array that owns it."""
    if type(array) is np.ndarray and array.base is None and device is devices.CPU:
        made = _new(Storage)  # the most common case, without `__init__`
        made.array, made.device = array, device
        made.version = 0
        made.category = ""
        return made
    if device.type == "cuda" and getattr(array, "base", device) is None:
        return _device_storage(array, device)
    owner = memory_owner(array)
    if device.type in ("cpu", "meta"):
        return Storage(owner, device)
    return _device_storage(owner, device)


def _device_storage(owner: Any, device: devices.device) -> DeviceStorage:
    """The storage of an array that owns memory: one, since its bytes are counted once.

    A gradient that hooks receive, or the result of an identity, is such an array again.
    """
    found = _counted.get(id(owner))
    if found is None or found.array is not owner or found.device is not device:
        found = _counted[id(owner)] = DeviceStorage(owner, device)
    return found


# Note [Who owns memory]
# An array that owns memory has no gaps. In NumPy, a view refers to the owner by `base`,
# but the memory may come from elsewhere: a mapped file, another library, an object with
# `__array_interface__`. Then the memory is that of the last array in the chain, from
# its first to its last byte; nothing else is known of it.
def memory_owner(array: Any) -> Any:
    """The array that has all the memory an array refers to, without gaps."""
    owner = array
    while True:
        base = getattr(owner, "base", None)
        if base is not None and not hasattr(base, "dtype"):
            base = getattr(base, "base", None)  # NumPy's own `as_strided` hides it here
        if not hasattr(base, "dtype"):
            break
        owner = base
    if isinstance(owner, np.ndarray) and not owner.flags.forc:
        return spanned_bytes(owner)
    return owner


class _Span:
    """The bytes from the first to the last element of an array, for NumPy to see."""

    def __init__(self, array: Any) -> None:
        self.keeps = array
        low, high = byte_bounds(array)
        self.__array_interface__ = {
            "data": (low, not array.flags.writeable),
            "shape": (high - low if array.size else 0,),
            "typestr": "|u1",
            "version": 3,
        }


def spanned_bytes(array: Any) -> Any:
    """The memory between the first and the last element of an array, as bytes."""
    return np.asarray(_Span(array))


def without_base(array: Any) -> Any:
    """An array over its own memory only, without the rest of the owner's."""
    if not isinstance(array, np.ndarray) or (array.base is None and array.flags.forc):
        return array
    if array.flags.c_contiguous and array.dtype.isbuiltin == 1:
        # An object that passes on a buffer has no further base.
        buffer: Any = array  # typeshed knows no buffers of NumPy
        memory: Any = PickleBuffer(buffer)
        return np.ndarray(array.shape, array.dtype, memory)
    memory = spanned_bytes(array)
    first = address(array) - address(memory) if array.size else 0
    return np.ndarray(array.shape, array.dtype, memory, first, array.strides)


def byte_range(x: Any) -> tuple[int, int]:
    """The offset of an array in its memory, and the size of that memory, in bytes."""
    if not isinstance(x, np.ndarray) and hasattr(x, "data") and hasattr(x.data, "mem"):
        return _device_range(x)
    if x.base is None:
        return 0, int(x.nbytes)
    owner = memory_owner(x)
    return address(x) - address(owner), int(owner.nbytes)


def _device_range(x: Any) -> tuple[int, int]:
    """`byte_range` of CuPy's array, some of whose views have no base."""
    owner, first = memory_owner(x), address(x) - int(x.data.mem.ptr)
    whole = address(owner) == int(x.data.mem.ptr) and owner.base is None
    known = whole and owner.flags.forc and first + x.nbytes <= owner.nbytes
    return first, int(owner.nbytes if known else x.data.mem.size)


def strided_view(
    x: Any, shape: tuple[int, ...], strides: tuple[int, ...], begin: int | None = None,
    dtype: Any = None,
) -> Any:  # fmt: skip
    """A writable view of an array's memory by shape and strides, never beyond it.

    Args:
        strides: in bytes.
        begin: the byte of the memory to begin at; by default where `x` begins.
        dtype: that of `x` if left out.

    Raises:
        ValueError: if elements would lie outside the memory.
    """
    if not isinstance(x, np.ndarray):
        return _device_view(x, shape, strides, begin, dtype or x.dtype)
    if x.base is None and x.flags.forc and not begin:
        return np.ndarray(shape, dtype or x.dtype, x, 0, strides)
    owner = memory_owner(x)
    if begin is None:
        begin = address(x) - address(owner)
    if 0 in shape:
        # NumPy lets views of empty arrays begin outside their owner's memory.
        begin = min(max(begin, 0), owner.nbytes)
    return np.ndarray(shape, dtype or x.dtype, owner, begin, strides)


def _device_view(
    x: Any, shape: tuple[int, ...], strides: tuple[int, ...], begin: int | None,
    dtype: Any,
) -> Any:  # fmt: skip
    """`strided_view` of a GPU's array, which has to be checked here."""
    start, nbytes = byte_range(x)
    first = start if begin is None else begin
    low = sum(min(s, 0) * (n - 1) for n, s in zip(shape, strides, strict=True))
    high = sum(max(s, 0) * (n - 1) for n, s in zip(shape, strides, strict=True))
    last = nbytes - dtype.itemsize
    if 0 not in shape and not 0 <= first + low <= first + high <= last:
        raise ValueError("strides lead out of the memory")
    memory = x.data + (first - start)
    return backends.array_module(x).ndarray(shape, dtype, memory, strides)


def address(x: Any) -> int:
    """The address of an array's first element."""
    return int(x.ctypes.data if isinstance(x, np.ndarray) else x.data.ptr)
