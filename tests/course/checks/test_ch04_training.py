from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.course import check
from edutorch.course.checks import ch04_training as training
from tests.course.checks.test_ch03_shapes import telling
from tests.course.mistakes import each_is_named
from tests.course.solutions import ch04

STARTS = ((1.0, 0.1, 0.0), (2.0, 0.05, 0.0), (1.0, 0.1, 0.9), (3.0, 0.1, 0.9))
GRID = torch.tensor([[2.0, -1.0], [0.5, 1.0], [-2.0, 0.0]])
SCORES = [
    (training.Scores(sign * GRID), torch.tensor([[1.0, 2.0], [0.0, -1.0]]), labels)
    for sign in (1, -1)
    for labels in (torch.tensor([0, 2]), torch.tensor([1, 1]))
]


def three(standardize=ch04.standardize, loss_of=ch04.loss_of, step=ch04.step):
    return standardize, loss_of, step


def test_steps_of_the_statement_are_those_of_sgd():
    path = training.three_steps(ch04.step, 1.0, 0.1, 0.0)
    assert path == pytest.approx([0.6, 0.36, 0.216])


@pytest.mark.parametrize("correction", [0, 1])
def test_either_standard_deviation_is_right(correction):
    def standardize(x):
        return (x - x.mean(dim=0)) / x.std(dim=0, correction=correction)

    assert check("04.4", three(standardize)).points == 2


@pytest.mark.parametrize("words", training.STANDARD_MISTAKES)
def test_table_with_a_mistake_differs_on_two_tables(words):
    cases = ((training.TABLE,), (training.TABLE[:3] ** 2,))
    for right in (training._standard(0), training._standard(1)):
        assert telling(cases, right, training.STANDARD_MISTAKES[words]) >= 2


@pytest.mark.parametrize("words", training.LOSS_MISTAKES)
def test_loss_with_a_mistake_differs_on_two_cases(words):
    assert telling(SCORES, training.mean_loss, training.LOSS_MISTAKES[words]) >= 2


@pytest.mark.parametrize("words", training.STEP_MISTAKES)
def test_steps_with_a_mistake_differ_on_two_starts(words):
    def right(w, lr, momentum):
        return training.three_steps(ch04.step, w, lr, momentum)

    assert telling(STARTS, right, training.STEP_MISTAKES[words]) >= 2


def only_first(optimizer, loss):
    if float(loss.detach()) == 2.0:
        ch04.step(optimizer, loss)


WRONG = [
    ("04.4", ch04.step, "expects 3 things"),
    ("04.4", three(standardize="standardize"), "without quotes"),
    ("04.4", three(loss_of=lambda model, x, y: None), "is a return missing?"),
    ("04.4", three(step=only_first), "not right"),
]

test_check_of_a_known_mistake_names_it = each_is_named(WRONG)
