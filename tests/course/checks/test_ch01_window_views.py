from __future__ import annotations

import pytest

from edutorch.course import CheckFailed
from edutorch.course.checks.ch01_window_views import grade_windows


def test_windows_one_dimension_after_the_other_are_right():
    grade_windows(lambda x, k: x.unfold(0, k, 1).unfold(1, k, 1))


def test_copy_of_a_transpose_alone_is_told():
    with pytest.raises(CheckFailed, match="they were copied") as failure:
        grade_windows(lambda x, k: x.contiguous().unfold(0, k, 1).unfold(1, k, 1))
    assert "use x.stride()" in failure.value.mistake


def test_windows_side_by_side_are_told():
    with pytest.raises(CheckFailed, match="shape") as failure:
        grade_windows(lambda x, k: x.unfold(0, k, k).unfold(1, k, k))
    assert "side by side" in failure.value.mistake
