"""Simulated GPUs: NumPy computes, a caching allocator accounts for memory.

Results are real; memory is limited and accounted for as on a GPU; work and transfers
take simulated time by a model of a GPU (`cost_model.py`, `device_clock.py`).
"""

from __future__ import annotations

import re
from typing import Any, Final

import numpy as np

from ..devices import device as Device
from .allocator import Block, CachingAllocator
from .cost_model import PRESETS, CostModel, flops_of, preset
from .device_clock import DeviceClock, HostClock
from .overcommitted_memory import NUMPY
from .pinned import is_pinned, pin

__all__ = ["SimulatedGpus", "parse_memory", "simulated_gpus"]

USUAL_MEMORY: Final = "512MB"

# The number of this thread's current stream on a device.
stream_number: Any = None  # set by streams.py

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


def simulated_gpus(
    devices: int, memory: str | int | None = None, like: str | None = None
) -> SimulatedGpus:
    """Simulated GPUs of a kind, with the memory of that kind, or of a given size.

    Raises:
        ValueError: for fewer than one device, or an unknown kind or size.

    Example:
        >>> from edutorch.backends.simulated import simulated_gpus
        >>> simulated_gpus(2, like="T4").allocators[1].capacity == 16 * 2**30
        True
    """
    if devices < 1:
        raise ValueError(f"simulate() expects at least one device, got {devices}")
    model = None if like is None else preset(like)
    if memory is None:
        memory = USUAL_MEMORY if model is None else model.capacity
    return SimulatedGpus(devices, parse_memory(memory), model)


class SimulatedGpus:
    """The backend of a number of simulated GPUs of equal size.

    Attributes:
        allocators: the allocator of each device.
        model: the constants of its time; those of a T4 if no kind was named.
        host, clocks: the simulated time of the host and of each device.
        bus_seconds: what the transfers so far took on the simulated bus.
    """

    xp: Any = NUMPY
    simulated = True

    def __init__(
        self, devices: int, memory: int, model: CostModel | None = None
    ) -> None:
        self.allocators = [CachingAllocator(memory, i) for i in range(devices)]
        self.kind = model
        self.model = model or PRESETS["T4"]
        self.host = HostClock()
        self.clocks = [DeviceClock(self.host) for _ in range(devices)]
        self.bus_seconds = 0.0
        self.transferred = 0

    def allocator(self, device: Device) -> CachingAllocator:
        """The allocator of one device.

        Raises:
            RuntimeError: if there is no such device.
        """
        index = device.index or 0
        if index >= len(self.allocators):
            raise RuntimeError(
                "CUDA error: invalid device ordinal\n"
                f"  there are {len(self.allocators)} simulated GPUs, asked for {device}"
            )
        return self.allocators[index]

    def allocate(self, device: Device, nbytes: int) -> Block:
        """Allocate `nbytes` on a device."""
        block = self.allocator(device).allocate(nbytes, stream_number(device))
        return _NOTHING if block is None else block

    def upload(self, array: np.ndarray[Any, Any], device: Device) -> Any:
        """A copy of a host array on the device."""
        self.allocator(device)
        self.transferred += array.nbytes
        return array.copy()

    def download(self, array: Any) -> np.ndarray[Any, Any]:
        """A host copy of a device array."""
        self.transferred += array.nbytes
        copy: np.ndarray[Any, Any] = array.copy()  # also of a sparse array
        return copy

    def pinned(self, array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """A copy of a host array in memory that counts as page-locked."""
        copy: np.ndarray[Any, Any] = pin(array.copy())
        return copy

    def is_pinned(self, array: Any) -> bool:
        """Whether a host array lies in memory that counts as page-locked."""
        return is_pinned(array)

    def clock(self, device: Device) -> DeviceClock:
        """The simulated time of one device."""
        return self.clocks[device.index or 0]

    def run_op(
        self, name: str, device: Device, operands: list[Any], out: Any, dtype: str
    ) -> float:
        """Charge an op's time to a device; returns the duration of its kernel."""
        nbytes = out.nbytes + sum(x.nbytes for x in operands)
        flops = flops_of(name, operands, out)
        seconds = self.model.kernel_seconds(flops, nbytes, dtype)
        self.run_kernel(name, device, seconds)
        return seconds

    def run_kernel(self, name: str, device: Device, seconds: float) -> None:
        """Queue a kernel in the current stream of a device."""
        self.clock(device).run(
            name, seconds, launch=self.model.launch, stream=stream_number(device)
        )

    def run_copy(
        self,
        source: Device,
        target: Device,
        nbytes: int,
        *,
        pinned: bool = False,
        wait: bool = True,
    ) -> None:
        """Queue a copy in the current stream of its GPU; between GPUs, of the source.

        Args:
            pinned: whether the host's memory is page-locked.
            wait: whether the host waits until the copy is done.
        """
        model = self.model
        if source.type == target.type == "cuda":
            seconds, wait = model.peer_seconds(nbytes), False
            device, unit = source, "out"
        else:
            seconds = model.copy_seconds(nbytes, pinned=pinned)
            uploads = target.type == "cuda"
            device, unit = (target, "in") if uploads else (source, "out")
        self.bus_seconds += seconds
        end = self.clock(device).run(
            f"copy to {target}", seconds, launch=model.launch, unit=unit,
            stream=stream_number(device), nbytes=nbytes,
        )  # fmt: skip
        if device is not target and target.type == "cuda":
            self.clock(target).hold(stream_number(target), end)
        if wait:
            self.host.wait_until(end)


class _EmptyAllocation(Block):
    """The result of an allocation of zero bytes."""

    def __init__(self) -> None:
        self.nbytes = 0
        self.allocator = None

    def release(self) -> None:
        return None


_NOTHING = _EmptyAllocation()
