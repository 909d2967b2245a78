"""Storage: the identity of a piece of memory, shared by a tensor and its views."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import backends, devices

__all__ = ["Storage", "DeviceStorage", "make_storage", "memory"]

_new = object.__new__


class Bytes(int):
    """A number of bytes that may be called, as PyTorch's method is."""

    def __call__(self) -> int:
        return int(self)


class Storage:
    """Memory that one or more tensors look at.

    Args:
        array: the array that owns the memory, or how many bytes there are to be.

    Attributes:
        array: the array that owns the memory.
        version: counts in-place changes; backward compares it with what it saved.
        rehung: counts the in-place changes that changed a base's history.
        category: what the bytes are for ("parameter", "gradient" ...), when known.
    """

    __slots__ = (
        "array", "version", "rehung", "device", "category", "__weakref__"
    )  # fmt: skip

    def __init__(self, array: Any, device: devices.device = devices.CPU) -> None:
        self.array = np.zeros(array, np.uint8) if isinstance(array, int) else array
        self.version = 0
        self.rehung = 0
        self.device = device
        self.category = ""

    @property
    def rounded(self) -> int:
        """The bytes that the device's allocator set aside."""
        return self.nbytes

    @property
    def nbytes(self) -> Bytes:
        """The bytes of this memory: `nbytes`, or `nbytes()` as in PyTorch."""
        return Bytes(self.array.nbytes)

    def size(self) -> int:
        """The bytes of this memory, as PyTorch's method gives them."""
        return int(self.nbytes)

    def data_ptr(self) -> int:
        """The address of the first byte."""
        array: Any = self.array
        return int(array.ctypes.data if hasattr(array, "ctypes") else array.data.ptr)

    @property
    def is_cuda(self) -> bool:
        """Whether the memory is a GPU's."""
        return self.device.type == "cuda"

    def is_shared(self) -> bool:
        """Whether the memory is shared between processes."""
        return False

    def element_size(self) -> int:
        """The bytes of one element, which is a byte."""
        return 1

    def bytes(self) -> Any:
        """The memory as a flat array of bytes."""
        return self.array.reshape(-1, order="A").view(np.uint8)

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


class DeviceStorage(Storage):
    """Storage that its device's allocator has on its books until it dies."""

    __slots__ = ("handle",)

    def __init__(self, array: Any, device: devices.device) -> None:
        super().__init__(array, device)
        self.handle: Any = None
        self.handle = backends.backend_of(device).allocate(device, int(array.nbytes))

    @property
    def rounded(self) -> int:
        """The bytes that the device's allocator set aside."""
        return int(self.handle.rounded)

    def __del__(self) -> None:
        if self.handle is not None:
            self.handle.release()


def make_storage(array: Any, device: devices.device) -> Storage:
    """The storage of an array: that of the array which owns its memory."""
    if type(array) is np.ndarray and array.base is None and device is devices.CPU:
        made = _new(Storage)  # the commonest, without the detour by `__init__`
        made.array, made.device = array, device
        made.version = made.rehung = 0
        made.category = ""
        return made
    owner = array
    while getattr(owner, "base", None) is not None and hasattr(owner.base, "dtype"):
        owner = owner.base
    if device.type == "cpu":
        return Storage(owner, device)
    return DeviceStorage(owner, device)


def memory(x: Any) -> tuple[Any, int]:
    """All memory that an array looks at, flat, and at which element it begins."""
    owner = x
    while getattr(owner, "base", None) is not None and hasattr(owner.base, "dtype"):
        owner = owner.base
    flat = owner.reshape(-1, order="A").view(x.dtype)
    return flat, (_address(x) - _address(flat)) // x.itemsize


def _address(x: Any) -> int:
    return int(x.ctypes.data if isinstance(x, np.ndarray) else x.data.ptr)
