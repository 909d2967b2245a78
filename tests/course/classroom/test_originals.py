"""Names, classes, code and contents that were replaced are restored."""

from __future__ import annotations

import math
from types import ModuleType

import pytest

from edutorch.course import catalogue, compare, failure
from edutorch.course.classroom.originals import Originals


@pytest.fixture(scope="module")
def kept():
    return Originals(("edutorch", "math", "builtins"))


def test_function_of_a_module_is_put_back(kept, monkeypatch):
    monkeypatch.setattr(math, "sqrt", abs)
    kept.restore()
    assert math.sqrt(4) == 2.0


def test_code_of_a_function_is_put_back(kept):
    code = compare.compare.__code__
    compare.compare.__code__ = (lambda *given, **named: None).__code__
    kept.restore()
    assert compare.compare.__code__ is code


def test_method_of_a_class_is_put_back(kept):
    method = failure.CheckFailed.__init__
    failure.CheckFailed.__init__ = lambda self: None
    failure.CheckFailed.__new__ = lambda kind, *given: None
    kept.restore()
    assert failure.CheckFailed.__init__ is method
    assert isinstance(failure.CheckFailed("what"), AssertionError)


def test_entry_and_field_of_the_catalogue_are_put_back(kept):
    exercise = catalogue.find("01.1")
    grade = exercise.grade
    object.__setattr__(exercise, "grade", None)
    catalogue._EXERCISES["01.1"] = None
    kept.restore()
    assert catalogue.find("01.1") is exercise
    assert exercise.grade is grade


def test_module_is_put_back(kept, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "edutorch.course.compare", ModuleType("other"))
    kept.restore()
    assert sys.modules["edutorch.course.compare"] is compare


def test_values_that_a_program_sets_stay(kept, monkeypatch):
    import edutorch

    edutorch.set_default_dtype(edutorch.float64)
    try:
        kept.restore()
        assert edutorch.get_default_dtype() is edutorch.float64
    finally:
        edutorch.set_default_dtype(edutorch.float32)
