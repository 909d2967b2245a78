from __future__ import annotations

import numpy as np
import pytest

import edutorch as torch
from edutorch.course.compare import (
    call,
    call_text,
    compare,
    expect,
    expect_error,
    need_bool,
    need_function,
    need_tuple,
    same_numbers,
    show,
)
from edutorch.course.failure import CheckFailed
from edutorch.course.time_limits import TimeLimitExceeded, time_limit


def failure_of(*args, **kwargs):
    with pytest.raises(CheckFailed) as failure:
        compare(*args, rule="r", **kwargs)
    return failure.value


def test_compare_equal_values_of_any_kind_pass():
    x = torch.tensor([1.0, 2.0])
    for got, want in ((x, [1, 2]), ((1, 2), x), (2.0, 2), (True, 1), ([], ())):
        compare(got, want, rule="")
    compare(float("nan"), np.nan, rule="")


def test_compare_other_value_names_the_first_index():
    failure = failure_of(torch.tensor([[1.0, 2.0], [3.0, 5.0]]), [[1, 2], [3, 4]])
    assert (failure.index, failure.got, failure.expected) == ((1, 1), "5", "4")


def test_compare_other_shape_says_both():
    failure = failure_of(torch.zeros(2, 3), np.zeros((3, 2)))
    assert (failure.got, failure.expected) == ("shape (2, 3)", "shape (3, 2)")


def test_compare_says_that_several_values_came():
    pair = torch.tensor(1.0), torch.tensor(2.0)
    failure = failure_of(pair, torch.tensor(1.0))
    assert (failure.got, failure.expected) == ("a tuple of 2, shape (2,)", "shape ()")


def test_compare_names_the_callers_mistake_where_no_other_is_known():
    given = {"mistake": "must not change", "wrong": {"twice": 2.0}}
    for got, mistake in ((3.0, "must not change"), (2.0, "twice")):
        with pytest.raises(CheckFailed) as failure:
            compare(got, 1.0, **given)
        assert failure.value.mistake == mistake


def test_compare_no_number_shows_what_came():
    assert failure_of("7", 7).what.startswith("returned something")
    assert failure_of("7", 7).got == "'7', a str"
    assert failure_of({1: 2.0}, 2.0).got == "{1: 2.0}, a dict"


def test_compare_nothing_asks_for_the_return():
    failure = failure_of(None, np.ones(2))
    assert failure.what == "returned None: is a return missing?"
    assert (failure.got, failure.expected) == ("None", "tensor([1.0, 1.0])")


def test_compare_text_is_equal_or_not():
    compare("SumBackward0", "SumBackward0", rule="")
    compare(None, None, rule="")
    failure = failure_of("MulBackward0", "SumBackward0")
    assert (failure.got, failure.expected) == ("'MulBackward0'", "'SumBackward0'")
    assert failure_of(None, "a").what == "the value is not right"
    assert failure_of("a", None).expected == "None"
    assert failure_of(3, "a").what.endswith("not a text")
    assert failure_of(torch.ones(2), None).got == "tensor([1.0, 1.0]), a Tensor"


def test_same_numbers_of_a_tensor_and_a_text_differ():
    assert same_numbers("a", "a", 0.0)
    assert not same_numbers(torch.ones(2), "a", 0.0)
    assert not same_numbers("a", None, 0.0)


def test_compare_value_that_is_not_finite_says_what_makes_such():
    for got in (torch.tensor([1.0]) / 0, torch.tensor([float("nan")])):
        assert "a division by 0" in failure_of(got, [1.0]).mistake
    assert failure_of(torch.tensor([2.0]), [1.0]).mistake == ""


def test_compare_list_of_tensors_is_read():
    x = torch.ones(2, requires_grad=True)
    compare([x, x * 2], [[1, 1], [2, 2]], rule="")
    assert failure_of([x], [1.0, 1.0]).got == "shape (1, 2)"


def test_need_bool_is_asked_for_and_nothing_else_taken():
    context = {"called": "f()", "expected": True, "rule": "r"}
    assert need_bool(torch.tensor(True), **context) is True
    for got in (None, 1, "True", [True]):
        with pytest.raises(CheckFailed) as failure:
            need_bool(got, **context)
        assert failure.value.expected == "True"


def test_call_that_fails_tells_what_was_expected_and_why():
    with pytest.raises(CheckFailed) as failure:
        expect(lambda x: 1 / x, 0.0, want=1.69999999, rule="the rule")
    assert (failure.value.expected, failure.value.rule) == ("1.7", "the rule")


def test_compare_known_mistake_is_named_unless_it_is_also_right():
    wrong = {"also right": 1.0, "twice": 2.0}
    assert failure_of(2.0, 1.0, wrong=wrong).mistake == "twice"
    assert failure_of(3.0, 1.0, wrong=wrong).mistake == ""


def test_compare_tensor_with_history_is_read_without_it():
    compare(torch.tensor(2.0, requires_grad=True) * 2, 4.0, rule="")


def test_expect_changed_argument_fails_though_the_value_is_right():
    def double(x):
        x *= 2
        return x

    with pytest.raises(CheckFailed, match="changed in place"):
        expect(double, torch.tensor([1.0]), want=[2.0], rule="")


def test_call_exception_names_the_call_and_keeps_the_cause():
    def broken(x):
        raise ValueError("first line\nsecond")

    with pytest.raises(CheckFailed, match="raised ValueError: first line") as failure:
        call(broken, 3)
    assert failure.value.called == "broken(3)"
    assert isinstance(failure.value.__cause__, ValueError)


def test_call_of_a_stub_says_not_written_yet():
    def stub():
        raise NotImplementedError("your turn")

    with pytest.raises(CheckFailed, match="not written yet"):
        call(stub)


def test_expect_error_wants_one_of_the_types():
    def refuse():
        raise KeyError("k")

    expect_error(refuse, errors=(KeyError,), rule="")
    with pytest.raises(CheckFailed, match="another exception"):
        expect_error(refuse, errors=(ValueError,), rule="")
    with pytest.raises(CheckFailed, match="did not raise"):
        expect_error(list, errors=(ValueError,), rule="")


def test_need_function_of_a_value_asks_for_the_name():
    with pytest.raises(CheckFailed, match="give check the name f, without"):
        need_function(3.0, "f")


def test_need_tuple_of_something_else_says_how_many():
    assert need_tuple([1, 2], "a, b") == (1, 2)
    with pytest.raises(CheckFailed, match=r"expects 2 things: \(a, b\)"):
        need_tuple(1, "a, b")


def test_call_text_shows_small_values_and_shapes_of_large_ones():
    def f():
        pass

    large = torch.zeros(4, 5)
    assert (
        call_text(f, (1, torch.tensor([1.0])), {"k": 2}) == "f(1, tensor([1.0]), k=2)"
    )
    assert call_text(f, (large,), {}) == "f(<tensor of shape (4, 5)>)"
    assert show("x" * 100).endswith("...")
    assert show(np.arange(3)) == "array([0, 1, 2])"
    assert show(f) == "f"


def test_compare_of_a_short_list_shows_the_list_itself():
    failure = failure_of((4,), (4, 1))
    assert failure.what == "the length is not right"
    assert (failure.got, failure.expected) == ("(4,)", "(4, 1)")


def test_call_that_does_not_end_is_told_with_its_line(monkeypatch):
    monkeypatch.setattr("edutorch.course.compare.SECONDS", 0.2)

    def answer():
        while True:
            pass

    with pytest.raises(CheckFailed, match="did not end within 0.2 seconds") as failure:
        call(answer)
    assert "while True" in failure.value.got or "pass" in failure.value.got


def test_call_within_a_shorter_limit_is_left_to_it(monkeypatch):
    monkeypatch.setattr("edutorch.course.compare.SECONDS", 60.0)

    def answer():
        while True:
            pass

    with pytest.raises(TimeLimitExceeded), time_limit(0.2):
        call(answer)
