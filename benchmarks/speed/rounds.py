"""Alternates between two workers, so that disturbances of the machine affect both."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, cast

__all__ = ["Row", "Worker", "compare", "difference", "summary"]

ROOT = Path(__file__).parents[2]
TOLERANCE = 1e-3  # of results, relative to the largest of the numbers compared


@dataclass
class Row:
    """A line of the table: milliseconds of a step, and the ratio of its times.

    Attributes:
        spread: the middle half of the ratios of single rounds, as part of the median.
        difference: of results, as part of the largest.
    """

    name: str
    ours: float
    theirs: float | None = None
    ratio: float | None = None
    spread: float = 0.0
    difference: float = 0.0
    error: str = ""

    def as_json(self) -> dict[str, Any]:
        """The row as a dictionary."""
        return asdict(self)


class Worker:
    """A library in a process of its own, and the pipe to it."""

    def __init__(self, library: str, threads: int) -> None:
        command = [sys.executable, "-m", "benchmarks.speed.worker", library]
        environment = {
            **os.environ, "OPENBLAS_NUM_THREADS": str(threads),
            "OMP_NUM_THREADS": str(threads), "PYTHONPATH": str(ROOT),
        }  # fmt: skip
        self.library = library
        self.process = subprocess.Popen(  # noqa: S603 (this file's own command)
            [*command, str(threads)], cwd=ROOT, env=environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        self.questions = cast(IO[str], self.process.stdin)
        self.answers = cast(IO[str], self.process.stdout)

    def ask(self, **question: Any) -> dict[str, Any]:
        """The answer to a question.

        Raises:
            RuntimeError: if the worker has failed or died.
        """
        try:
            print(json.dumps(question), file=self.questions, flush=True)
            line = self.answers.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            code = self.process.wait()
            raise RuntimeError(f"the worker of {self.library} ended with code {code}")
        reply: dict[str, Any] = json.loads(line)
        if "error" in reply:
            raise RuntimeError(f"{self.library}: {reply['error']}")
        return reply

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        with suppress(BrokenPipeError):  # it has ended by itself
            self.questions.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.answers.close()


def compare(name: str, workers: list[Worker], rounds: int, block: float) -> Row:
    """Time a workload in one worker, or in two by turns: A B, B A, A B ...

    Raises:
        RuntimeError: if a library cannot run the workload.
    """
    values = [w.ask(do="prepare", name=name)["values"] for w in workers]
    apart = difference(values[0], values[-1])
    if not apart <= TOLERANCE:
        return Row(name, 0.0, difference=apart, error="results differ")
    for w in workers:
        w.ask(do="time", seconds=block / 2)  # warms up
    times: list[list[float]] = [[] for _ in workers]
    for i in range(rounds):
        order = range(len(workers))
        for k in order if i % 2 == 0 else reversed(order):
            times[k].append(workers[k].ask(do="time", seconds=block)["seconds"])
    row = summary(name, *times)
    row.difference = apart
    return row


def summary(name: str, ours: list[float], theirs: list[float] | None = None) -> Row:
    """Medians of times in seconds, and of the ratios of neighbours."""
    row = Row(name, statistics.median(ours) * 1e3)
    if theirs is not None:
        ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
        row.theirs = statistics.median(theirs) * 1e3
        row.ratio = statistics.median(ratios)
        row.spread = _middle_half(ratios) / row.ratio
    return row


def _middle_half(values: list[float]) -> float:
    if len(values) < 2:
        return 0.0
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return high - low


def difference(ours: list[list[float]], theirs: list[list[float]]) -> float:
    """How far results are apart, as part of the largest number among them."""
    mine = [v for step in ours for v in step]
    other = [v for step in theirs for v in step]
    if len(mine) != len(other):
        return float("inf")
    largest = max((abs(v) for v in other), default=0.0) or 1.0
    gaps = [abs(a - b) / largest for a, b in zip(mine, other, strict=True)]
    return max((gap if gap == gap else float("inf") for gap in gaps), default=0.0)
