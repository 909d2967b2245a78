from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.course import CheckFailed
from edutorch.course.checks.ch02_targets import Guess, grade_td_loss
from edutorch.course.random_cases import seeded
from tests.course.solutions import ch02


@pytest.mark.parametrize("seed", range(10))
def test_solution_passes_every_try(seed):
    with seeded(seed):
        grade_td_loss(ch02.td_loss)


def test_example_of_the_statement_is_right():
    v, v_next = torch.tensor([1.0, 2.0], requires_grad=True).unbind()
    v.retain_grad()
    loss = ch02.td_loss(v, 0.5, v_next)
    loss.backward()
    assert loss.item() == pytest.approx(1.69)
    assert v.grad.item() == pytest.approx(-2.6)
    assert Guess(1.0, 0.5, 2.0).error == pytest.approx(-1.3)


def test_guesses_of_one_leaf_have_no_leaves_of_their_own():
    v, v_next, u = Guess(2.0, 1.0, 3.0, shared=True).tensors()
    assert u.is_leaf
    assert not v.is_leaf
    assert not v_next.is_leaf


def test_gradient_through_a_shared_leaf_is_not_cut_later():
    def cut_later(v, r, v_next):
        loss = (v - (r + 0.9 * v_next)) ** 2
        if v_next.is_leaf:
            v_next.register_hook(lambda g: g * 0)
        return loss

    with pytest.raises(CheckFailed) as failure:
        grade_td_loss(cut_later)
    assert "missing detach" in failure.value.mistake
