"""Memory shared by several processes."""

from __future__ import annotations

import mmap
import os
from typing import Any

import numpy as np

__all__ = ["SharedMemory", "allocate", "owner"]


class SharedMemory(mmap.mmap):
    """Anonymous memory that forked processes share, and others by its descriptor.

    Attributes:
        descriptor: the file descriptor by which another process maps the memory; None
            if unknown.
    """

    descriptor: int | None = None

    def __del__(self) -> None:
        if self.descriptor is not None:
            os.close(self.descriptor)


def allocate(nbytes: int) -> SharedMemory:
    """Fresh memory, full of zeros.

    Example:
        >>> memory = allocate(8)
        >>> len(memory), memory[0]
        (8, 0)
    """
    if not hasattr(os, "memfd_create"):
        return SharedMemory(-1, nbytes)
    descriptor = os.memfd_create("edutorch")
    os.ftruncate(descriptor, nbytes)
    return attach(descriptor, nbytes)


def attach(descriptor: int, nbytes: int) -> SharedMemory:
    """The memory that another process has; the descriptor is closed with it."""
    memory = SharedMemory(descriptor, nbytes)
    memory.descriptor = descriptor
    return memory


def owner(array: Any) -> mmap.mmap | None:
    """The mapped memory that an array is a view of; None for other memory.

    Example:
        >>> print(owner(np.zeros(3)))
        None
    """
    while isinstance(array, np.ndarray):
        array = array.base
    if isinstance(array, memoryview):
        array = array.obj
    return array if isinstance(array, mmap.mmap) else None
