"""The memory of one training step at full resolution."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

__all__ = ["Change", "StepDetail"]

SAMPLES = 240  # in the data of a step
PHASES = {"optim": "update"}  # the names that are shown
ACTIVATION = 2  # in `memory.CATEGORIES`

Change = tuple[int, int, int, str]  # ns, category, bytes more, phase


class StepDetail:
    """Allocations and releases during a training step.

    Args:
        step: its number.
        began, ended: nanoseconds.
        before: bytes per category as it began.
        changes: in order of time.

    Attributes:
        peak: the most bytes held at once.

    Example:
        >>> changes = [(1000, 0, 8, "forward"), (3000, 0, -8, "backward")]
        >>> detail = StepDetail(4, 0, 5000, [2], changes).data("latest")
        >>> detail["bytes"], detail["t"], detail["phases"][0]["name"]
        ([[2], [10], [2]], [0.0, 0.0, 0.002], 'forward')
    """

    def __init__(
        self,
        step: int,
        began: int,
        ended: int,
        before: list[int],
        changes: list[Change],
    ) -> None:
        first = _first_made(changes)
        for _, column, nbytes, _ in changes[:first]:
            before[column] += nbytes
        self.step = step
        self.began = max(began, changes[first][0])
        self.ended = ended
        self.before = before
        self.changes = changes = changes[first:]
        more = (nbytes for _, _, nbytes, _ in changes)
        self.peak = max(accumulate(more, initial=sum(before)))
        self._data: dict[str, Any] | None = None

    def data(self, name: str) -> dict[str, Any]:
        """The step as JSON-ready data, with times in ms from its first allocation."""
        if self._data is None:
            times, rows = self._samples()
            self._data = {
                "t": times,
                "bytes": rows,
                "phases": self._phases(),
                "ms": self._ms(self.ended),
            }
        return {"step": self.step, "name": name} | self._data

    def _ms(self, ns: int) -> float:
        return round((ns - self.began) / 1e6, 4)

    def _samples(self) -> tuple[list[float], list[list[int]]]:
        """From each interval of time, the moment with the most memory."""
        width = (self.ended - self.began) // SAMPLES + 1
        row = self.before[:]
        times, rows = [0.0], [row[:]]
        stretch, most = -1, 0
        for i, (ns, column, nbytes, _) in enumerate(self.changes):
            row[column] += nbytes
            following = self.changes[i + 1 : i + 2]
            if following and following[0][0] == ns:
                continue  # a change of category is two changes at one time
            here, total = max(0, ns - self.began) // width, sum(row)
            if here == stretch and total < most:
                continue
            if here == stretch:
                times.pop(), rows.pop()
            times.append(self._ms(ns))
            rows.append(row[:])
            stretch, most = here, total
        if rows[-1] != row:
            times.append(self._ms(self.changes[-1][0]))
            rows.append(row[:])
        return times, rows

    def _phases(self) -> list[dict[str, Any]]:
        """The starts of forward, backward and update, robust to late frees.

        Code after backward, such as norms of gradients, is not a forward pass if it
        allocates no activations.
        """
        phases: list[dict[str, Any]] = []
        made: list[set[int]] = []  # categories
        for ns, column, nbytes, phase in self.changes:
            name = PHASES.get(phase, phase)
            if nbytes > 0 and (not phases or phases[-1]["name"] != name):
                phases.append({"t": self._ms(ns), "name": name})
                made.append(set())
            if nbytes > 0:
                made[-1].add(column)
        for i in range(1, len(phases)):
            names = phases[i - 1]["name"], phases[i]["name"]
            if names == ("backward", "forward") and ACTIVATION not in made[i]:
                phases[i]["name"] = "other code"
        return phases


def _first_made(changes: list[Change]) -> int:
    """The index of the first allocation; earlier frees belong to the previous step."""
    first = next((i for i, change in enumerate(changes) if change[2] > 0), 0)
    while first and changes[first - 1][0] == changes[first][0]:
        first -= 1  # a change of category is two changes
    return first
