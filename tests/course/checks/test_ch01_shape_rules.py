from __future__ import annotations

import numpy as np
import pytest

import edutorch as torch
from edutorch.course import CheckFailed
from edutorch.course.checks.ch01_shape_rules import (
    BROADCAST_SHOWN,
    HUGE,
    REFUSED,
    STRIDE_SHOWN,
    check_refusals,
    fresh_broadcast,
    fresh_numbers,
    fresh_shape,
    right_broadcast,
    right_standard,
    right_strides,
)
from edutorch.course.random_cases import draws

DRAWS = list(draws(30, ("float32", "float64")))


def test_right_strides_are_the_librarys():
    for (shape,) in [*STRIDE_SHOWN, *map(fresh_shape, DRAWS)]:
        if HUGE in shape:  # no tensor has it
            continue
        assert right_strides(shape) == torch.empty(shape).stride()


def test_right_shape_is_that_of_a_sum():
    for a, b in [*BROADCAST_SHOWN, *map(fresh_broadcast, DRAWS)]:
        if HUGE in a:  # no tensor has it
            continue
        assert right_broadcast(a, b) == (torch.ones(a) + torch.ones(b)).shape


@pytest.mark.parametrize(("a", "b"), REFUSED)
def test_refused_shapes_do_not_broadcast(a, b):
    with pytest.raises(RuntimeError):
        torch.ones(a) + torch.ones(b)


def test_answer_that_refuses_nothing_is_told():
    with pytest.raises(CheckFailed, match="did not raise"):
        check_refusals(lambda a, b: a)


def test_standardized_numbers_have_mean_0_and_deviation_1():
    for (x,) in map(fresh_numbers, DRAWS):
        y = right_standard(x)
        assert y.dtype == x.dtype
        assert y.mean().item() == pytest.approx(0, abs=1e-5)
        assert np.std(y.numpy(), ddof=1) == pytest.approx(1, abs=1e-5)
