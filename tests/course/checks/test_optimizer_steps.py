from __future__ import annotations

import numpy as np
import pytest

import edutorch as torch
from edutorch.course import CheckFailed
from edutorch.course.checks.ch07_optimizer_rules import sgd
from edutorch.course.checks.optimizer_steps import Drill, follow, grade_steps

ONE, TWO = np.array([1.0, 2.0]), np.array([10.0, -10.0])
LR = {"lr": 0.1}


def grade(answer, *drills, mistakes=None):
    drills = drills or (Drill([ONE], [[TWO]], LR), Drill([TWO], [[ONE]], LR))
    known = mistakes or {}
    grade_steps(
        answer, "f", drills, right=sgd, mistakes=known, rule="r", stateful=False
    )


def step(params, lr):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                p -= lr * p.grad


def test_follow_moves_what_has_a_gradient():
    drill = Drill([ONE, ONE], [[TWO, None], [None, TWO]], LR)
    after = follow(drill, sgd)
    assert [a.tolist() for a in after] == [[0, 3], [1, 2], [0, 3], [0, 3]]


def test_grade_of_a_right_answer_passes():
    grade(step)
    grade(step, Drill([ONE, TWO], [[TWO, None]], LR, generator=True))


def test_grade_tells_which_parameter_and_number_differ():
    def only_first(params, lr):
        step(list(params)[:1], lr)

    with pytest.raises(CheckFailed) as failure:
        grade(only_first, Drill([ONE, ONE], [[TWO, TWO]], LR))
    assert "then params[1]" in str(failure.value)
    assert failure.value.index == (0,)


def test_grade_of_a_later_step_shows_the_gradients_from_before():
    def first_only(params, state, lr):
        if not state:
            step(params, lr)
        state["begun"] = True

    drill = Drill([ONE], [[TWO], [ONE]], LR)
    with pytest.raises(CheckFailed) as failure:
        grade_steps(first_only, "f", [drill], right=sgd, mistakes={}, rule="r")
    said = str(failure.value)
    assert "step 2; params[0] = tensor([0.0, 3.0])" in said
    assert (
        "its grad tensor([1.0, 2.0]), at the steps before tensor([10.0, -10.0])" in said
    )


def test_grade_names_a_mistake_seen_twice_and_no_other():
    def uphill(params, lr):
        step(params, -lr)

    mistakes = {
        "uphill": lambda drill: follow(drill, lambda g, kept, s: -sgd(g, kept, s)),
        "twice": lambda drill: follow(drill, lambda g, kept, s: 2 * sgd(g, kept, s)),
    }
    with pytest.raises(CheckFailed, match="uphill"):
        grade(uphill, mistakes=mistakes)
    with pytest.raises(CheckFailed) as failure:
        grade(uphill, Drill([ONE], [[TWO]], LR), mistakes=mistakes)
    assert failure.value.mistake == ""  # once is a chance


def test_grade_of_what_is_kept_elsewhere_finds_it():
    calls = []

    def slower(params, lr):
        step(params, lr / (1 + len(calls)))
        calls.append(1)

    with pytest.raises(CheckFailed, match="not when started again"):
        grade(slower)


def test_grade_of_a_list_only_answer_names_the_generator():
    def twice_through(params, lr):
        step([p for p in params if p.grad is None], lr)
        step(params, lr)

    drill = Drill([ONE], [[TWO]], LR, generator=True)
    with pytest.raises(CheckFailed, match="only once: params = list"):
        grade(twice_through, Drill([ONE], [[TWO]], LR), drill)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda p: p.grad.zero_(), "a gradient was changed"),
        (lambda p: setattr(p, "grad", None), "a gradient was changed"),
        (lambda p: setattr(p, "data", p.data.clone()), "new memory"),
        (lambda p: p.requires_grad_(False), "lost its requires_grad"),
    ],
)
def test_grade_of_an_answer_that_spoils_something_tells_what(spoil, words):
    def spoiling(params, lr):
        params = list(params)
        for p in params:
            if words == "new memory":
                spoil(p)
        step(params, lr)
        for p in params:
            if words != "new memory":
                spoil(p)

    with pytest.raises(CheckFailed, match=words):
        grade(spoiling)


def test_grade_of_an_exception_shows_the_call():
    def broken(params, lr):
        return params[5]

    with pytest.raises(
        CheckFailed, match=r"raised IndexError(.|\n)*f\(params, lr=0.1\)"
    ):
        grade(broken)


def test_grade_of_the_librarys_optimizer_is_refused():
    def library(params, lr):
        torch.optim.SGD(params, lr=lr).step()

    with pytest.raises(CheckFailed, match="forbids"):
        grade(library)
