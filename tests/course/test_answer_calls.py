"""A learner's function has a time limit, and its calls are recorded."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np
import pytest

import edutorch as torch
from edutorch.course.answer_calls import own_line, record_calls


def test_functions_of_the_library_are_heard_with_the_line_of_their_call():
    before = sys.getprofile()
    with record_calls() as recorded:
        torch.ones(2).reshape(1, 2)
    assert "reshape" in recorded
    assert "clone" not in recorded
    assert recorded.any_of(("matmul", "reshape")) == "reshape"
    assert recorded.lines["reshape"].startswith("line ")
    assert sys.getprofile() is before


def test_own_line_of_an_exception_is_outside_of_the_library():
    def answer():
        return torch.ones(2) @ torch.ones(3)

    with pytest.raises(RuntimeError) as error:
        answer()
    assert "torch.ones(2) @ torch.ones(3)" in own_line(error.value)


@pytest.mark.parametrize("name", ["norm", "cdist", "nanmean", "arange", "abs_"])
def test_function_that_another_wraps_is_heard_by_its_own_name(name):
    x = torch.tensor(3.0) if name == "arange" else torch.ones(2, 2)
    arguments = (x, x) if name == "cdist" else (x,)
    with record_calls() as recorded:
        getattr(torch, name)(*arguments)
    assert name.removesuffix("_") in recorded


def test_functions_are_heard_by_their_names_when_a_subclass_overrides_some():
    class Mine(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return super().__torch_function__(func, types, args, kwargs or {})

    x = torch.ones(2)
    with record_calls() as recorded:
        torch.matmul(torch.nn.functional.relu(x).exp(), x)
        x.as_subclass(Mine).clone()
    assert {"relu", "exp", "matmul", "clone"} <= recorded.lines.keys()


def test_class_of_a_layer_is_heard_by_its_name():
    with record_calls() as recorded:
        loss = torch.nn.CrossEntropyLoss()
        loss(torch.zeros(1, 2), torch.tensor([0]))
    assert "CrossEntropyLoss" in recorded
    assert "__init__" not in recorded


def test_own_line_is_not_one_of_an_installed_package():
    def answer():
        return np.concatenate([np.ones(2), "no"])

    with pytest.raises(ValueError, match="concatenate|dimension") as error:
        answer()
    assert "np.concatenate" in own_line(error.value)


def test_own_line_is_not_one_of_a_generated_method():
    @dataclass
    class Sizes:
        values: np.ndarray

    def answer():
        return Sizes(np.ones(2)) == Sizes(np.ones(2))

    with pytest.raises(ValueError, match="ambiguous") as error:
        answer()
    assert "return Sizes(np.ones(2)) == Sizes" in own_line(error.value)
