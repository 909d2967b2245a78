"""Comparison of functions with the official ones: verdicts and named mistakes."""

from __future__ import annotations

import time

import numpy as np
import pytest

import edutorch as torch
from edutorch.course import CheckFailed
from edutorch.course.checks.ch06_softmax import right_logs
from edutorch.course.compare_functions import Case, compare_functions
from edutorch.course.random_cases import seeded
from edutorch.nn import functional as F


def scaled(x, by=2.0):
    return x * by


def grade(answer, **changes):
    with seeded(7):
        compare_functions(
            answer,
            "scaled",
            **{
                "right": scaled,
                "shown": ((torch.tensor([1.0, -2.0]),),),
                "fresh": lambda draw: Case(
                    (draw.tensor(draw.size(), draw.size(0, 3)),), {"by": draw.number()}
                ),
                "rule": "y = x · by",
                "mistakes": {
                    "added instead": lambda x, by=2.0: x + by,
                    "ignored the factor": lambda x, by=2.0: x * 2.0,
                },
                "returns": "tensor",
                "seconds": 1.0,
                **changes,
            },
        )


def said(answer, **changes):
    with pytest.raises(CheckFailed) as failure:
        grade(answer, **changes)
    return str(failure.value)


@pytest.mark.parametrize(
    "answer",
    [
        scaled,
        lambda x, by=2.0: torch.tensor(x.numpy() * np.float32(by)),
        lambda x, by=2.0: torch.stack([v * by for v in x]) if x.shape[0] else x * by,
    ],
)
def test_right_answers_are_accepted(answer):
    grade(answer)


def test_value_that_is_wrong_is_told_with_the_mistake_by_name():
    words = said(lambda x, by=2.0: x + by)
    assert "the value is not right" in words
    assert "added instead" in words


def test_argument_that_is_ignored_is_found_by_drawn_cases():
    assert "ignored the factor" in said(lambda x, by=2.0: x * 2.0)


def test_mistake_is_not_guessed_where_the_answer_is_something_else():
    assert "mistake?" not in said(lambda x, by=2.0: x * 0 + 7)


def test_mistakes_that_give_the_same_are_not_told_apart():
    both = {"one": lambda x, by=2.0: x + by, "other": lambda x, by=2.0: by + x}
    assert "mistake?" not in said(lambda x, by=2.0: x + by, mistakes=both)


def test_mistake_that_is_made_in_several_ways_has_one_name():
    ways = {"added": (lambda x, by=2.0: x - by, lambda x, by=2.0: x + by)}
    assert "mistake?  added" in said(lambda x, by=2.0: x + by, mistakes=ways)


def test_mistake_is_named_where_the_answer_does_not_end_in_some_cases():
    def answer(x, by=2.0):
        while len(x) > 3:
            pass
        return x + by

    assert "added instead" in said(answer, seconds=0.2)


def test_mistake_is_named_where_the_answer_raises_in_some_cases():
    def answer(x, by=2.0):
        if len(x) > 3:
            raise ValueError("too long for me")
        return x + by

    words = said(answer)
    assert "added instead" in words


def test_relation_is_not_told_from_a_single_case_that_ended():
    def answer(x, by=2.0):
        return 2 * x * by if x.ndim == 1 else x[99]

    assert "mistake?" not in said(answer)


def test_cases_after_one_that_did_not_end_have_less_time():
    start = time.process_time()

    def answer(x, by=2.0):
        while x.ndim > 1:
            pass
        return x * 0 + 7

    said(answer, seconds=1.0)
    assert time.process_time() - start < 4.0


def test_answer_that_prints_prints_only_while_it_is_compared(capsys):
    def answer(x, by=2.0):
        print(x)
        return x + by

    said(answer)
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_argument_that_is_changed_is_told():
    def answer(x, by=2.0):
        x *= by
        return x.clone()

    assert "an argument was changed in place" in said(answer)


def test_argument_that_is_changed_and_large_is_told_by_the_number_that_differs():
    def answer(x, by=2.0):
        x[2, 3] = 7.0
        return x * by

    words = said(answer, shown=((torch.zeros(4, 4),),))
    assert "afterwards 7 at [2, 3]" in words
    assert "still 0 at [2, 3]" in words


def test_result_that_is_a_view_of_the_argument_is_told():
    def answer(x):
        return x[:]

    same = {"right": lambda x: x.clone(), "fresh": None, "mistakes": None}
    assert "shares memory" in said(answer, **same)


def test_result_may_be_a_view_where_the_right_one_is():
    grade(
        lambda x: x.t(), right=lambda x: x.T, shown=((torch.ones(2, 3),),), fresh=None
    )


def test_numpys_array_is_no_tensor():
    assert "not in a tensor" in said(lambda x, by=2.0: x.numpy() * np.float32(by))


def test_dtype_of_the_result_is_that_of_the_argument():
    words = said(
        lambda x, by=2.0: (x * by).float(), dtypes=("float64",), shown=(), mistakes=None
    )
    assert "their dtype is not" in words


def test_state_that_is_kept_between_calls_is_found():
    seen = []

    def answer(x, by=2.0):
        seen.append(x)
        return x * by + len(seen) - 1

    assert "the second call returns a different value" in said(answer)


def test_loop_without_end_is_named_with_its_line():
    def answer(x, by=2.0):
        while True:
            by += 1

    words = said(answer)
    assert "did not end within 1 seconds" in words
    assert "by += 1" in words or "while True" in words


def test_loop_that_catches_every_exception_is_ended_too():
    def answer(x, by=2.0):
        while True:
            try:
                by += 1
            except Exception:  # noqa: S112  # as learners write it
                continue

    assert "did not end" in said(answer)


def test_forbidden_function_is_named_with_the_line_that_calls_it():
    def answer(x):
        return F.relu(x)

    words = said(
        answer,
        right=lambda x: x.clamp(min=0),
        fresh=None,
        mistakes=None,
        forbidden=("relu",),
    )
    assert "calls relu, which this exercise forbids" in words
    assert "line" in words


def test_forbidden_method_is_found():
    words = said(
        lambda x: x.relu(), right=lambda x: x.clamp(min=0), fresh=None, mistakes=None,
        forbidden=("relu",),
    )  # fmt: skip
    assert "forbids" in words


def test_required_function_that_is_not_called_is_told():
    assert "does not call matmul" in said(scaled, required=("matmul",))


def test_exception_is_told_with_its_call():
    def answer(x, by=2.0):
        return x[99]

    words = said(answer)
    assert "raised IndexError" in words
    assert "answer(" in words
    assert "expected  tensor([2.0, -4.0])" in words


def test_stub_is_not_written_yet_and_another_exception_of_its_kind_is():
    def stub(x, by=2.0):
        raise NotImplementedError("your turn")

    def helper(x, by=2.0):
        raise NotImplementedError("for complex numbers")

    assert "not written yet" in said(stub)
    assert "raised NotImplementedError: for complex numbers" in said(helper)


def test_cases_of_another_seed_are_other_cases():
    drawn = []

    def note(x, by=2.0):
        drawn.append(by)
        return x * by

    for seed in (1, 2):
        with seeded(seed):
            compare_functions(
                note, "note", right=scaled, shown=(), rounds=1,
                fresh=lambda draw: Case((draw.tensor(2),), {"by": draw.number()}),
            )  # fmt: skip
    assert len(set(drawn)) == 2


def test_module_is_each_calls_own_and_its_parts_belong_to_it():
    layer = torch.nn.Linear(2, 1, bias=False)
    model = torch.nn.Sequential(layer, torch.nn.BatchNorm1d(1)).eval()

    def whole(model, head):
        assert model[0] is head
        return head.weight.sum() * 0 + model.training

    def careless(model, head):
        head.weight.data.fill_(7.0)
        return whole(model.train(), head)

    with pytest.raises(CheckFailed) as failure:
        compare_functions(
            careless,
            "whole",
            right=whole,
            shown=((model, layer), (model, layer)),
            mistakes={"training": lambda m, head: whole(m.train(), head)},
        )
    assert failure.value.mistake == "training"
    assert not model.training and layer.weight.ne(7.0).all()


def test_right_answer_of_the_check_is_not_an_answer():
    def answer(x):
        from edutorch.course.checks.ch06_softmax import right_logs as logs

        return logs(x)

    same = {"right": right_logs, "fresh": None, "mistakes": None}
    assert "calls right_logs, with which the check compares it" in said(answer, **same)
    assert "with which the check compares it" in said(right_logs, **same)


def test_function_of_the_library_that_is_forbidden_is_not_an_answer():
    words = said(
        F.relu,
        right=lambda x: x.clamp(min=0),
        fresh=None,
        mistakes=None,
        forbidden=("relu",),
    )
    assert "scaled is relu, which this exercise forbids" in words


def test_answer_that_runs_for_the_sizes_of_the_example_only_is_told_so():
    def answer(x, by=2.0):
        return x * torch.tensor([by, by])

    shown = ((torch.tensor([1.0, -2.0]),), (torch.tensor([1.0, -2.0, 3.0]),))
    words = said(answer, shown=shown, fresh=lambda draw: (draw.tensor(3, 4),))
    assert "sizes of the example only" in words


def test_answer_that_raises_for_some_sizes_is_not_told_of_the_example():
    def answer(x, by=2.0):
        return x * by if len(x) < 4 else x[99]

    assert "of the example only" not in said(answer)
