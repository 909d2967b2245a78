"""Programs of requests and frees, and what an allocator counts after each step.

`python tests/gpu/allocator_trace.py torch answers.json` runs them on a GPU with PyTorch
and writes the answers that `tests/backends/test_allocator_answers.py` compares; with
`edutorch` in place of `torch` they run on a GPU of edutorch, real or simulated.
"""

from __future__ import annotations

import importlib
import json
import random
import sys
from pathlib import Path
from typing import Any

__all__ = ["MEASURES", "PROGRAMS", "STEPS", "changes", "numbers", "program", "segments"]

PROGRAMS = 8
STEPS = 70
SEGMENTS_EVERY = 14
MIB = 2**20
MEASURES = (
    "allocated_bytes", "reserved_bytes", "requested_bytes", "active_bytes",
    "inactive_split_bytes", "allocation", "segment", "inactive_split", "active",
)  # fmt: skip
POOLS = ("all", "small_pool", "large_pool")
EVENTS = ("num_alloc_retries", "num_ooms", "num_device_alloc", "num_device_free")
EDGES = (
    512, MIB, MIB + 1, 2 * MIB, 10 * MIB, 10 * MIB - 1, 20 * MIB, 20 * MIB + 1, 0,
)  # fmt: skip


def size(draw: random.Random) -> int:
    """Bytes of a request: tiny, small, medium, large, or at the edge of a rule."""
    kind = draw.random()
    if kind < 0.35:
        return draw.randint(1, 5000)
    if kind < 0.55:
        return draw.randint(5000, MIB)
    if kind < 0.75:
        return draw.randint(MIB + 1, 10 * MIB)
    if kind < 0.95:
        return draw.randint(10 * MIB, 60 * MIB)
    return draw.choice(EDGES)


def program(seed: int) -> list[tuple[str, int]]:
    """Steps: ("alloc", bytes), ("free", which step's) or ("empty_cache", 0)."""
    draw = random.Random(seed)
    held: set[int] = set()
    steps = []
    for i in range(STEPS):
        kind = draw.random()
        if kind < 0.58 or not held:
            held.add(i)
            steps.append(("alloc", size(draw)))
        elif kind < 0.96:
            freed = draw.choice(sorted(held))
            held.remove(freed)
            steps.append(("free", freed))
        else:
            steps.append(("empty_cache", 0))
    return steps


def numbers(stats: dict[str, int]) -> list[int]:
    """Current value and peak of each measure in each pool, then the events."""
    found = [
        stats[f"{measure}.{pool}.{column}"]
        for measure in MEASURES
        for pool in POOLS
        for column in ("current", "peak")
    ]
    return found + [stats[name] for name in EVENTS]


def segments(snapshot: list[dict[str, Any]]) -> list[Any]:
    """Each segment's size and kind, and its blocks' sizes, requests and states."""
    return sorted(
        [
            segment["total_size"],
            segment["segment_type"],
            [
                [block["size"], block["requested_size"], block["state"] == "inactive"]
                for block in segment["blocks"]
            ],
        ]
        for segment in snapshot
    )


def changes(before: list[int], after: list[int]) -> dict[str, int]:
    """The numbers that are not what they were, by position."""
    pairs = enumerate(zip(before, after, strict=True))
    return {str(at): new for at, (old, new) in pairs if old != new}


def run(torch: Any, steps: list[tuple[str, int]]) -> list[Any]:
    """What has changed after each step, and now and then the segments."""
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    torch.cuda.reset_accumulated_memory_stats()
    held: dict[int, Any] = {}
    before, answers = [0] * (6 * len(MEASURES) + len(EVENTS)), []
    for i, (what, number) in enumerate(steps):
        if what == "alloc":
            held[i] = torch.empty(number, dtype=torch.uint8, device="cuda")
        elif what == "free":
            del held[number]
        else:
            torch.cuda.empty_cache()
        now = numbers(torch.cuda.memory_stats())
        seen = i % SEGMENTS_EVERY == SEGMENTS_EVERY - 1
        known = segments(torch.cuda.memory_snapshot()) if seen else []
        answers.append([changes(before, now), known])
        before = now
    return answers


def main() -> None:
    """Run every program and write the answers."""
    torch = importlib.import_module(sys.argv[1])
    answers = [run(torch, program(seed)) for seed in range(PROGRAMS)]
    Path(sys.argv[2]).write_text(json.dumps(answers, separators=(",", ":")))


if __name__ == "__main__":
    main()
