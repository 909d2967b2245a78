"""The default limits suffice for a chapter and do not exceed the machine's."""

from __future__ import annotations

import dataclasses

import pytest

from edutorch.course.classroom.limits import Limits
from tests.notebooks.chapters import SECONDS


def test_usual_limits_leave_room_for_a_chapter():
    assert Limits().seconds >= 2 * SECONDS
    assert Limits().cell_seconds <= Limits().seconds
    assert 2**30 <= Limits().memory <= 16 * 2**30


def test_limits_of_a_run_do_not_change():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Limits().seconds = 1
