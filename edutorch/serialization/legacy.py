"""PyTorch's format before 1.6: several pickles, then the memory of tensors.

A number that marks the format, its version, facts about the machine, the objects, the
names of their storages; then, in the order of these names, each storage as the number
of its elements (8 bytes) and the elements, in little-endian order on all machines.
"""

from __future__ import annotations

import pickle
import struct
import sys
from typing import Any, Final

import numpy as np

from .errors import corrupted
from .pickle_scan import Named, PickleScan, Window, scan_pickle
from .storages import TYPE_NAMES, SavedStorages, checked_reference
from .weights_only_unpickler import Unpickler

__all__ = ["StreamRecords", "read", "read_self_contained", "typed", "write"]

MAGIC: Final = 0x1950A86A20F9469CFC6C
VERSION: Final = 1001
SIZES: Final = {"short": 2, "int": 4, "long": 4}


def write(file: Any, program: bytes, storages: SavedStorages) -> None:
    """Write a file in this format.

    Args:
        file: an object with `write`.
        program: the pickle of the objects.
        storages: the storages that it refers to.
    """
    facts = {
        "protocol_version": VERSION,
        "little_endian": sys.byteorder == "little",
        "type_sizes": SIZES,
    }
    records = storages.records()
    keys = sorted(records)
    for value in (MAGIC, VERSION, facts):
        file.write(pickle.dumps(value, 2))
    file.write(program)
    file.write(pickle.dumps(keys, 2))
    for key in keys:
        data, dtype = records[key], storages.dtype_of(key)
        itemsize = dtype.itemsize if dtype in TYPE_NAMES else 1
        file.write(struct.pack("<q", data.size // itemsize))
        file.write(memoryview(data))


def read(file: Any, names: Any) -> tuple[bytes, StreamRecords]:
    """The pickle that rebuilds the objects, and the storages that it refers to.

    Args:
        names: what pickles may name, by (module, name).

    Raises:
        RuntimeError: if the file is not in this format.
        UnpicklingError: if it is not a pickle, or damaged.
        EOFError: if it is empty.
    """
    window = Window(file)
    if read_self_contained(window) != MAGIC:
        raise RuntimeError("Invalid magic number; corrupt file?")
    if (version := read_self_contained(window)) != VERSION:
        raise RuntimeError(f"Invalid protocol version: {str(version)[:40]}")
    read_self_contained(
        window
    )  # facts about the machine, which say nothing about the format
    found = scan_pickle(window)
    return found.program, StreamRecords(
        window, read_self_contained(window), found, names
    )


def read_self_contained(window: Window, names: Any = None) -> Any:
    """The object of a pickle that refers to nothing outside of it."""
    return Unpickler(scan_pickle(window).program, names or {}, _no_storage).load()


def _no_storage(reference: Any) -> Any:
    raise corrupted("a storage is referred to where none can be")


def typed(reference: Any, names: Any) -> Any:
    """A reference with the types that it names."""
    if not isinstance(reference, tuple):
        return reference
    return tuple(
        names.get((part.module, part.name), part) if isinstance(part, Named) else part
        for part in reference
    )


class StreamRecords:
    """The storages after the pickles, found by their description in the pickle.

    Raises:
        UnpicklingError: if the description does not fit the file.
    """

    def __init__(
        self, window: Window, keys: Any, found: PickleScan, names: Any
    ) -> None:
        self._window = window
        self._places: dict[str, tuple[int, int]] = {}
        if type(keys) is not list:
            raise corrupted("the names of the storages are no list")
        claims = dict(self._claims(found, names))
        at = window.tell()
        for key in keys:
            if type(key) is not str or key not in claims or key in self._places:
                raise corrupted("a storage that nothing refers to, or there twice")
            at = self._find(key, at, *claims[key])
        self.end = at

    @staticmethod
    def _claims(found: PickleScan, names: Any) -> Any:
        for reference in found.references:
            known = typed(reference, names)
            if isinstance(known, tuple) and known[:1] == ("module",):
                continue  # a class with its source, which is of no interest here
            kind, key, _, nbytes = checked_reference(known)
            yield key, (nbytes, kind.dtype.itemsize if kind.dtype else 1)

    def _find(self, key: str, at: int, nbytes: int, itemsize: int) -> int:
        """Note where a storage is, and give the place after it."""
        self._window.file.seek(at)
        begin = at + 8
        self._need(begin)
        (numel,) = struct.unpack("<q", self._window.read_exactly(8))
        if numel * itemsize != nbytes:
            raise corrupted(
                f"storage {key[:40]} has {numel} elements, which are not {nbytes} bytes"
            )
        if nbytes < 0:
            raise corrupted(f"storage {key[:40]} has {nbytes} bytes")
        self._need(begin + nbytes)
        self._places[key] = begin, nbytes
        return begin + nbytes

    def _need(self, end: int) -> None:
        """Refuse a file that ends before `end`.

        Raises:
            RuntimeError: if it does.
        """
        missing = end - self._window.end
        if missing > 0:
            raise RuntimeError(
                f"unexpected EOF, expected {missing} more bytes. The file might be "
                "corrupted."
            )

    def size(self, key: str) -> int | None:
        """The bytes of a storage, None if there is none of this name."""
        return self._places[key][1] if key in self._places else None

    def read(self, key: str) -> Any:
        """A storage as a writable array of bytes."""
        begin, nbytes = self._places[key]
        self._window.file.seek(begin)
        memory = np.empty(nbytes, np.uint8)
        self._window.fill(memory.data)
        return memory
