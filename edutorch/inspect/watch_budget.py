"""What all views together may cost: a share of the processor time of the training."""

from __future__ import annotations

import math
import threading
from typing import Final

__all__ = ["SHARE", "WatchBudget"]

SHARE: Final = 0.06  # of the time of unwatched steps
LEAST: Final = 0.25  # of the budget, which listeners have whatever else is spent
WINDOW: Final = 10_000_000_000  # ns of training over which other costs are averaged


class WatchBudget:
    """Divides one budget between listening to steps and everything else.

    Drawing views, sending them to the page and looking at weights cost the same
    whether a step is watched or not, so they are charged here. What they leave, `left`,
    is for watching steps: `StepThrottle` skips steps until that suffices.

    Args:
        share: the budget, as a share of the training's time.
        window: nanoseconds of training over which charges are averaged.

    Example:
        >>> budget = WatchBudget(share=0.1, window=1000)
        >>> budget.charge(30)
        >>> budget.advance(1)
        >>> round(budget.left, 2)
        0.07
    """

    def __init__(self, share: float = SHARE, window: float = WINDOW) -> None:
        self.share = share
        self._window = window
        self._charged = 0
        self._spent = 0.0  # share of the time, averaged over the window
        self._lock = threading.Lock()  # several threads charge

    def charge(self, ns: int) -> None:
        """Processor time was spent on views, other than on listening to a step."""
        with self._lock:
            self._charged += ns

    def advance(self, ns: int) -> None:
        """The training has run for so long since the last call."""
        with self._lock:
            charged, self._charged = self._charged, 0
        kept = math.exp(-max(0, ns) / self._window)
        self._spent = kept * self._spent + charged / self._window

    @property
    def left(self) -> float:
        """The share of the training's time that listening to steps may take."""
        return max(LEAST * self.share, self.share - self._spent)

    def clear(self) -> None:
        """Forget all charges: another training begins."""
        with self._lock:
            self._charged = 0
        self._spent = 0.0
