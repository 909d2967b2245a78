# noqa: INP001 (a script, not a package)
"""What watching costs: `python benchmarks/watching.py [ROUNDS]`.

The same loop (a 64x64 addition and its backward) is timed in turn with nobody
listening, with a listener that does nothing, and inside `record()`. Printed are medians
of the ratios of one round, so that a busy machine disturbs all alike.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, closing, nullcontext
from typing import Any

import edutorch as torch

STEPS = 1000
WARMUP = 50

a = torch.randn(64, 64, requires_grad=True)
b, g = torch.randn(64, 64), torch.ones(64, 64)


def nothing(record: object) -> None:
    """The least that a listener can do."""


def listening() -> AbstractContextManager[Any]:
    """With a listener, at level 1."""
    return closing(torch.events.listen("benchmark", nothing))


WAYS: dict[str, Callable[[], AbstractContextManager[Any]]] = {
    "nobody": nullcontext,
    "listener": listening,
    "record": torch.inspect.record,
}


def loop(steps: int) -> None:
    """What is timed."""
    for _ in range(steps):
        a.grad = None
        (a + b).backward(g)


def seconds(way: str) -> float:
    """Processor time of one step, watched in some way."""
    with WAYS[way]():
        loop(WARMUP)
        started = time.process_time()
        loop(STEPS)
        return (time.process_time() - started) / STEPS


def main(rounds: int) -> None:
    """Time all ways in turn and print the ratios."""
    loop(STEPS)
    taken = [{way: seconds(way) for way in WAYS} for _ in range(rounds)]
    alone = statistics.median(t["nobody"] for t in taken)
    print(f"nobody listens: {alone * 1e6:.2f} us a step")
    for way in ("listener", "record"):
        ratio = statistics.median(t[way] / t["nobody"] for t in taken)
        print(f"{way}: {ratio:.2f} times that")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 21)
