"""Memory in use on each device, from its allocator if it has one, else from records."""

from __future__ import annotations

from typing import Any

from ..backends import gpus
from ..devices import device
from .event_fields import ALLOC_DEVICE, ALLOC_ROUNDED, STORAGE

__all__ = ["LaneMemory", "allocator_stats"]


class LaneMemory:
    """Current and peak bytes of each device.

    Allocators outlive the simulation of their GPU, so that a view that is shown
    afterwards still shows the memory of the training. They store sizes, not tensors.

    Attributes:
        live: whether records arrive as they are created, and so agree with the current
            state of the allocators.
        kinds: a description of each device.
    """

    def __init__(self) -> None:
        self.live = False
        self._storages: dict[int, tuple[str, int]] = {}
        self._now: dict[str, int] = {}
        self._peak: dict[str, int] = {}
        self._allocators: dict[str, Any] = {}
        self._backend: Any = None
        self.kinds: dict[str, str] = {"cpu": "CPU"}

    def alloc(self, record: tuple[Any, ...]) -> None:
        """Add the memory of an allocation."""
        ident, name = record[STORAGE], record[ALLOC_DEVICE]
        nbytes = record[ALLOC_ROUNDED]
        if ident not in self._storages:
            self._storages[ident] = name, nbytes
            now = self._now[name] = self._now.get(name, 0) + nbytes
            self._peak[name] = max(now, self._peak.get(name, 0))

    def free(self, record: tuple[Any, ...]) -> None:
        """Subtract freed memory."""
        known = self._storages.pop(record[STORAGE], None)
        if known is not None:
            name, nbytes = known
            self._now[name] -= nbytes

    def add_device(self, name: str) -> None:
        """Look up the allocator of a device that is used for the first time."""
        known = name in self._allocators and gpus.gpus() is self._backend
        if known or not name.startswith("cuda"):
            return
        backend = gpus.gpus()
        if backend is not self._backend:
            self._backend, self._allocators = backend, {}
        try:
            self._allocators[name] = backend.allocator(device(name))
            self.kinds[name] = "simulated GPU" if backend.simulated else "GPU"
        except (AttributeError, RuntimeError):  # recorded on a machine with more GPUs
            self._allocators[name] = None

    def of(self, name: str) -> dict[str, int | None]:
        """The current bytes, the peak and the capacity of a device, as JSON."""
        allocator = self._allocators.get(name)
        if allocator is not None and self.live:
            return allocator_stats(allocator)
        now, peak = self._now.get(name, 0), self._peak.get(name, 0)
        return {"now": now, "peak": peak, "limit": None, "reserved": None}

    def names(self) -> set[str]:
        """The devices that hold or have held memory."""
        return set(self._peak)


def allocator_stats(allocator: Any) -> dict[str, int | None]:
    """The statistics of a GPU's allocator, as JSON."""
    allocator.update_statistics()
    return {
        "now": int(allocator.allocated),
        "peak": int(allocator.peak_allocated),
        "limit": int(allocator.capacity),
        "reserved": int(allocator.reserved),
    }
