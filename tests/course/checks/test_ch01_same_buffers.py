from __future__ import annotations

import numpy as np
import pytest

from edutorch.course import CheckFailed
from edutorch.course.checks.ch01_same_buffers import grade_same_buffer


def test_answer_by_the_object_of_the_storage_is_right():
    grade_same_buffer(lambda a, b: a.untyped_storage() is b.untyped_storage())


def test_answer_that_never_changes_is_told():
    with pytest.raises(CheckFailed) as failure:
        grade_same_buffer(lambda a, b: np.True_)
    assert "whatever the tensors" in failure.value.mistake


def test_answer_that_writes_into_a_tensor_is_refused():
    def same_buffer(a, b):
        before = b.clone()
        a += 1
        return not (b == before).all().item()

    with pytest.raises(CheckFailed, match="changed in place"):
        grade_same_buffer(same_buffer)
