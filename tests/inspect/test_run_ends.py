"""How an exception ends a training run."""

from __future__ import annotations

import sys

import pytest

from edutorch.inspect.run_ends import passed_through, state_after


@pytest.mark.parametrize(
    ("error", "state"),
    [
        (ValueError("bad"), "failed with ValueError"),
        (KeyboardInterrupt(), "interrupted"),
        (SystemExit(1), "stopped"),
    ],
)
def test_state_after_an_exception_names_it(error, state):
    assert state_after(error) == state


def closed(left):
    """A generator that notes where its reader stands as it is closed."""
    try:
        yield
    finally:
        frame = sys._getframe(1)
        left.append((frame.f_code, frame.f_lasti))


def read(left, error):
    for _ in closed(left):
        if error is None:
            break
        raise error
    raise RuntimeError("later")


def test_exception_that_leaves_a_loop_passed_through_it():
    left = []
    with pytest.raises(ValueError, match="bad") as caught:
        read(left, ValueError("bad"))
    assert passed_through(caught.value, left[0])


def test_exception_after_a_loop_that_was_broken_off_is_another():
    left = []
    with pytest.raises(RuntimeError) as caught:
        read(left, None)
    assert not passed_through(caught.value, left[0])
