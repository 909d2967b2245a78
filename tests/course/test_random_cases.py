"""Arguments are drawn from the try's seed, or from the grader's own."""

from __future__ import annotations

import random

import numpy as np

import edutorch as torch
from edutorch.course.random_cases import draws, graded_with, is_graded, seed_of, seeded


def drawn(seed, dtypes=("float32",)):
    with seeded(seed):
        return [draw.tensor(draw.size(), draw.size()) for draw in draws(4, dtypes)]


def test_draws_of_one_seed_are_the_same():
    for one, other in zip(drawn(3), drawn(3), strict=True):
        assert torch.equal(one, other)
    assert any(a.shape != b.shape for a, b in zip(drawn(3), drawn(4), strict=True))


def test_draws_take_the_dtypes_in_turn():
    kinds = [x.dtype for x in drawn(1, ("float32", "float64"))]
    assert kinds == [torch.float32, torch.float64] * 2


def test_draws_stay_within_their_bounds():
    with seeded(5):
        draw = next(draws(1, ("float64",)))
    assert all(1 <= draw.size() <= 5 for _ in range(20))
    assert all(0 <= v <= 1 for v in draw.tensor(50, low=0.0, high=1.0).tolist())
    assert set(draw.labels(40, 3).tolist()) == {0, 1, 2}
    assert draw.choice("a") == "a"
    assert draw.tensor(2, requires_grad=True).requires_grad


def test_global_generators_are_seeded_in_the_block_and_go_on_afterwards():
    def numbers():
        return random.random(), np.random.rand(), torch.rand(1).item()

    def inside(seed):
        with seeded(seed):
            return numbers()

    random.seed(4)
    np.random.seed(4)
    torch.manual_seed(4)
    expected = [numbers(), numbers()]
    random.seed(4)
    np.random.seed(4)
    torch.manual_seed(4)
    found = [numbers()]
    first, again, other = inside(1), inside(1), inside(2)
    found.append(numbers())
    assert found == expected
    assert first == again
    assert all(a != b for a, b in zip(first, other, strict=True))


def test_seed_depends_on_the_graders_secret_while_grading():
    without = seed_of("02.1", 0)
    with graded_with("a"):
        first = seed_of("02.1", 0)
    with graded_with("b"):
        second = seed_of("02.1", 0)
    assert len({without, first, second}) == 3
    assert seed_of("02.1", 0) == without


def test_check_is_graded_only_with_a_secret():
    assert not is_graded()
    with graded_with("a"):
        assert is_graded()
    assert not is_graded()
