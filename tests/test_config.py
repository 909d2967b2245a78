"""Switches of the process."""

from __future__ import annotations

import sys
import threading

import pytest

from edutorch import config


def test_kernels_is_a_block_that_restores():
    before = config.kernel_mode()
    with config.kernels("plain"):
        assert config.kernel_mode() == "plain"
    assert config.kernel_mode() == before


def test_unknown_mode_is_refused():
    with pytest.raises(ValueError, match="expects one of"), config.kernels("warp"):
        pass


def test_kernels_of_overlapping_threads_are_their_own():
    inside, leave, seen = threading.Event(), threading.Event(), []

    def other():
        with config.kernels("plain"):
            inside.set()
            leave.wait(10)
        seen.append(config.kernel_mode())

    before = config.kernel_mode()
    thread = threading.Thread(target=other)
    thread.start()
    inside.wait(10)
    with config.kernels("fast"):
        leave.set()
        thread.join()
        assert config.kernel_mode() == "fast"
    assert [config.kernel_mode()] == seen == [before]


@pytest.mark.parametrize(("mode", "expected"), [("auto", True), ("fast", False)])
def test_plain_under_a_debugger_unless_fast_is_asked_for(mode, expected):
    before = sys.gettrace()
    with config.kernels(mode):
        try:
            sys.settrace(lambda *_: None)
            found = config.plain()
        finally:
            sys.settrace(before)
    assert found is expected


def test_plain_is_what_the_mode_says():
    with config.kernels("plain"):
        assert config.plain()
    with config.kernels("fast"):
        assert not config.plain()
