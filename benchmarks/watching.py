# noqa: INP001 (a script, not a package)
"""What watching costs: `python benchmarks/watching.py [ROUNDS]`.

Three processes run the same loop (a 64x64 addition and its backward) in turn: with
nobody listening, with a listener that does nothing, and inside `record()`. Printed are
medians of the ratios of one round, so that a busy machine disturbs all alike.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from typing import Any

WAYS = ("nobody", "listener", "record")
STEPS = 3000


def nothing(record: object) -> None:
    """The least that a listener can do."""


def serve(way: str) -> None:
    """Time the loop once for each line that arrives."""
    import edutorch as torch

    a = torch.randn(64, 64, requires_grad=True)
    b, g = torch.randn(64, 64), torch.ones(64, 64)

    def block() -> float:
        started = time.process_time()
        for _ in range(STEPS):
            a.grad = None
            (a + b).backward(g)
        return (time.process_time() - started) / STEPS

    block()  # nobody listens while things warm up
    if way == "listener":
        torch.events.listen("benchmark", nothing)
    elif way == "record":
        recording = torch.inspect.record()  # ends when nobody holds it
        recording.__enter__()
    for _ in sys.stdin:
        print(block(), flush=True)


def main(rounds: int) -> None:
    """Ask the processes in turn and print the ratios."""
    command = [sys.executable, __file__, "serve"]
    workers: list[Any] = [
        subprocess.Popen(  # noqa: S603 (this very script)
            [*command, way], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for way in WAYS
    ]
    ratios: dict[str, list[float]] = {way: [] for way in WAYS}
    for _ in range(rounds):
        seconds = []
        for worker in workers:
            worker.stdin.write("\n")
            worker.stdin.flush()
            seconds.append(float(worker.stdout.readline()))
        for way, taken in zip(WAYS, seconds, strict=True):
            ratios[way].append(taken / seconds[0])
    print(f"nobody listens: {seconds[0] * 1e6:.2f} us a step")
    for way in WAYS[1:]:
        print(f"{way}: {statistics.median(ratios[way]):.2f} times that")
    for worker in workers:
        worker.stdin.close()
        worker.wait()


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        serve(sys.argv[2])
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 11)
