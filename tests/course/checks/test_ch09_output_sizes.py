from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.course import CheckFailed
from edutorch.course.checks.ch09_output_sizes import (
    SIZE_MISTAKES,
    SIZE_SHOWN,
    check_whole,
    fresh_size,
    output_size,
)
from edutorch.course.random_cases import draws


def test_output_size_counts_windows_one_by_one():
    for n, k, stride, padding in [
        *SIZE_SHOWN,
        *map(fresh_size, draws(50, ("float32",))),
    ]:
        starts = range(0, n + 2 * padding - k + 1, stride)
        assert output_size(n, k, stride, padding) == len(starts)


@pytest.mark.parametrize("words", SIZE_MISTAKES)
def test_mistake_in_a_size_shows_in_two_of_the_cases(words):
    made = SIZE_MISTAKES[words]
    assert sum(made(*case) != output_size(*case) for case in SIZE_SHOWN) >= 2


@pytest.mark.parametrize("size", [8.0, True, torch.tensor(8)])
def test_size_that_is_no_int_is_refused(size):
    with pytest.raises(CheckFailed, match="not an int"):
        check_whole(size, "output_size()")
