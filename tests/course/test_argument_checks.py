"""Answers must not change their arguments."""

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


def test_changed_tensor_in_a_list_of_different_shapes_is_told():
    before = [torch.ones(2, 1), torch.ones(1, 1)]
    given = [t.clone() for t in before]
    check_unchanged((given,), (before,), "answer(parts)")
    given[1].zero_()
    with pytest.raises(CheckFailed, match="changed in place"):
        check_unchanged((given,), (before,), "answer(parts)")


def test_list_in_another_order_was_sorted_in_place():
    given = [torch.ones(2), torch.zeros(1)]
    before = [torch.zeros(1), torch.ones(2)]
    with pytest.raises(CheckFailed, match=r"sorted\(...\) makes a new one"):
        check_unchanged((given,), (before,), "answer(parts)")


def test_list_that_lost_an_element_is_told():
    before = [torch.ones(2, 1), torch.ones(1, 1)]
    with pytest.raises(CheckFailed, match="changed in place"):
        check_unchanged((before[:1],), (before,), "answer(parts)")


def test_tensor_in_a_list_that_requires_grad_only_afterwards_is_told():
    x = torch.ones(2)
    with pytest.raises(CheckFailed, match="its requires_grad is True"):
        check_unchanged(([x.clone().requires_grad_()],), ([x],), "answer([x])")


def test_argument_that_requires_grad_only_afterwards_is_told():
    x = torch.ones(2)
    with pytest.raises(CheckFailed, match="its requires_grad is True"):
        check_unchanged((x.clone().requires_grad_(),), (x,), "answer(x)")


@pytest.mark.parametrize("kind", ["tensor", "list"])
def test_result_that_is_an_argument_is_told(kind):
    x = torch.ones(2) if kind == "tensor" else [1.0, 1.0]
    with pytest.raises(CheckFailed, match="a part of the argument"):
        check_alias(x, (x,), torch.ones(2), "answer(x)")


def test_views_are_not_told_apart_as_another_name():
    x = torch.ones(2, 2)
    with pytest.raises(CheckFailed, match="make views"):
        check_alias(x.reshape(4)[:3], (x,), torch.ones(3), "answer(x)")
    with pytest.raises(CheckFailed, match="another name"):
        check_alias(x, (x,), torch.ones(2, 2), "answer(x)")


def test_result_that_is_a_tensor_in_a_given_list_is_told():
    x = torch.ones(2)
    with pytest.raises(CheckFailed, match=r"a part of the argument of shape \(2,\)"):
        check_alias(x, ([torch.ones(2), x],), torch.ones(2), "answer([y, x])")


def test_part_of_a_result_that_is_an_argument_is_told():
    x = torch.ones(2)
    right = (torch.ones(2), torch.ones(2))
    with pytest.raises(CheckFailed, match="a part of the argument"):
        check_alias((torch.ones(2), x), (x,), right, "answer(x)")


def test_result_may_share_memory_where_the_right_one_does():
    x = torch.ones(2)
    check_alias(x[:1], (x,), x[1:], "answer(x)")
