from __future__ import annotations

import math

import numpy as np
import pytest

import edutorch as torch
from edutorch.course import CheckFailed, check
from edutorch.course.unset_memory import UNSET, UnsetMemory
from edutorch.ops.create import filled

ALLOCATE = filled.allocate
MADE = (
    lambda: torch.empty(2, 3),
    lambda: torch.empty_like(torch.ones(3)),
    lambda: torch.ones(2).new_empty(3),
    lambda: torch.empty_strided((2, 2), (1, 2)),
    lambda: torch.empty_like(torch.ones(2, 3).t().expand(3, 2)),
    lambda: torch.empty_permuted((2, 3), (1, 0), dtype=torch.float64),
)


@pytest.mark.parametrize("make", MADE)
def test_memory_that_is_not_set_is_nan_in_the_block_only(make):
    with UnsetMemory() as unset:
        made = make()
    assert unset.used
    assert np.isnan(np.asarray(made)).all()
    assert filled.allocate is ALLOCATE


def test_integers_that_are_not_set_are_the_largest():
    with UnsetMemory() as unset:
        made = torch.empty(2, dtype=torch.int64)
    assert made.tolist() == [2**63 - 1] * 2
    assert unset.shows_in(str(made[0].item()))


def test_memory_that_the_library_needs_is_not_asked_for():
    with UnsetMemory() as unset:
        x = torch.rand(2, 3, 8, 8, requires_grad=True)
        y = torch.nn.functional.conv2d(x, torch.rand(4, 3, 3, 3)).sum()
        y.backward()
        twos = torch.full_like(x, 2.0)
        torch.nn.Linear(3, 2)  # whose parameters are empty before they are drawn
    assert not unset.used
    assert not unset.shows_in("nan")
    assert torch.isfinite(x.grad).all() and twos.eq(2).all()


def test_numpys_own_empty_stays_for_kernels_that_load_meanwhile():
    before = np.empty, np.empty_like
    with UnsetMemory():
        assert (np.empty, np.empty_like) == before


def test_memory_is_given_back_after_an_error():
    with pytest.raises(KeyError), UnsetMemory():
        raise KeyError
    assert filled.allocate is ALLOCATE


def size(*, wrong):
    def output_size(n, k, stride=1, padding=0):
        sizes = torch.empty(2)
        sizes[0] = max((n + 2 * padding - k) // stride + 1, 0)
        return int(sizes[0]) if not wrong else sizes[1]

    return output_size


def test_answer_of_unset_memory_is_refused_with_its_cause():
    with pytest.raises(CheckFailed) as failure:
        check("09.1", size(wrong=True))
    assert (failure.value.got, failure.value.mistake) == ("nan", UNSET)


def test_answer_that_sets_its_memory_is_accepted():
    assert check("09.1", size(wrong=False)).points == 1


def test_nan_of_another_cause_is_not_called_unset():
    def output_size(n, k, stride=1, padding=0):
        torch.empty(2)
        return math.nan

    with pytest.raises(CheckFailed) as failure:
        check("09.1", output_size)
    assert failure.value.mistake != UNSET
