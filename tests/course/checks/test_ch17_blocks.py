from __future__ import annotations

import pytest

from edutorch.course import CheckFailed
from edutorch.course.checks.ch17_blocks import _fresh, block_sum
from edutorch.course.random_cases import draws
from tests.course.solutions import ch17


def load(thread, x):
    i = thread.block * thread.size + thread.number
    thread.shared[thread.number] = x[i] if i < len(x) else 0


def serial(thread, x, out):
    load(thread, x)
    yield
    if thread.number == 0:
        out[thread.block] = sum(thread.shared[k] for k in range(thread.size))


def straight(thread, x, out):
    if thread.number == 0:
        start = thread.block * thread.size
        end = min(start + thread.size, len(x))
        out[thread.block] = sum(x[k] for k in range(start, end))


def twice(thread, x, out):
    load(thread, x)
    yield from ch17.block_sum(thread, x, out)


def no_barrier(thread, x, out):
    for _ in ch17.block_sum(thread, x, out):
        pass


def first_alone(thread, x, out):
    load(thread, x)
    yield
    if thread.number == 0:
        out[thread.block] = thread.shared[0]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (serial, "adds everything alone"),
        (straight, "adds everything alone"),
        (twice, "each number once"),
        (no_barrier, "a yield is missing"),
        (first_alone, "nothing was summed"),
    ],
)
def test_kernel_that_is_slow_or_wrong_is_refused_with_its_cause(answer, words):
    with pytest.raises(CheckFailed) as failure:
        block_sum(answer)
    assert words in str(failure.value)


def test_drawn_blocks_have_a_number_each():
    for draw in draws(30, ("float32",)):
        blocks, threads, x = _fresh(draw)
        assert (blocks - 1) * threads < len(x) <= blocks * threads
        assert threads & (threads - 1) == 0
