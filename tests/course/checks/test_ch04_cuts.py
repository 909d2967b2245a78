from __future__ import annotations

import pytest

from edutorch.course.checks import ch04_cuts as cuts
from tests.course.checks.test_ch03_shapes import telling
from tests.course.mistakes import each_is_named
from tests.course.solutions import ch04

RIGHT = [
    "1",
    None,
    "2",
    "1",
    "3",
    "middle",
    "1",
    "2",
    None,
    "2",
    "0",
    "1",
    None,
    "second",
    "1",
]


@pytest.mark.parametrize(
    ("case", "name"), list(zip(cuts.CUTS_SHOWN, RIGHT, strict=True)), ids=repr
)
def test_layer_that_cuts_is_the_one_below_which_no_gradient_arrives(case, name):
    given, x = case
    assert cuts.cut_at(given) == name
    model = given.made()
    y = model(x)
    if y.requires_grad:
        y.sum().backward()
    above = list(model.named_children())
    above = above[: 1 + list(dict(above)).index(name)] if name else []
    parameters = [p for _, layer in above for p in layer.parameters()]
    assert all(p.grad is None for p in parameters)


@pytest.mark.parametrize("name", cuts.CUT_MISTAKES)
def test_mistake_differs_from_the_rule_on_two_cases(name):
    made = cuts.CUT_MISTAKES[name]
    assert telling(cuts.CUTS_SHOWN, lambda given, _: cuts.cut_at(given), made) >= 2


def left_by_backward(model, x):
    y = model(x)
    if y.requires_grad:
        y.sum().backward()
    return ch04.where_cut(model, x)


WRONG = [
    ("04.3", left_by_backward, "a forward is enough"),
    ("04.3", lambda model, x: model, "not a text"),
]

test_check_of_a_known_mistake_names_it = each_is_named(WRONG)
