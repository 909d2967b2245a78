"""Simulated GPUs: NumPy computes, a caching allocator keeps a GPU's books.

Results are real; memory is limited and accounted for as on a GPU; transfers are
counted, and timed by a simple model of a bus.
"""

from __future__ import annotations

import re
from typing import Any, Final

import numpy as np

from ..devices import device
from .allocator import Block, CachingAllocator

__all__ = ["SimulatedGpus", "parse_memory"]

BUS_BYTES_PER_SECOND: Final = 12e9  # PCIe 3.0 x16, about what it delivers
BUS_LATENCY_SECONDS: Final = 10e-6

_UNITS: Final = {"": 1, "B": 1, "KB": 2**10, "MB": 2**20, "GB": 2**30}


def parse_memory(text: str | int) -> int:
    """Bytes from a number or a text such as "512MB" (MB = 2**20 bytes).

    Raises:
        ValueError: for anything else.

    Example:
        >>> from edutorch.backends.simulated import parse_memory
        >>> parse_memory("64MB")
        67108864
    """
    if isinstance(text, int):
        return text
    found = re.fullmatch(r"\s*([0-9.]+)\s*([KMG]?i?B?)\s*", text, re.IGNORECASE)
    unit = found.group(2).upper().replace("I", "") if found else "?"
    unit = unit + "B" if unit in ("K", "M", "G") else unit
    if found is None or unit not in _UNITS:
        raise ValueError(f'expected a size such as "512MB", got {text!r}')
    return int(float(found.group(1)) * _UNITS[unit])


class SimulatedGpus:
    """The backend of a number of simulated GPUs of equal size.

    Attributes:
        allocators: the books of each device.
        bus_seconds: what the transfers so far would have taken on a real bus.
    """

    xp: Any = np
    simulated = True

    def __init__(self, devices: int, memory: int) -> None:
        self.allocators = [CachingAllocator(memory, i) for i in range(devices)]
        self.bus_seconds = 0.0
        self.transferred = 0

    def allocator(self, where: device) -> CachingAllocator:
        """The books of one device.

        Raises:
            RuntimeError: if there is no such device.
        """
        index = where.index or 0
        if index >= len(self.allocators):
            raise RuntimeError(
                "CUDA error: invalid device ordinal\n"
                f"  there are {len(self.allocators)} simulated GPUs, asked for {where}"
            )
        return self.allocators[index]

    def allocate(self, where: device, nbytes: int) -> Block:
        """Book `nbytes` on a device."""
        block = self.allocator(where).allocate(nbytes)
        return _NOTHING if block is None else block

    def upload(self, array: np.ndarray[Any, Any], where: device) -> Any:
        """A copy of a host array, as it would lie on the device."""
        self.allocator(where)
        self._cross(array.nbytes)
        return array.copy()

    def download(self, array: Any) -> np.ndarray[Any, Any]:
        """A host copy of a device array."""
        self._cross(array.nbytes)
        copy: np.ndarray[Any, Any] = array.copy()  # also of a sparse array
        return copy

    def _cross(self, nbytes: int) -> None:
        self.transferred += nbytes
        self.bus_seconds += BUS_LATENCY_SECONDS + nbytes / BUS_BYTES_PER_SECOND


class _Nothing(Block):
    """What an allocation of no bytes gets."""

    def __init__(self) -> None:
        self.nbytes = 0
        self.allocator = None

    def release(self) -> None:
        return None


_NOTHING = _Nothing()
