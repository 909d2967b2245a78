"""Workers in trouble: the right exception, and nobody is left."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import signal
import time
from pathlib import Path

import pytest

import edutorch

pytestmark = pytest.mark.filterwarnings(
    "ignore:This process:DeprecationWarning", "ignore:This DataLoader will create"
)


class Trouble(edutorch.utils.data.Dataset):
    """Item 5 misbehaves."""

    def __init__(self, act):
        self.act = act

    def __len__(self):
        return 8

    def __getitem__(self, i):
        return self.act() if i == 5 else i


def exits():
    os._exit(3)


def is_killed():
    os.kill(os.getpid(), signal.SIGKILL)


def hangs():
    time.sleep(600)


def cannot_be_sent():
    return lambda: 0


class OddError(Exception):
    """Cannot be made from one string."""

    def __init__(self, a, b):
        super().__init__(f"{a} and {b}")


def raises_what_cannot_be_rebuilt():
    raise OddError(1, 2)


def raises_what_cannot_be_named():
    class HiddenError(Exception):
        pass

    raise HiddenError("deep inside")


def epoch(act, timeout=60, **options):
    return list(
        edutorch.utils.data.DataLoader(
            Trouble(act), num_workers=2, timeout=timeout, batch_size=None, **options
        )
    )


@pytest.fixture(autouse=True)
def nobody_is_left():
    before = set(multiprocessing.active_children())
    yield
    gc.collect()
    assert set(multiprocessing.active_children()) <= before


@pytest.mark.parametrize("kept", [False, True])
@pytest.mark.parametrize(
    ("act", "note"), [(exits, "exit code is 3"), (is_killed, "killed by SIGKILL")]
)
def test_worker_that_dies_is_told_of(act, note, kept):
    with pytest.raises(RuntimeError, match=r"\(pid\(s\) \d+\) exited unexpected") as e:
        epoch(act, persistent_workers=kept)
    assert note in e.value.__notes__[0]


def test_worker_that_hangs_is_ended_after_the_timeout():
    with pytest.raises(RuntimeError, match="DataLoader timed out after 1 seconds"):
        epoch(hangs, timeout=1)


@pytest.mark.parametrize(
    ("act", "text"),
    [
        (cannot_be_sent, "Can't pickle|Can't get local object"),
        (
            raises_what_cannot_be_rebuilt,
            "Caught OddError in DataLoader worker process 1",
        ),
        (raises_what_cannot_be_named, "deep inside"),
    ],
)
def test_what_cannot_be_sent_is_raised_as_text(act, text):
    with pytest.raises(Exception, match=text):
        epoch(act)


def test_loop_that_is_left_early_ends_its_workers():
    for i in edutorch.utils.data.DataLoader(range(100), num_workers=2, timeout=60):
        if i == 1:
            break


def test_next_epoch_after_a_death_has_new_workers(tmp_path):
    trace = tmp_path / "died"

    def once():
        if not trace.exists():
            trace.touch()
            os._exit(1)
        return 5

    loader = edutorch.utils.data.DataLoader(
        Trouble(once), num_workers=2, timeout=60, batch_size=None,
        persistent_workers=True,
    )  # fmt: skip
    with pytest.raises(RuntimeError, match="exited unexpectedly"):
        list(loader)
    assert list(loader) == list(range(8))


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="looks into /proc")
def test_workers_of_a_killed_process_end():
    heard, told = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            _tell_of_workers(told)
        finally:
            os._exit(0)
    pids = [int(p) for p in os.read(heard, 100).split()]
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(heard)
    os.close(told)
    until = time.monotonic() + 30
    while any(map(_runs, pids)) and time.monotonic() < until:
        time.sleep(0.02)
    assert len(pids) == 2
    assert not any(map(_runs, pids))


def _tell_of_workers(pipe):
    """Start workers, write their numbers, wait to be killed."""
    batches = iter(edutorch.utils.data.DataLoader(range(9), num_workers=2))
    next(batches)
    pids = [str(w.process.pid) for w in batches.pool.workers]
    os.write(pipe, " ".join(pids).encode())
    time.sleep(60)


def _runs(pid):
    """Whether a process is there and no zombie."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False
    return text.rpartition(")")[2].split()[0] != "Z"


def test_ctrl_c_as_soon_as_a_worker_runs_leaves_none(monkeypatch):
    @contextlib.contextmanager
    def interrupted():
        yield
        raise KeyboardInterrupt

    monkeypatch.setattr(edutorch.utils.data.worker_pool, "before_fork", interrupted)
    with pytest.raises(KeyboardInterrupt):
        list(edutorch.utils.data.DataLoader(range(8), num_workers=2))
    assert multiprocessing.active_children() == []


def test_ctrl_c_while_workers_are_waited_for_leaves_none(monkeypatch):
    batches = iter(edutorch.utils.data.DataLoader(Trouble(hangs), num_workers=2))
    next(batches)
    pool = batches.pool

    def interrupted(ends, timeout):
        monkeypatch.undo()
        raise KeyboardInterrupt

    monkeypatch.setattr(edutorch.utils.data.worker_pool, "wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        pool.end()
    assert multiprocessing.active_children() == []
    assert pool.workers == []


def test_ctrl_c_between_the_end_of_a_worker_and_its_note_leaves_none(monkeypatch):
    batches = iter(edutorch.utils.data.DataLoader(range(8), num_workers=2))
    next(batches)
    waitpid = os.waitpid

    def reap(pid, options):
        answer = waitpid(pid, options)
        if answer[0]:
            monkeypatch.undo()
            signal.raise_signal(signal.SIGINT)
        return answer

    monkeypatch.setattr(os, "waitpid", reap)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            batches.pool.end()
    finally:
        signal.signal(signal.SIGINT, before)
    assert batches.pool.workers == []
    assert multiprocessing.active_children() == []


def test_worker_that_somebody_else_has_reaped_is_let_go():
    batches = iter(edutorch.utils.data.DataLoader(range(8), num_workers=1))
    next(batches)
    process = batches.pool.workers[0].process
    process.kill()
    os.waitpid(process.pid, 0)
    batches.pool.end()
    assert batches.pool.workers == []
    multiprocessing.process._children.discard(process)  # it is believed to live


def test_interrupt_while_a_worker_starts_comes_when_it_has_started(monkeypatch):
    """Python loses what handlers around a fork raise, and `logging` holds its lock."""
    at_fork = []

    def interrupt():
        if not at_fork:
            at_fork.append(os.getpid())
            signal.raise_signal(signal.SIGINT)

    os.register_at_fork(after_in_parent=interrupt)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            iter(
                edutorch.utils.data.DataLoader(
                    range(4), num_workers=1, multiprocessing_context="fork"
                )
            )
    finally:
        signal.signal(signal.SIGINT, before)
    assert at_fork == [os.getpid()]
    assert not multiprocessing.active_children()
