"""Several processes that run one function."""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import signal
import time
from pathlib import Path

import pytest

import edutorch.multiprocessing as mp

pytestmark = pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
PATIENCE = 60


def write(rank, folder):
    (folder / str(rank)).touch()


def fail(rank):
    if rank == 1:
        raise ValueError(f"from rank {rank}")
    time.sleep(PATIENCE)


def leave(rank, how):
    if rank == 1:
        how()
    time.sleep(PATIENCE)


def is_killed():
    os.kill(os.getpid(), signal.SIGKILL)


def exits():
    os._exit(3)


@pytest.fixture(autouse=True)
def nobody_is_left():
    before = set(multiprocessing.active_children())
    yield
    assert set(multiprocessing.active_children()) <= before


def test_every_process_runs_the_function(tmp_path):
    mp.start_processes(write, (tmp_path,), nprocs=3, start_method="fork")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["0", "1", "2"]


def test_exception_comes_with_its_traceback_and_ends_the_others():
    with pytest.raises(mp.ProcessRaisedException, match="from rank 1") as found:
        mp.start_processes(fail, nprocs=2, start_method="fork")
    assert "Process 1 terminated with the following error" in str(found.value)
    assert found.value.error_index == 1


@pytest.mark.parametrize(
    ("how", "text", "code", "name"),
    [
        (is_killed, "process 1 terminated with signal SIGKILL", -9, "SIGKILL"),
        (exits, "process 1 terminated with exit code 3", 3, None),
    ],
)
def test_death_is_reported(how, text, code, name):
    with pytest.raises(mp.ProcessExitedException, match=text) as found:
        mp.start_processes(leave, (how,), nprocs=2, start_method="fork")
    assert (found.value.exit_code, found.value.signal_name) == (code, name)


def test_context_is_joined_later(tmp_path):
    context = mp.start_processes(
        write, (tmp_path,), nprocs=2, join=False, start_method="fork"
    )
    assert len(context.pids()) == 2
    until = time.monotonic() + PATIENCE
    while not context.join(timeout=1.0) and time.monotonic() < until:
        pass
    assert len(list(tmp_path.iterdir())) == 2


def test_folder_of_error_files_is_private_and_goes_with_the_context(tmp_path):
    context = mp.start_processes(write, (tmp_path,), join=False, start_method="fork")
    folder = Path(context.error_files[0]).parent
    assert folder.stat().st_mode & 0o777 == 0o700
    while not context.join():
        pass
    del context
    gc.collect()
    assert not folder.exists()


def test_spawn_warns_of_other_methods():
    with pytest.warns(FutureWarning, match="only supports start_method=spawn"):
        mp.spawn(print, nprocs=0, start_method="fork")


def test_exceptions_can_be_sent():
    error = mp.ProcessExitedException("gone", 1, 4711, -9, "SIGKILL")
    again = pickle.loads(pickle.dumps(error))
    assert (again.msg, again.error_pid, again.exit_code) == ("gone", 4711, -9)
