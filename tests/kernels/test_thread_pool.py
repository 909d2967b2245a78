"""The thread pool runs everything once, passes on errors, and does not nest."""

import os
import threading
import time
import weakref
from contextlib import contextmanager

import numpy as np
import pytest

from edutorch.backends import threads
from edutorch.free_cores import FreeCores
from edutorch.kernels import thread_pool


@pytest.fixture
def three_threads(monkeypatch):
    monkeypatch.setattr(thread_pool, "get_num_threads", lambda: 3)
    # also while other processes take cores
    monkeypatch.setattr(thread_pool, "cores", FreeCores(enabled=False))


def test_run_does_every_task_once(three_threads):
    done = []
    thread_pool.parallel_for(done.append, 100, uses_blas=True)
    assert sorted(done) == list(range(100))


def test_run_is_shared_with_other_threads(three_threads):
    met = threading.Barrier(3, timeout=20)
    thread_pool.parallel_for(lambda i: met.wait(), 3, uses_blas=True)
    assert not met.broken


@pytest.mark.parametrize(
    ("thread", "order"),
    [
        (0, [0, 1, 2, 3, 4, 5, 6]),
        (1, [2, 3, 4, 5, 6, 0, 1]),
        (2, [4, 5, 6, 0, 1, 2, 3]),
    ],
)
def test_thread_begins_with_its_own_chunk(thread, order):
    done = []
    thread_pool._Job(done.append, 7, 3).work(thread)
    assert done == order


def test_run_raises_what_a_task_raises(three_threads):
    def task(i):
        if i == 5:
            raise ValueError("task 5")

    with pytest.raises(ValueError, match="task 5"):
        thread_pool.parallel_for(task, 20, uses_blas=True)
    test_run_does_every_task_once(None)


def test_run_inside_the_pool_is_serial(three_threads):
    seen = []

    def outer(i):
        me = threading.get_ident()
        thread_pool.parallel_for(
            lambda j: seen.append(threading.get_ident() == me), 4, uses_blas=True
        )

    thread_pool.parallel_for(outer, 6, uses_blas=True)
    assert seen == [True] * 24


def test_in_blocks_covers_everything_in_order_of_size(three_threads):
    slices = []
    thread_pool.parallel_blocks(slices.append, 21, 1e9, uses_blas=False)
    covered = sorted(i for s in slices for i in range(21)[s])
    assert covered == list(range(21))
    assert len(slices) > 1


@pytest.mark.parametrize("uses_blas", [False, True])
def test_matrix_products_inside_the_pool_use_one_thread_each(three_threads, uses_blas):
    seen = []
    with threads_of_products(2):
        thread_pool.parallel_blocks(
            lambda part: seen.append(threads.get_num_threads()),
            9,
            1e9,
            uses_blas=uses_blas,
        )
        assert threads.get_num_threads() == 2
    assert set(seen) == {1 if uses_blas else 2}


@contextmanager
def threads_of_products(n):
    before = threads.get_num_threads()
    threads.set_num_threads(n)
    yield
    threads.set_num_threads(before)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_run_in_a_forked_process_is_serial(three_threads):
    test_run_does_every_task_once(None)
    child = os.fork()
    if not child:
        done = []
        thread_pool.parallel_for(done.append, 10, uses_blas=True)
        os._exit(done != list(range(10)))
    assert os.waitpid(child, 0)[1] == 0


def test_pool_is_free_after_an_interrupt_at_any_line(three_threads, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    for name in ("_try_acquire", "_start_threads", "blas_threads"):
        with monkeypatch.context() as patch:
            patch.setattr(thread_pool, name, interrupted)
            with pytest.raises(KeyboardInterrupt):
                thread_pool.parallel_for(abs, 10, uses_blas=True)
        assert thread_pool._current is None


def test_queues_are_served_before_jobs_are_sent(three_threads, monkeypatch):
    class Unstarted:
        def __init__(self, **_):
            pass

        def start(self):
            raise KeyboardInterrupt

    monkeypatch.setattr(thread_pool, "_queues", [])
    monkeypatch.setattr(thread_pool.threading, "Thread", Unstarted)
    with pytest.raises(KeyboardInterrupt):
        thread_pool.parallel_for(abs, 10, uses_blas=True)
    assert thread_pool._queues == []


def test_finished_jobs_are_let_go(three_threads):
    class Work:
        def __call__(self, i):
            return i

    work = Work()
    gone = weakref.ref(work)
    thread_pool.parallel_for(work, 10, uses_blas=True)
    del work
    deadline = time.monotonic() + 10  # a thread may still look at it
    while gone() is not None and time.monotonic() < deadline:
        thread_pool.parallel_for(abs, 10, uses_blas=True)
    assert gone() is None


def test_thread_that_comes_late_holds_no_arrays(three_threads, monkeypatch):
    jobs = []  # as in the queue of such a thread
    acquire = thread_pool._try_acquire
    monkeypatch.setattr(
        thread_pool, "_try_acquire", lambda job: jobs.append(job) or acquire(job)
    )
    array = np.ones(4)
    held = weakref.ref(array)
    thread_pool.parallel_for(array.__getitem__, 4, uses_blas=False)
    del array
    assert jobs and held() is None
    jobs[0].work(1)


def test_tasks_that_are_left_are_skipped_after_an_interrupt(three_threads):
    begun = []

    def task(i):
        begun.append(i)
        time.sleep(0.01)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        thread_pool.parallel_for(task, 50, uses_blas=True)
    assert len(begun) <= 3
    assert thread_pool._current is None
