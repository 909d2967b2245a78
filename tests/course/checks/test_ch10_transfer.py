from __future__ import annotations

import pytest

from edutorch.course import CheckFailed
from edutorch.course.checks.ch10_transfer import freeze


def test_freezing_nothing_is_refused():
    with pytest.raises(CheckFailed, match="parameters outside the head"):
        freeze(lambda model, head: None)  # does nothing
