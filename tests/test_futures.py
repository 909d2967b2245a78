"""Futures behave as PyTorch's."""

from __future__ import annotations

import threading

import pytest

import edutorch
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def results(torch):
    new, seen = torch.futures.Future, []
    first, last = new(), new()
    both = torch.futures.collect_all([first, last])
    later = first.then(lambda f: f.wait() + 1)
    first.add_done_callback(lambda f: seen.append(f.value()))
    found = [first.done(), both.done()]
    first.set_result(3)
    last.set_result("x")
    first.add_done_callback(lambda f: seen.append("at once"))
    return [
        *found, first.done(), first.wait(), first.value(), later.wait(), seen,
        torch.futures.wait_all([first, last]), both.wait() == [first, last],
        torch.futures.collect_all([]).wait(),
    ]  # fmt: skip


@programs.add
def failures(torch):
    failed = torch.futures.Future()
    failed.set_exception(ValueError("x"))
    later = failed.then(lambda f: f.wait())
    return [
        attempt(failed.wait), attempt(failed.value), attempt(later.wait),
        attempt(lambda: failed.set_result(1)),
        attempt(lambda: torch.futures.Future().set_exception(3)),
        attempt(lambda: torch.futures.wait_all([failed])),
    ]  # fmt: skip


programs.test()


def test_results_of_other_threads_are_waited_for():
    future = edutorch.futures.Future()
    thread = threading.Thread(target=lambda: future.set_result(5))
    thread.start()
    assert future.wait() == 5
    thread.join()
    with pytest.raises(RuntimeError, match="not completed"):
        edutorch.futures.Future().value()
    assert repr(future).startswith("<torch.Future object at 0x")
