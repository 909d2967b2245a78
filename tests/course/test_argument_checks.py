"""What an answer must not do to its arguments."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.course import CheckFailed
from edutorch.course.argument_checks import check_alias, check_unchanged


def test_equal_arguments_are_unchanged():
    given = (torch.tensor([1.0, float("nan")]), [1, 2], "mean")
    check_unchanged(given, (given[0].clone(), [1, 2], "mean"), "answer(x)")


def test_changed_argument_is_shown_before_and_afterwards():
    with pytest.raises(CheckFailed, match="changed in place") as failure:
        check_unchanged((torch.ones(2),), (torch.zeros(2),), "answer(x)")
    assert "afterwards" in str(failure.value)


def test_argument_that_requires_grad_only_afterwards_is_told():
    x = torch.ones(2)
    with pytest.raises(CheckFailed, match="its requires_grad is True"):
        check_unchanged((x.clone().requires_grad_(),), (x,), "answer(x)")


@pytest.mark.parametrize("kind", ["tensor", "list"])
def test_result_that_is_an_argument_is_told(kind):
    x = torch.ones(2) if kind == "tensor" else [1.0, 1.0]
    with pytest.raises(CheckFailed, match="a part of the argument"):
        check_alias(x, (x,), torch.ones(2), "answer(x)")


def test_result_may_share_memory_where_the_right_one_does():
    x = torch.ones(2)
    check_alias(x[:1], (x,), x[1:], "answer(x)")
