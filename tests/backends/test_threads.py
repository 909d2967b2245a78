"""How many threads matrix products use."""

import pytest

import edutorch as torch
from edutorch.backends import threads
from edutorch.backends.threads import blas_threads


def test_threads_set_are_read_back():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        assert torch.get_num_threads() == 1
    finally:
        torch.set_num_threads(before)
    assert torch.get_num_threads() == before


def test_threads_between_operations_are_one():
    torch.set_num_interop_threads(4)
    assert torch.get_num_interop_threads() == 1


@pytest.mark.parametrize("function", ["set_num_threads", "set_num_interop_threads"])
def test_threads_below_one_are_refused(function):
    with pytest.raises(RuntimeError, match=f"{function} expects a positive integer"):
        getattr(torch, function)(0)


def test_limits_of_overlapping_blocks_end_with_the_last():
    before = torch.get_num_threads()
    first, second = blas_threads(1), blas_threads(1)
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert torch.get_num_threads() == 1
    second.__exit__(None, None, None)
    assert torch.get_num_threads() == before


def test_threads_are_left_as_they_are_if_products_do_not_end(monkeypatch, tmp_path):
    monkeypatch.setattr(threads, "TASKS", tmp_path)  # a system that lists threads
    monkeypatch.setattr(threads, "_wait_for_products", lambda: False)
    monkeypatch.setattr(threads.threading, "active_count", lambda: 2)
    monkeypatch.setattr(threads, "sleep_soon", lambda: pytest.fail("products run"))
    threads.sleep_between_products()
    with threads.before_fork() as ended:
        assert not ended
