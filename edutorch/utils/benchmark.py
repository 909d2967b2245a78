"""Timing of statements, repeated until the result is reliable.

    timer = Timer("x @ x", globals={"x": x}, label="product")
    print(timer.blocked_autorange())

Times are in seconds. The clock is read once for many runs, so that the time of reading
it is negligible.
"""

from __future__ import annotations

import math
import sys
import textwrap
import timeit
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..backends.threads import get_num_threads, set_num_threads

__all__ = ["Measurement", "TaskSpec", "Timer"]

DOUBTFUL, WRONG = 0.1, 0.25  # spread over the median that causes a warning
FINEST = 25e-9  # seconds: the resolution of a clock
UNITS = (("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9))
MOST_RUNS = 2**31 - 1


@dataclass(frozen=True, repr=False)
class TaskSpec:
    """A task to measure, and its names.

    Example:
        >>> TaskSpec("x + 1", "pass", sub_label="large").title
        'x + 1: large'
    """

    stmt: str
    setup: str
    global_setup: str = ""
    label: str | None = None
    sub_label: str | None = None
    description: str | None = None
    env: str | None = None
    num_threads: int = 1

    @property
    def title(self) -> str:
        """The label, or the statement itself, and its case."""
        case = self.sub_label or ""
        several = self.label is None and "\n" in self.stmt
        if several:
            indented = textwrap.indent(self.stmt, "  ")
            return "stmt:" + (f" ({case})" if case else "") + f"\n{indented}"
        name = self.stmt if self.label is None else self.label
        return f"{name}: {case}" if case else name

    def setup_str(self) -> str:
        """The statements that come before, as a summary shows them."""
        if not self.setup or self.setup == "pass":
            return ""
        if "\n" not in self.setup:
            return f"setup: {self.setup}"
        return "setup:\n" + textwrap.indent(self.setup, "  ")

    def summarize(self) -> str:
        """Title, description and setup, a line or more each."""
        parts = [self.title, self.description or "", self.setup_str()]
        summary = "\n".join(part for part in parts if part)
        several = "\n" in self.setup or "\n" in self.stmt
        return summary + "\n" if several else summary


@dataclass(repr=False)
class Measurement:
    """The times of a statement, and their statistics.

    The label and the other fields of its `TaskSpec` are attributes, too.

    Args:
        number_per_run: the number of runs that each time covers.
        raw_times: the total times, in seconds.
        task_spec: what was measured.

    Example:
        >>> m = Measurement(10, [2e-5, 3e-5], TaskSpec("x + 1", "pass", label="sum"))
        >>> m.median, m.title, m.num_threads
        (2.5e-06, 'sum', 1)
    """

    number_per_run: int
    raw_times: list[float]
    task_spec: TaskSpec
    metadata: dict[Any, Any] | None = None

    def __getattr__(self, name: str) -> Any:
        if name in TaskSpec.__dataclass_fields__ and "task_spec" in self.__dict__:
            return getattr(self.task_spec, name)
        raise AttributeError(
            f"'{type(self).__name__}' object has no attribute '{name}'"
        )

    @property
    def times(self) -> list[float]:
        """Seconds of one run."""
        return [t / self.number_per_run for t in self.raw_times]

    @property
    def median(self) -> float:
        """The median of `times`."""
        return self._quantile(0.5)

    @property
    def mean(self) -> float:
        """The mean of `times`."""
        return float(np.mean(self.times))

    @property
    def iqr(self) -> float:
        """The interquartile range of `times`."""
        return self._quantile(0.75) - self._quantile(0.25)

    def _quantile(self, share: float) -> float:
        return float(np.quantile(self.times, share))

    @property
    def significant_figures(self) -> int:
        """The number of significant digits of the median, 1 to 4.

        Math: ⌊log10(median / (1.645 σ / √n))⌋, σ and n of the middle half
        """
        n = len(self.raw_times)
        middle = sorted(self.times)[n // 4 : math.ceil(3 * n / 4)]
        doubt = max(1.645 * float(np.std(middle)) / math.sqrt(len(middle)), FINEST)
        return min(max(math.floor(math.log10(self.median / doubt)), 1), 4)

    def meets_confidence(self, threshold: float = DOUBTFUL) -> bool:
        """Whether the interquartile range is less than this share of the median."""
        return self.iqr / self.median < threshold

    @property
    def has_warnings(self) -> bool:
        """Whether the spread is so large that the representation warns of it."""
        return bool(self._warning())

    def _warning(self) -> str:
        if self.meets_confidence(DOUBTFUL):
            return ""
        grave = not self.meets_confidence(WRONG)
        return (
            f"\n  WARNING: Interquartile range is {self.iqr / self.median * 100:.1f}% "
            "of the median measurement.\n           "
            + (
                "This suggests significant environmental influence."
                if grave
                else "This could indicate system fluctuation."
            )
        )

    @property
    def title(self) -> str:
        """The title of the task."""
        return self.task_spec.title

    @property
    def as_row_name(self) -> str:
        """The name of a row in a table."""
        return self.task_spec.sub_label or self.task_spec.stmt or "[Unknown]"

    def __repr__(self) -> str:
        n, task = len(self.raw_times), self.task_spec
        unit, scale = _unit(self.median)
        lines = [object.__repr__(self), task.summarize()]
        lines.append(f"  {'Median: ' if n > 1 else ''}{self.median / scale:.2f} {unit}")
        if n >= 4:
            low, high = (self._quantile(q) / scale for q in (0.25, 0.75))
            spread = self.iqr / scale
            lines.append(f"  IQR:    {spread:.2f} {unit} ({low:.2f} to {high:.2f})")
        lines.append(
            f"  {n} measurement{'s' if n > 1 else ''}, {self.number_per_run} runs "
            f"{'per measurement,' if n > 1 else ','} {task.num_threads} "
            f"thread{'s' if task.num_threads > 1 else ''}"
        )
        return "\n".join(lines) + self._warning()


def _unit(seconds: float) -> tuple[str, float]:
    """The largest unit that is not longer than a time; at least nanoseconds."""
    return next((u for u in UNITS if seconds >= u[1] * (1 - 1e-9)), UNITS[-1])


class Timer:
    """A statement to be timed, by default in one thread.

    Args:
        stmt: the statement, or several in lines.
        setup: what runs once before it.
        global_setup: for other languages; must be empty.
        timer: a clock, in seconds.
        globals: the names that the statement uses; `torch` is there without it.
        label: the name of the measured task.
        sub_label: the case that is measured.
        description: the variant that is measured.
        env: the environment.
        num_threads: the number of threads for matrix products and large arrays.

    Example:
        >>> timer = Timer("x * 2", globals={"x": 3}, label="product")
        >>> m = timer.timeit(10)
        >>> m.number_per_run, len(m.times), m.median < 1
        (10, 1, True)
    """

    def __init__(
        self,
        stmt: str = "pass",
        setup: str = "pass",
        global_setup: str = "",
        timer: Callable[[], float] = timeit.default_timer,
        globals: dict[str, Any] | None = None,
        label: str | None = None,
        sub_label: str | None = None,
        description: str | None = None,
        env: str | None = None,
        num_threads: int = 1,
    ) -> None:
        if not isinstance(stmt, str):
            raise ValueError("Currently only a `str` stmt is supported.")
        if global_setup:
            raise ValueError(
                f"global_setup is C++ only, got `{global_setup}`. Most likely this "
                "code can simply be moved to `setup`."
            )
        names = dict(globals or {})
        names.setdefault("torch", sys.modules[__name__.partition(".")[0]])
        stmt, setup = (textwrap.dedent(code).strip() for code in (stmt, setup))
        self._timer = timeit.Timer(stmt, setup, timer, names)
        self._task_spec = TaskSpec(
            stmt, setup, global_setup, label, sub_label, description, env, num_threads
        )

    def timeit(self, number: int = 1_000_000) -> Measurement:
        """Time `number` runs at once, after a hundredth as many to warm up."""
        with _threads(self._task_spec.num_threads):
            self._run(max(number // 100, 2))
            return self._measured(number, [self._run(number)])

    def blocked_autorange(
        self,
        callback: Callable[[int, float], object] | None = None,
        min_run_time: float = 0.2,
    ) -> Measurement:
        """Time blocks of runs, for at least `min_run_time` seconds.

        Args:
            callback: called with the number of runs and the seconds of each block.
            min_run_time: seconds.
        """

        def enough(times: list[float]) -> bool:
            return sum(times) >= min_run_time

        number = self._block(min_run_time)
        return self._repeated(number, enough, callback)

    def adaptive_autorange(
        self,
        threshold: float = 0.1,
        *,
        min_run_time: float = 0.01,
        max_run_time: float = 10.0,
        callback: Callable[[int, float], object] | None = None,
    ) -> Measurement:
        """Time blocks of runs, until their spread is small.

        Args:
            threshold: the interquartile range, relative to the median, that is small
                enough.
            min_run_time: the least number of seconds.
            max_run_time: the seconds after which it stops in any case.
            callback: called with the number of runs and the seconds of each block.
        """
        number = self._block(0.05)

        def enough(times: list[float]) -> bool:
            total = sum(times)
            if total >= max_run_time:
                return True
            sure = self._measured(number, times).meets_confidence(threshold)
            return len(times) > 3 and sure and total >= min_run_time

        return self._repeated(number, enough, callback)

    def _run(self, number: int) -> float:
        return max(self._timer.timeit(number), 1e-9)  # no clock is finer

    def _measured(self, number: int, times: list[float]) -> Measurement:
        return Measurement(number, list(times), self._task_spec)

    def _block(self, seconds: float) -> int:
        """The number of runs for which reading the clock takes a negligible time."""
        with _threads(self._task_spec.num_threads):
            reading = float(np.median([self._run(0) for _ in range(5)]))
            number = 1
            while True:
                taken = self._run(number)
                cheap = reading / taken <= 1e-4 and taken >= seconds / 1000
                if cheap or taken > seconds or number * 10 > MOST_RUNS:
                    return number
                number *= 10

    def _repeated(
        self,
        number: int,
        enough: Callable[[list[float]], bool],
        callback: Callable[[int, float], object] | None,
    ) -> Measurement:
        times: list[float] = []
        with _threads(self._task_spec.num_threads):
            while not times or not enough(times):
                times.append(self._run(number))
                if callback is not None:
                    callback(number, times[-1])
        return self._measured(number, times)


@contextmanager
def _threads(n: int) -> Iterator[None]:
    before = get_num_threads()
    set_num_threads(n)
    try:
        yield
    finally:
        set_num_threads(before)
