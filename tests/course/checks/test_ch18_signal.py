from __future__ import annotations

import pytest

from edutorch.course import CheckFailed
from edutorch.course.checks.ch18_signal import grade_correlate
from tests.course.solutions import ch18


class Turned(ch18.Correlate):
    @staticmethod
    def backward(ctx, g):
        dx, dw = ch18.Correlate.backward(ctx, g)
        return dx, -dw


def test_gradient_with_the_wrong_sign_is_refused_with_its_cause():
    with pytest.raises(CheckFailed, match="the sign is wrong"):
        grade_correlate(Turned)


def test_function_that_is_no_class_is_refused():
    with pytest.raises(CheckFailed, match="expects a class"):
        grade_correlate(lambda x, w: x)
