"""The records of an archive as the memory of tensors: read, mapped, or left out."""

from __future__ import annotations

import mmap
import sys
from typing import Any

import numpy as np

from .archive import ArchiveReader
from .options import (
    LoadEndianness,
    get_default_load_endianness,
    get_default_mmap_options,
    skips_data,
)

__all__ = ["ArchiveRecords", "is_swapped"]


class ArchiveRecords:
    """The records `data/0`, `data/1` ... of an archive.

    Args:
        reader: the archive.
        path: the file, if its memory is to be mapped instead of read.
    """

    def __init__(self, reader: ArchiveReader, path: Any = None) -> None:
        self._reader, self._path = reader, path

    def size(self, key: str) -> int | None:
        """The bytes of a record, None if there is none of this name."""
        name = f"data/{key}"
        return self._reader.size(name) if name in self._reader else None

    def read(self, key: str) -> Any:
        """A record, its checksum verified, as a writable array of bytes."""
        name = f"data/{key}"
        size = self._reader.size(name)
        if skips_data():
            return np.zeros(size, np.uint8)
        if self._path is not None and size:
            return self._mapped(name, size)
        memory = np.empty(size, np.uint8)
        self._reader.read_into(name, memory.data)
        return memory

    def _mapped(self, name: str, size: int) -> Any:
        shared = get_default_mmap_options() == getattr(mmap, "MAP_SHARED", None)
        mode: Any = "r+" if shared else "c"
        begin = self._reader.place(name)
        memory = np.memmap(self._path, np.uint8, mode, begin, (size,))
        self._reader.check(name, memory)
        return memory.view(np.ndarray)


def is_swapped(reader: ArchiveReader) -> bool:
    """Whether the numbers in an archive have another byte order than this machine.

    Raises:
        ValueError: for an unknown order.
    """
    if "byteorder" in reader:
        order = reader.read("byteorder").decode("latin1")
        if order not in ("little", "big"):
            raise ValueError(f"Unknown endianness type: {order[:20]}")
        return order != sys.byteorder
    default = get_default_load_endianness() or LoadEndianness.LITTLE
    if default is LoadEndianness.NATIVE:
        return False
    return default.name.lower() != sys.byteorder
