"""What each device holds: by its own books where it has some, else by the records."""

from __future__ import annotations

from typing import Any

from ..backends import gpus
from ..devices import device
from .event_fields import ALLOC_DEVICE, ALLOC_ROUNDED, STORAGE

__all__ = ["LaneMemory", "held"]


class LaneMemory:
    """Bytes of each device, now and at most.

    The books of a GPU are kept beyond the end of its simulation, so that a view shown
    afterwards tells what the training held. They hold sizes and no tensor.

    Attributes:
        live: the records come as they happen, so that the books are of their time.
        kinds: what each device is, in words.
    """

    def __init__(self) -> None:
        self.live = False
        self._storages: dict[int, tuple[str, int]] = {}
        self._now: dict[str, int] = {}
        self._peak: dict[str, int] = {}
        self._books: dict[str, Any] = {}
        self._backend: Any = None
        self.kinds: dict[str, str] = {"cpu": "CPU"}

    def alloc(self, record: tuple[Any, ...]) -> None:
        """Count memory that is new."""
        ident, name = record[STORAGE], record[ALLOC_DEVICE]
        nbytes = record[ALLOC_ROUNDED]
        if ident not in self._storages:
            self._storages[ident] = name, nbytes
            now = self._now[name] = self._now.get(name, 0) + nbytes
            self._peak[name] = max(now, self._peak.get(name, 0))

    def free(self, record: tuple[Any, ...]) -> None:
        """Count memory that is gone."""
        known = self._storages.pop(record[STORAGE], None)
        if known is not None:
            name, nbytes = known
            self._now[name] -= nbytes

    def meet(self, name: str) -> None:
        """A device is at work: find its books, unless they are known."""
        known = name in self._books and gpus.gpus() is self._backend
        if known or not name.startswith("cuda"):
            return
        backend = gpus.gpus()
        if backend is not self._backend:
            self._backend, self._books = backend, {}
        try:
            self._books[name] = backend.allocator(device(name))
            self.kinds[name] = "simulated GPU" if backend.simulated else "GPU"
        except (AttributeError, RuntimeError):  # recorded where there were more GPUs
            self._books[name] = None

    def of(self, name: str) -> dict[str, int | None]:
        """Bytes now, at most, and of the device, as JSON."""
        books = self._books.get(name)
        if books is not None and self.live:
            return held(books)
        now, peak = self._now.get(name, 0), self._peak.get(name, 0)
        return {"now": now, "peak": peak, "limit": None, "reserved": None}

    def names(self) -> set[str]:
        """The devices that hold or held bytes."""
        return set(self._peak)


def held(books: Any) -> dict[str, int | None]:
    """What a GPU's books say, as JSON."""
    books.settle()
    return {
        "now": int(books.allocated),
        "peak": int(books.peak_allocated),
        "limit": int(books.capacity),
        "reserved": int(books.reserved),
    }
