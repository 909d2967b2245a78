"""A process with one library, which reads requests and writes answers as lines of JSON.

`python -m benchmarks.speed.worker edutorch 2` has two threads. Questions:

- `{"do": "describe"}`: version, threads, kernels.
- `{"do": "prepare", "name": ...}`: builds a workload; the answer has what three steps
  computed.
- `{"do": "time", "seconds": ...}`: the seconds that a step takes, by a block of steps.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import sys
import time
from typing import Any

import numpy as np

from .workloads import WORKLOADS, Step

__all__ = ["Answers", "numbers_in", "seconds_of"]

CHECKED = 3  # steps whose results are compared


class Answers:
    """The library of this process, and the step that was built last."""

    def __init__(self, name: str, threads: int) -> None:
        self.library = importlib.import_module(name)
        self.library.set_num_threads(threads)
        self.step: Step | None = None

    def describe(self) -> dict[str, Any]:
        """What is timed here."""
        config = getattr(self.library, "config", None)
        text = io.StringIO()
        if config is not None and hasattr(config, "show"):
            with contextlib.redirect_stdout(text):
                config.show()
        return {
            "library": self.library.__name__,
            "version": str(self.library.__version__),
            "threads": self.library.get_num_threads(),
            "kernels": text.getvalue().partition("\n")[0],
        }

    def prepare(self, name: str) -> dict[str, Any]:
        """Build a workload, and say what its first steps compute."""
        self.step = None  # the last one's memory goes first
        self.step = WORKLOADS[name](self.library)
        return {"values": [numbers_in(self.step()) for _ in range(CHECKED)]}

    def time(self, seconds: float) -> dict[str, Any]:
        """The time of a step."""
        if self.step is None:
            raise RuntimeError("no workload has been prepared")
        return {"seconds": seconds_of(self.step, seconds)}


def seconds_of(step: Step, seconds: float) -> float:
    """The mean time of a step, over as many as fit into some seconds."""
    count, start = 0, time.perf_counter()
    while True:
        step()
        count += 1
        passed = time.perf_counter() - start
        if passed >= seconds:
            return passed / count


def numbers_in(result: Any) -> list[float]:
    """A few numbers that tell results apart: the mean and the size of each tensor."""
    if isinstance(result, (list, tuple)):
        return [v for part in result for v in numbers_in(part)]
    if isinstance(result, (int, float)):
        return [float(result)]
    values = np.asarray(result.detach().numpy(), np.float64)
    return [float(values.mean()), float(np.abs(values).mean()), float(values.flat[0])]


def main() -> None:
    """Answer until the input ends."""
    answers = Answers(sys.argv[1], int(sys.argv[2]))
    # What a library prints must not come between the answers.
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        question = json.loads(line)
        action = getattr(answers, question.pop("do"))
        try:
            reply = action(**question)
        except Exception as error:  # noqa: BLE001 (told to the one who asked)
            reply = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(reply), file=out, flush=True)


if __name__ == "__main__":
    main()
