"""Counts a program's use of a GPU: bytes copied, functions launched."""

from __future__ import annotations

import itertools
from typing import Any, Final

from .. import events
from ..backends import gpus

__all__ = ["GPUCounters"]

_numbers = itertools.count(1)
_KIND: Final = 0
_FIELDS: Final = len(events.HEADER)
_OP: Final = {name: _FIELDS + i for i, name in enumerate(events.FIELDS["op"])}
_BWD: Final = {name: _FIELDS + i for i, name in enumerate(events.FIELDS["bwd"])}


class GPUCounters:
    """Counts copies between devices and kernel launches in a `with` block.

    A launch is an operation that runs on a GPU, forward or backward; a view of a tensor
    and a copy from the host do not count.

    Attributes:
        copies: each copy as (from, to, bytes), in the order in which they were made.
        launches: how many operations ran on GPUs.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(devices=1), GPUCounters() as counters:
        ...     x = torch.ones(256).to("cuda:0")
        ...     total = (2 * x).sum().item()
        >>> counters
        on 1 simulated GPU: 2 launches
          cpu -> cuda:0: 1 copy, 1024 bytes
          cuda:0 -> cpu: 1 copy, 4 bytes
    """

    def __init__(self) -> None:
        self.copies: list[tuple[str, str, int]] = []
        self.launches = 0
        self._where = ""
        self._heard: events.Subscription | None = None

    def __enter__(self) -> GPUCounters:
        found = gpus.gpus()
        count = 0 if found is None else len(found.allocators)
        kind = "simulated " if found is not None and found.simulated else ""
        self._where = f"on {count} {kind}GPU{'' if count == 1 else 's'}"
        name = f"course.gpu_counters.{next(_numbers)}"
        self._heard = events.listen(name, self._note, kinds=("xfer", "op", "bwd"))
        return self

    def __exit__(self, *exception: object) -> None:
        if self._heard is not None:
            self._heard.close()

    def between(self, source: str, target: str) -> list[int]:
        """The bytes of each copy between two kinds of devices ("cpu" and "cuda").

        Example:
            >>> import edutorch as torch
            >>> with torch.cuda.simulate(devices=1), GPUCounters() as counters:
            ...     x = torch.ones(2).to("cuda:0")
            >>> counters.between("cpu", "cuda")
            [8]
        """
        return [
            nbytes
            for start, end, nbytes in self.copies
            if start.startswith(source) and end.startswith(target)
        ]

    def __repr__(self) -> str:
        lines = [f"{self._where}: {_count(self.launches, 'launch', 'launches')}"]
        routes = dict.fromkeys((start, end) for start, end, _ in self.copies)
        for start, end in routes:
            sizes = [n for a, b, n in self.copies if (a, b) == (start, end)]
            copies = _count(len(sizes), "copy", "copies")
            nbytes = _count(sum(sizes), "byte", "bytes")
            lines.append(f"  {start} -> {end}: {copies}, {nbytes}")
        return "\n".join(lines)

    def _note(self, record: tuple[Any, ...]) -> None:
        if record[_KIND] == "xfer":
            source, target, nbytes = record[_FIELDS : _FIELDS + 3]
            self.copies.append((source, target, nbytes))
        elif record[_KIND] == "bwd":
            self.launches += record[_BWD["device"]].startswith("cuda")
        elif record[_OP["device"]].startswith("cuda") and not record[_OP["view"]]:
            self.launches += record[_OP["name"]] != "to_device"


def _count(n: int, one: str, many: str) -> str:
    return f"{n} {one if n == 1 else many}"
