from __future__ import annotations

import random

import numpy as np
import pytest

import edutorch as torch
from edutorch.course import CheckFailed
from edutorch.course.checks.ch08_worker_numbers import _epoch, grade_own_numbers
from edutorch.utils.data import get_worker_info
from tests.course.solutions import ch08


def rng():
    return np.random.default_rng(8)


def test_grade_of_the_solution_passes():
    grade_own_numbers(ch08.own_numbers, rng())


def test_workers_of_an_epoch_draw_their_own_numbers():
    drawn = _epoch(ch08.own_numbers, 2**40)
    assert len({tuple(numbers) for numbers in drawn}) == 4


def test_answer_sees_what_a_worker_sees():
    seen = []

    def look(worker_id):
        info = get_worker_info()
        seen.append((worker_id, info.id, info.num_workers, info.seed))
        seen.append(torch.initial_seed())
        ch08.own_numbers(worker_id)

    _epoch(look, 7000)
    assert seen[:4] == [(0, 0, 4, 7000), 7000, (1, 1, 4, 7001), 7001]
    assert get_worker_info() is None


def test_grading_leaves_the_seeds_of_the_program_as_they_were():
    def state():
        return random.random(), np.random.rand(), torch.rand(1).item()

    def seed():
        random.seed(5)
        np.random.seed(5)
        torch.manual_seed(5)

    seed()
    before = state()
    seed()
    grade_own_numbers(ch08.own_numbers, rng())
    assert state() == before


def test_answer_that_sets_nothing_is_told_why():
    with pytest.raises(CheckFailed) as failure:
        grade_own_numbers(lambda worker_id: None, rng())
    assert "its own generator" in failure.value.mistake
