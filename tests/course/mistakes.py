"""Mistakes that checks of exercises know."""

from __future__ import annotations

import pytest

from edutorch.course import CheckFailed, check

__all__ = ["each_is_named"]


def each_is_named(wrong):
    """A test that checks name each of the mistakes: (number, answer, words)."""

    @pytest.mark.parametrize(
        ("number", "answer", "words"), wrong, ids=[f"{n}-{w}" for n, _, w in wrong]
    )
    def test_check_of_a_known_mistake_names_it(number, answer, words):
        with pytest.raises(CheckFailed) as failure:
            check(number, answer)
        assert words in str(failure.value)

    return test_check_of_a_known_mistake_names_it
