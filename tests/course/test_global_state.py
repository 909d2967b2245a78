"""Global settings changed by an answer are restored."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.course import CheckFailed, check
from edutorch.course.global_state import GlobalState
from tests.course.solutions import ch01


def test_modes_are_restored_and_told():
    with GlobalState() as state:
        torch.set_grad_enabled(False)
        torch.set_default_dtype(torch.float64)
    assert torch.is_grad_enabled()
    assert torch.get_default_dtype() == torch.float32
    assert len(state.changed) == 2


def test_nothing_is_told_of_a_block_that_cleans_up():
    with GlobalState() as state, torch.no_grad():
        pass
    assert state.changed == []


def test_right_value_does_not_excuse_a_mode_that_stays():
    def strides_of(shape):
        torch.set_grad_enabled(False)
        return ch01.strides_of(shape)

    with pytest.raises(CheckFailed) as failure:
        check("01.1", strides_of)
    assert "whether gradients are recorded for all that follows" in str(failure.value)
    assert "ends with its block" in str(failure.value)
    assert torch.is_grad_enabled()


def test_mode_that_stays_is_the_cause_of_a_wrong_value():
    def strides_of(shape):
        torch.set_grad_enabled(False)
        return shape

    with pytest.raises(CheckFailed, match="value is not right") as failure:
        check("01.1", strides_of)
    assert "stays in force after the call" in str(failure.value)
