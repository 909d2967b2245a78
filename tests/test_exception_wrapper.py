"""Exceptions that travel from a worker to the loop."""

from __future__ import annotations

import pickle

import pytest

from edutorch.exception_wrapper import WorkerException


class OddError(Exception):
    """Cannot be made from one string."""

    def __init__(self, a, b):
        super().__init__(a, b)


class SpokenError(Exception):
    """Is made from a message by name, as some libraries' exceptions are."""

    message = "what went wrong"

    def __init__(self, *, message):
        super().__init__(message)


def failure(error):
    """What arrives after `error` was raised elsewhere."""
    try:
        raise error
    except Exception as caught:
        return pickle.loads(pickle.dumps(WorkerException(caught, "in worker 3")))


@pytest.mark.parametrize("error", [ValueError("no"), SpokenError(message="no")])
def test_failure_is_raised_as_the_same_type(error):
    with pytest.raises(type(error), match="Caught .* in worker 3") as found:
        failure(error).reraise()
    assert "Original Traceback (most recent call last):" in str(found.value)


def test_key_error_shows_lines_not_their_repr():
    with pytest.raises(KeyError) as found:
        failure(KeyError("a")).reraise()
    lines = str(found.value).splitlines()
    assert lines[0] == "Caught KeyError in worker 3."
    assert lines[-1] == "KeyError: 'a'"


def test_failure_that_cannot_be_rebuilt_becomes_a_runtime_error():
    with pytest.raises(RuntimeError, match="Caught OddError in worker 3"):
        failure(OddError(1, 2)).reraise()


def test_plain_failure_is_a_runtime_error_with_the_same_text():
    with pytest.raises(RuntimeError, match="ZeroDivisionError: by nought"):
        failure(ZeroDivisionError("by nought")).picklable().reraise()
