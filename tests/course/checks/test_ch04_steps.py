from __future__ import annotations

import warnings

import pytest

import edutorch as torch
from edutorch.course.checks import ch04_steps as steps
from tests.course.checks.test_ch03_shapes import telling
from tests.course.mistakes import each_is_named
from tests.course.solutions import ch04


@pytest.mark.parametrize("given", [case[0] for case in steps.STEPS_SHOWN], ids=repr)
def test_step_that_makes_a_nan_is_not_after_the_one_that_is_accused(given):
    names = [step.name for step in given.made().backward_steps()]
    accused = steps.first_bad(given)
    warnings.simplefilter("ignore")
    try:
        with torch.autograd.detect_anomaly():
            given.made().backward()
    except RuntimeError as error:
        makes_nan = str(error).split("'")[1]
        assert names.index(accused) <= names.index(makes_nan)


def test_statement_s_example_is_the_first_case():
    (given,) = steps.STEPS_SHOWN[0]
    assert repr(given) == "(x.sqrt() * 0).sum(), x = [4.0, 0.0]"
    assert steps.first_bad(given) == "SqrtBackward0"


@pytest.mark.parametrize("name", steps.STEP_MISTAKES)
def test_mistake_differs_from_the_rule_on_two_cases(name):
    made = steps.STEP_MISTAKES[name]
    assert telling(steps.STEPS_SHOWN, steps.first_bad, made) >= 2


def used_up(loss):
    loss.backward()
    return ch04.first_bad_step(loss)


WRONG = [
    ("04.1", used_up, "raised RuntimeError"),
    ("04.1", "first_bad_step", "without quotes"),
    ("04.1", lambda loss: loss, "not a text"),
]

test_check_of_a_known_mistake_names_it = each_is_named(WRONG)
