"""PyTorch 0.1's format: a tar file of pickles, storages and tensors.

Its members are `storages`: how many, then for each a pickle (key, location, type), the
number of elements and the elements, at the end a list of parts of storages that count
as storages, too; `tensors`: how many, then for each a pickle (key, key of its storage,
type) and its sizes, strides and offset; and `pickle`, which refers to both by key.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import numpy as np

from ..tensor.storage import Storage
from ..tensor.typed_storage import TypedStorage
from .errors import corrupted
from .legacy import read_self_contained
from .locations import restorer
from .pickle_scan import Window, scan_pickle
from .storages import StorageType, part_of, view
from .tar import members

__all__ = ["TarFile"]


class TarFile:
    """A file in this format: the program of the objects, and its storages.

    Args:
        file: the file object.
        names: what pickles may name, by (module, name).
        map_location: where to put what was on which device; see `load`.

    Raises:
        UnpicklingError: if the file is damaged.
    """

    def __init__(self, file: Any, names: Any, map_location: Any) -> None:
        # Beside storages and numbers only types of tensors are named, to no purpose.
        self._names = {
            (module, name): found
            if isinstance(found, StorageType)
            else StorageType(None)
            for (module, name), found in names.items()
            if module == "torch" and name.endswith(("Storage", "Tensor"))
        }
        self._restore: Callable[[Storage, str], Storage] = restorer(map_location)
        self._objects: dict[int, Any] = {}
        parts = members(file)
        if not {"storages", "tensors", "pickle"} <= set(parts):
            raise corrupted("a tar file without storages, tensors and a pickle")
        self._storages(Window(parts["storages"]))
        self._tensors(Window(parts["tensors"]))
        self.program = scan_pickle(Window(parts["pickle"])).program

    def find(self, reference: Any) -> Any:
        """The tensor or storage that the pickle refers to by its key.

        Raises:
            UnpicklingError: if there is none.
        """
        if isinstance(reference, tuple) and reference:
            return reference[0]  # a class, which is there with its source
        if isinstance(reference, str) and reference.isdigit() and len(reference) < 30:
            reference = int(reference)
        if type(reference) is not int or reference not in self._objects:
            raise corrupted("it refers to a tensor that is not there")
        return self._objects[reference]

    def _self_contained(self, window: Window) -> Any:
        return read_self_contained(window, self._names)

    def _storages(self, window: Window) -> None:
        for _ in range(_count(self._self_contained(window))):
            key, location, kind = _three(self._self_contained(window))
            if not (isinstance(kind, StorageType) and kind.dtype):
                raise corrupted("a storage without a type")
            (numel,) = struct.unpack("<q", window.read_exactly(8))
            data = window.read_exactly(numel * kind.dtype.itemsize)
            memory = np.frombuffer(data, np.uint8).copy()
            storage = self._restore(Storage(memory), str(location))
            self._add(key, TypedStorage(wrap_storage=storage, dtype=kind.dtype))
        parts = self._self_contained(window)
        if type(parts) is not list:
            raise corrupted("the parts of storages are no list")
        for part in parts:
            if type(part) is not tuple or len(part) != 4:
                raise corrupted("a part of a storage")
            key, root, offset, size = part
            self._add(key, part_of(self._storage(root), (key, offset, size)))

    def _tensors(self, window: Window) -> None:
        for _ in range(_count(self._self_contained(window))):
            key, root, _kind = _three(self._self_contained(window))
            ndim, _unused = struct.unpack("<ii", window.read_exactly(8))
            if not 0 <= ndim <= 64:
                raise corrupted(f"a tensor of {ndim} dimensions")
            form = f"<{2 * ndim + 1}q"
            *numbers, offset = struct.unpack(
                form, window.read_exactly(struct.calcsize(form))
            )
            size, stride = tuple(numbers[:ndim]), tuple(numbers[ndim:])
            self._add(key, view(self._storage(root), offset, size, stride))

    def _storage(self, key: Any) -> Any:
        found = self._objects.get(key) if type(key) is int else None
        if not isinstance(found, TypedStorage):
            raise corrupted("a storage that is not there")
        return found

    def _add(self, key: Any, thing: Any) -> None:
        if type(key) is not int or not 0 <= key < 2**64 or key in self._objects:
            raise corrupted("a key that is none, or there twice")
        self._objects[key] = thing


def _three(parts: Any) -> tuple[Any, Any, Any]:
    if type(parts) is not tuple or len(parts) != 3:
        raise corrupted("the description of a storage or tensor")
    return parts


def _count(n: Any) -> int:
    if type(n) is not int:
        raise corrupted("a number of storages or tensors")
    return n
