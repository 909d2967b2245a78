from __future__ import annotations

import numpy as np
import pytest

import edutorch as torch
from edutorch import nn
from edutorch.course import CheckFailed
from edutorch.course.checks.modules import (
    attribute_of,
    kind_of,
    made,
    need_module_class,
    need_result,
    refuse,
    same_mistake,
    unchanged,
    watched_methods,
    watched_ops,
    why_missing,
    with_causes,
)


def test_class_of_modules_is_accepted():
    need_module_class(nn.Tanh, "Tanh", ())


@pytest.mark.parametrize("answer", [nn.Tanh(), print, int, 3, None])
def test_answer_that_is_not_a_class_of_modules_is_refused(answer):
    with pytest.raises(CheckFailed):
        need_module_class(answer, "Tanh", ())


def test_module_without_super_init_is_told_so():
    class Forgetful(nn.Module):
        def __init__(self):
            self.weight = nn.Parameter(torch.ones(1))

    class Empty(nn.Module):
        def __init__(self):
            pass

    for answer in (Forgetful, Empty):
        with pytest.raises(CheckFailed) as failure:
            made(answer, (), "Layer()")
        assert failure.value.mistake == "super().__init__() comes first in __init__"


def test_attribute_that_does_not_exist_is_told_apart_from_one_that_is_none():
    layer = nn.Linear(2, 1, bias=False)
    assert attribute_of(layer, "bias") == "self.bias is None"
    assert attribute_of(layer, "b") == "self.b does not exist"
    assert why_missing(layer, "bias") == ""
    assert "self.b = None" in why_missing(layer, "b", "None")


def test_failure_gets_the_cause_of_its_words():
    @with_causes(("not iterable", "use modules()"))
    def grade(what):
        raise CheckFailed(what, mistake="another")

    for _ in range(2):
        with pytest.raises(CheckFailed) as failure:
            grade("'Mixed' object is not iterable")
        assert failure.value.mistake == "use modules()"
    with pytest.raises(CheckFailed) as failure:
        grade("wrong")
    assert failure.value.mistake == "another"


def test_watched_methods_are_noted_and_run_as_before():
    with watched_methods(nn.Module, "parameters") as used:
        assert len(list(nn.Linear(1, 1).parameters())) == 2
    list(nn.Linear(1, 1).parameters())
    assert used == ["parameters"]
    with pytest.raises(CheckFailed, match=r"parameters\(\) was called"):
        refuse(used, "{}()", "a recursion")


def test_watched_ops_are_noted():
    x, layer = torch.ones(1, 1), nn.Linear(1, 1)
    with watched_ops("linear") as used:
        x @ x
        layer(x)
    layer(x)
    assert used == ["linear"]


def test_mistake_is_named_only_where_two_cases_show_it():
    want, wrong = [1, 2, 3], {"half": [1, 1, 1.5], "last": [1, 2, 4]}
    assert same_mistake([1, 1, 1.5], want, wrong) == "half"
    assert same_mistake([1, 2, 4], want, wrong) == ""
    assert same_mistake([1, 1, 1.5], want, {**wrong, "too": [1, 1, 1.5]}) == ""


def test_argument_that_changed_is_refused():
    x = torch.ones(2)
    unchanged(x, np.ones(2), "f(x)")
    x += 1
    with pytest.raises(CheckFailed, match="must not change its arguments"):
        unchanged(x, np.ones(2), "f(x)")


@pytest.mark.parametrize("result", [None, 3, np.ones(2)])
def test_result_that_is_no_tensor_is_refused(result):
    with pytest.raises(CheckFailed):
        need_result(result, called="f(x)")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "None"),
        (3, "int 3"),
        (int, "the class int"),
        (torch.ones(2, 3), "a tensor of shape (2, 3)"),
        (nn.Parameter(torch.ones(2)), "a parameter of shape (2,)"),
    ],
)
def test_kind_of_a_value_is_told_in_words(value, words):
    assert kind_of(value) == words
