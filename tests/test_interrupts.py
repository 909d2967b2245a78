"""Ctrl-C while state is changed: it comes afterwards, and once."""

import signal
import threading

import pytest

from edutorch.interrupts import finish, uninterrupted


@pytest.fixture(autouse=True)
def ctrl_c_is_heard():
    """What a shell runs in the background ignores Ctrl-C from the start."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_interrupt_comes_at_the_end_of_the_block():
    done = []
    with pytest.raises(KeyboardInterrupt), uninterrupted():
        signal.raise_signal(signal.SIGINT)
        done.append("the rest")
    assert done == ["the rest"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_blocks_in_blocks_end_together():
    done = []
    with pytest.raises(KeyboardInterrupt), uninterrupted():
        with uninterrupted():
            signal.raise_signal(signal.SIGINT)
            done.append("inner")
        done.append("outer")
    assert done == ["inner", "outer"]


def test_what_ends_a_block_is_done_although_an_interrupt_comes_first(monkeypatch):
    done = []

    class Interrupted(uninterrupted):
        def __enter__(self):
            raise KeyboardInterrupt

    monkeypatch.setattr("edutorch.interrupts.uninterrupted", Interrupted)
    with pytest.raises(KeyboardInterrupt):
        finish(lambda: done.append("restored"))
    assert done == ["restored"]


def test_an_ignored_interrupt_stays_ignored():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with uninterrupted():
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_other_threads_change_no_handler():
    seen = []

    def run():
        with uninterrupted():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert seen == [signal.default_int_handler]
