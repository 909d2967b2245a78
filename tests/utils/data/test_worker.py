"""What a worker process does, asked in a thread of this one."""

from __future__ import annotations

import random
from multiprocessing import Pipe
from queue import SimpleQueue

import numpy as np

import edutorch
from edutorch.utils.data import worker
from edutorch.utils.data.fetch import FetchSettings
from edutorch.utils.data.messages import receive


def served(messages, data, start=None, iterable=False):
    """The answers of a worker to some messages."""
    settings = worker.WorkerSettings(
        FetchSettings(data, list, True, False, iterable), 0, start, 1
    )
    inbox, (ours, theirs) = SimpleQueue(), Pipe(duplex=False)
    for message in (*messages, None):
        inbox.put(message)
    worker._make_batches(settings, 0, inbox, theirs)
    theirs.close()
    answers = []
    while True:
        try:
            answers.append(receive(ours))
        except EOFError:
            return answers


def test_worker_answers_tasks_by_their_numbers():
    found = served([("task", 4, [0, 1]), ("task", 7, [2])], "abc")
    assert found == [("batch", 4, ["a", "b"]), ("batch", 7, ["c"])]


def test_worker_begins_a_stream_anew():
    ask = ("task", 0, [None, None])
    found = served([ask, ask, ask, ("new_epoch", None, None), ask], [5], iterable=True)
    kinds = [kind for kind, _, _ in found]
    assert kinds == ["batch", "end", "new_epoch", "batch"]


def test_worker_that_cannot_begin_says_so_for_every_task():
    def start(number):
        raise ValueError("not today")

    found = served([("task", 0, [0]), ("task", 1, [0])], "a", start)
    assert [kind for kind, _, _ in found] == ["failed", "failed"]
    assert "not today" in found[1][2].text


def test_worker_that_cannot_send_a_batch_says_so():
    (kind, number, failure), = served([("task", 3, [0])], [lambda: 0])  # fmt: skip
    assert (kind, number) == ("failed", 3)
    assert "worker process 0" in failure.where


def test_workers_seed_every_library():
    legacy = np.random
    before = legacy.get_state(), edutorch.get_rng_state(), random.getstate()
    try:
        worker._seed(2**40 + 7, 3)
        assert edutorch.initial_seed() == 2**40 + 10
        assert round(legacy.rand(), 6) == 0.32838
        assert random.random() == random.Random(2**40 + 10).random()
    finally:
        legacy.set_state(before[0])
        edutorch.set_rng_state(before[1])
        random.setstate(before[2])


def test_main_process_is_no_worker():
    assert edutorch.utils.data.get_worker_info() is None
