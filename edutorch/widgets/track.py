"""Makes a training loop visible to RunMonitor: `for batch in track(loader)`."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import Any

from ..callers import caller_frame
from .format import clip
from .notebook import cells, current_shell
from .run_monitor import RunMonitor
from .run_scale import progress_text
from .svg import printable

__all__ = ["Tracked", "reuse", "track"]

MOST = 8  # loops whose monitors are remembered
APART = 0.2  # seconds between two lines of a terminal
_monitors: dict[tuple[str, int, int], RunMonitor] = {}
_spare: list[RunMonitor] = []  # shown, but not watching a loop yet


class Tracked:
    """An iterable of batches, watched by a `RunMonitor`.

    Attributes:
        monitor: the view.
    """

    def __init__(self, iterable: Iterable[Any], monitor: RunMonitor) -> None:
        self._iterable = iterable
        self.monitor = monitor

    def __len__(self) -> int:
        return len(self._iterable)  # type: ignore[arg-type]  # fails as it would itself

    def log(self, **values: Any) -> None:
        """Log numbers for the current step; see `RunMonitor.log`."""
        self.monitor.log(**values)

    def __iter__(self) -> Iterator[Any]:
        recorder = self.monitor._recorder
        counts = getattr(self._iterable, "batch_size", None) is not None
        line = _ProgressLine(self.monitor)
        recorder.begin(_length(self._iterable))
        state = "stopped"  # unless the iterable is exhausted
        try:
            for batch in self._iterable:
                yield batch
                recorder.end_batch(_size(batch) if counts else 0)
                line.show()
            state = "done"
        except GeneratorExit:  # the body breaks, returns or raises
            frame = sys._getframe(1)
            recorder._collector.left = frame.f_code, frame.f_lasti
            raise
        except Exception as error:  # raised by the iterable, not the loop's body
            recorder.end_by(error)
            raise
        finally:
            recorder.end(state)
            line.end()
            self.monitor.save()


def track(iterable: Iterable[Any], name: str = "", **settings: Any) -> Tracked:
    """Watch a training loop: `for batch in track(loader)`.

    In a notebook a `RunMonitor` appears, elsewhere a line of progress (on stderr). A
    loop that runs again, as in each epoch, continues in the same run, unless its name,
    settings or optimizers differ: then the next run begins, with this one overlaid.

    Args:
        iterable: a loader, or anything else; without a length, no time left is shown.
        name: the name of the run; earlier runs of that name are overlaid.
        settings: shown and stored with the run, such as lr=0.1.

    Example:
        >>> import edutorch as torch
        >>> data = torch.utils.data.DataLoader(torch.arange(6.0), batch_size=2)
        >>> batches = track(data)
        >>> for batch in batches:
        ...     batches.log(sum=batch.sum())
        >>> batches.monitor.refresh()["done"]
        3
    """
    frame = caller_frame()
    place = frame.f_code.co_filename, frame.f_lineno, cells.count()
    monitor = _monitors.get(place)
    if monitor is None or monitor.frozen or monitor.looping:
        monitor = _new_monitor(name, settings)
        _remember(place, monitor)
    elif monitor.optimizers_freed or (monitor._name, monitor._settings) != (
        name,
        settings,
    ):
        monitor.next_run(name, settings)
    return Tracked(iterable, monitor)


def reuse(monitor: RunMonitor) -> None:
    """Let this monitor, which is already shown, watch the next new loop."""
    _spare[:] = [monitor]


def _new_monitor(name: str, settings: dict[str, Any]) -> RunMonitor:
    while _spare:
        monitor = _spare.pop()
        if not monitor.frozen:
            monitor.next_run(name, settings)
            return monitor
    monitor = RunMonitor(name, settings)
    if _in_notebook():
        monitor._ipython_display_()
    return monitor


def _remember(place: tuple[str, int, int], monitor: RunMonitor) -> None:
    _monitors.pop(place, None)
    _monitors[place] = monitor
    for old in list(_monitors)[:-MOST]:
        _monitors.pop(old).freeze()


def _in_notebook() -> bool:
    return hasattr(current_shell(), "kernel")


def _length(iterable: Any) -> int | None:
    """The number of batches, if it is known."""
    try:
        return len(iterable)
    except Exception:  # noqa: BLE001 (loaders of streams raise anything)
        return None


def _size(batch: Any) -> int:
    """The number of samples in a batch: the first dimension of its first tensor."""
    first = batch
    while isinstance(first, (list, tuple, dict)) and first:
        first = next(iter(first.values() if isinstance(first, dict) else first))
    shape: Any = getattr(first, "shape", ())
    return int(shape[0]) if len(shape) else 0


class _ProgressLine:
    """One line that is rewritten in a terminal, and written once to a log file."""

    def __init__(self, monitor: RunMonitor) -> None:
        self.monitor = monitor
        self.silent = _in_notebook()
        self.next = 0.0
        self.width = 0

    def show(self) -> None:
        now = time.monotonic()
        if self.silent or now < self.next:
            return
        self.next = now + APART
        if sys.stderr is not None and sys.stderr.isatty():
            self._write("\r", "")

    def end(self) -> None:
        if not self.silent and sys.stderr is not None:
            self._write("\r" if self.width else "", "\n")

    def _write(self, start: str, end: str) -> None:
        data = self.monitor._recorder.series()
        values = [f"{s['name']} {s['last']}" for s in data["series"][:3]]
        text = clip(printable(", ".join([progress_text(data), *values])), 120)
        try:
            sys.stderr.write(start + text.ljust(self.width) + end)
            sys.stderr.flush()
        except (OSError, ValueError):  # a closed file or broken pipe: continue
            self.silent = True
        self.width = 0 if end else len(text)
