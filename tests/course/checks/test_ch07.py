from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.course import CheckFailed, check
from tests.course.solutions import ch07

SOLUTIONS = {
    "07.1": ch07.sgd_step,
    "07.2": ch07.momentum_step,
    "07.3": ch07.adam_step,
    "07.4": (ch07.step_lr, ch07.warmup_cosine),
    "07.5": ch07.clip_gradients,
    "07.6": ch07.fit,
}


@pytest.mark.parametrize("number", SOLUTIONS)
def test_check_of_the_solution_passes(number):
    assert check(number, SOLUTIONS[number]).points > 0


def parameter(value, gradient):
    p = torch.tensor([value], requires_grad=True)
    p.grad = torch.tensor([gradient])
    return p


def test_examples_of_the_statements_hold():
    p = parameter(1.0, 10.0)
    ch07.sgd_step([p], lr=0.1)
    assert p.item() == 0
    p, state, seen = parameter(5.0, 1.0), {}, []
    for _ in range(3):
        ch07.momentum_step([p], state, lr=0.1)
        seen.append(p.item())
    assert seen == pytest.approx([4.9, 4.71, 4.439])
    p, state = parameter(1.0, 4.0), {}
    ch07.adam_step([p], state, lr=0.1)
    assert p.item() == pytest.approx(0.9)
    p.grad = torch.tensor([-2.0])
    ch07.adam_step([p], state, lr=0.1)
    assert p.item() == pytest.approx(0.8734, abs=1e-4)
    assert ch07.step_lr(7, 1.0, 3, 0.1) == pytest.approx(0.01)
    shown = [ch07.warmup_cosine(i, 1.0, 2, 6) for i in range(8)]
    assert shown == pytest.approx([0.5, 1, 1, 0.854, 0.5, 0.146, 0, 0], abs=1e-3)
    assert ch07.clip_gradients([parameter(0.0, 3.0), parameter(0.0, 4.0)], 1.0) == 5


def test_check_of_an_optimizer_as_answer_asks_for_the_function():
    with pytest.raises(CheckFailed, match="without"):
        check("07.1", ch07.sgd_step([], lr=0.1))
