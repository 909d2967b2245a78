"""The simulated allocator counts what PyTorch's counted on an H100."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from edutorch.backends.allocator import CachingAllocator
from tests.gpu.allocator_trace import PROGRAMS, changes, numbers, program, segments

ANSWERS = json.loads(Path(__file__).with_name("allocator_answers.json").read_text())


def counted(allocator):
    flat = {}
    for measure, pools in allocator.counters.by_pool.items():
        for pool, counter in pools.items():
            flat[f"{measure}.{pool}.current"] = counter.current
            flat[f"{measure}.{pool}.peak"] = counter.peak
    return numbers(flat | allocator.counters.events)


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_each_step_counts_what_pytorch_counted(seed):
    allocator, held, before = CachingAllocator(80 * 2**30, 0), {}, [0] * 58
    steps = program(seed)
    assert len(steps) == len(ANSWERS[seed]) == 70
    for i, ((what, number), (changed, known)) in enumerate(
        zip(steps, ANSWERS[seed], strict=True)
    ):
        if what == "alloc":
            held[i] = allocator.allocate(number)
        elif what == "free":
            block = held.pop(number)
            if block is not None:
                block.release()
        else:
            allocator.empty_cache()
        allocator.update_statistics()
        now = counted(allocator)
        assert changes(before, now) == changed, (i, what, number)
        if known:
            assert segments(allocator.snapshot()) == known
        before = now
