"""A learner's function runs within its time, and is recorded."""

from __future__ import annotations

import sys
import threading
import time
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest

import edutorch as torch
from edutorch.course import running
from edutorch.course.running import (
    TimeLimitExceeded,
    own_line,
    record_calls,
    shortest_limit,
    time_limit,
)


def endless():
    while True:
        pass


def test_block_that_ends_in_time_is_left_alone():
    with time_limit(5.0):
        assert sum(range(10)) == 45
    before = threading.active_count()
    for _ in range(20):
        with time_limit(600.0):
            pass
    last = time.monotonic() + 60.0
    while threading.active_count() > before and time.monotonic() < last:
        time.sleep(0.01)  # a watching thread ends as soon as it gets a processor
    assert threading.active_count() <= before


def test_endless_loop_ends_and_its_line_is_known():
    with pytest.raises(TimeLimitExceeded) as error, time_limit(0.2):
        endless()
    assert "test_running.py" in own_line(error.value)


def test_block_that_had_no_processor_is_left_alone():
    with time_limit(0.1):
        time.sleep(0.3)


def test_block_that_waits_ends_at_last():
    with pytest.raises(TimeLimitExceeded), time_limit(0.05):
        for _ in range(1000):
            time.sleep(0.01)


def test_block_with_a_short_limit_has_time_on_a_busy_machine():
    with time_limit(0.01):
        time.sleep(0.5)


def test_exception_that_the_block_catches_is_raised_again():
    caught = []
    with pytest.raises(TimeLimitExceeded), time_limit(0.05):
        try:
            endless()
        except TimeLimitExceeded:
            caught.append(True)
        endless()
    assert caught == [True]


def test_block_that_ends_with_its_time_keeps_no_limit(monkeypatch):
    class Late(threading.Event):
        """The exception is on its way when the block has ended."""

        def set(self):
            raise TimeLimitExceeded

    names = SimpleNamespace(**{**vars(threading), "Event": Late})
    monkeypatch.setattr(running, "threading", names)
    monkeypatch.setattr(running, "LEAST", 0.0)
    with pytest.raises(TimeLimitExceeded), time_limit(0.02):
        pass
    assert shortest_limit() == float("inf")
    time.sleep(0.3)  # and nothing is raised here


def test_time_is_limited_in_other_threads_too():
    ended = []

    def work():
        try:
            with time_limit(0.2):
                endless()
        except TimeLimitExceeded:
            ended.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(10)
    assert ended == [True]


def test_functions_of_the_library_are_heard_with_the_line_of_their_call():
    before = sys.getprofile()
    with record_calls() as recorded:
        torch.ones(2).reshape(1, 2)
    assert "reshape" in recorded
    assert "clone" not in recorded
    assert recorded.any_of(("matmul", "reshape")) == "reshape"
    assert recorded.lines["reshape"].startswith("line ")
    assert sys.getprofile() is before


def test_own_line_of_an_exception_is_outside_of_the_library():
    def answer():
        return torch.ones(2) @ torch.ones(3)

    with pytest.raises(RuntimeError) as error:
        answer()
    assert "torch.ones(2) @ torch.ones(3)" in own_line(error.value)


@pytest.mark.parametrize("name", ["norm", "cdist", "nanmean", "arange", "abs_"])
def test_function_that_another_wraps_is_heard_by_its_own_name(name):
    x = torch.tensor(3.0) if name == "arange" else torch.ones(2, 2)
    arguments = (x, x) if name == "cdist" else (x,)
    with record_calls() as recorded:
        getattr(torch, name)(*arguments)
    assert name.removesuffix("_") in recorded


def test_functions_are_heard_by_their_names_when_a_subclass_overrides_some():
    class Mine(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return super().__torch_function__(func, types, args, kwargs or {})

    x = torch.ones(2)
    with record_calls() as recorded:
        torch.matmul(torch.nn.functional.relu(x).exp(), x)
        x.as_subclass(Mine).clone()
    assert {"relu", "exp", "matmul", "clone"} <= recorded.lines.keys()


def test_class_of_a_layer_is_heard_by_its_name():
    with record_calls() as recorded:
        loss = torch.nn.CrossEntropyLoss()
        loss(torch.zeros(1, 2), torch.tensor([0]))
    assert "CrossEntropyLoss" in recorded
    assert "__init__" not in recorded


def test_shortest_limit_is_that_of_the_blocks_around():
    assert shortest_limit() == float("inf")
    with time_limit(5.0):
        with time_limit(9.0):
            assert shortest_limit() == 5.0
        with time_limit(2.0):
            assert shortest_limit() == 2.0
        assert shortest_limit() == 5.0


def test_own_line_is_not_one_of_an_installed_package():
    def answer():
        return np.concatenate([np.ones(2), "no"])

    with pytest.raises(ValueError, match="concatenate|dimension") as error:
        answer()
    assert "np.concatenate" in own_line(error.value)


def test_own_line_is_not_one_of_a_generated_method():
    @dataclass
    class Sizes:
        values: np.ndarray

    def answer():
        return Sizes(np.ones(2)) == Sizes(np.ones(2))

    with pytest.raises(ValueError, match="ambiguous") as error:
        answer()
    assert "return Sizes(np.ones(2)) == Sizes" in own_line(error.value)


def test_nothing_is_raised_while_the_end_of_a_block_is_noted(monkeypatch):
    class Slow(threading.Event):
        """The end takes a while in which the time is over, and over again."""

        def set(self):
            until = time.monotonic() + 0.3
            while time.monotonic() < until:
                pass
            super().set()

    names = SimpleNamespace(**{**vars(threading), "Event": Slow})
    monkeypatch.setattr(running, "threading", names)
    monkeypatch.setattr(running, "AGAIN", 0.01)
    for _ in range(3):
        with time_limit(0.02):
            pass
        with pytest.raises(TimeLimitExceeded), time_limit(0.02):
            endless()
    assert shortest_limit() == float("inf")
