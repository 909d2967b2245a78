"""The processes of one machine."""

from __future__ import annotations

import signal
import time

import pytest

from edutorch.distributed.launcher.options import parse_options
from edutorch.distributed.launcher.workers import Workers
from tests.distributed.launching import environment


def started(*codes, flags=()):
    """Processes that follow instructions, one after the other."""
    options = parse_options([*flags, "--no-python", "sh", "-c", 'eval "$DO"'])
    environments = [environment(DO=do, RANK=str(i)) for i, do in enumerate(codes)]
    return Workers(environments, options, 0)


def waited(workers):
    while workers.running():
        pass
    return workers.failure()


def test_workers_that_end_well_have_no_failure():
    assert waited(started("exit 0", "true")) is None


@pytest.mark.parametrize(
    ("do", "text"),
    [("exit 3", "failed with exit code 3"), ("kill -9 $$", "was killed by SIGKILL")],
)
def test_workers_say_who_has_failed_and_how(do, text):
    failure = waited(started("true", do))
    assert failure is not None
    assert failure.startswith("rank 1 (local rank 1, pid ")
    assert failure.endswith(text)


def test_workers_name_the_cause_before_its_effects():
    failure = waited(started("exit 1", "kill -TERM $$", "kill -9 $$"))
    assert failure is not None
    assert failure.startswith("rank 2 ")


def test_workers_that_do_not_listen_are_ended():
    workers = started("trap '' TERM; sleep 60", "sleep 60")
    assert workers.running()
    workers.terminate()
    assert not workers.running()


def test_workers_have_the_shutdown_timeout_to_end(tmp_path, monkeypatch):
    monkeypatch.setenv("TORCH_ELASTIC_SHUTDOWN_TIMEOUT", "600")
    ready = tmp_path / "ready"
    workers = started(
        f"trap '' TERM; touch {ready}; sleep 600", flags=["--shutdown-timeout", "0.2"]
    )
    while not ready.exists():
        time.sleep(0.01)
    begun = time.monotonic()
    workers.terminate()
    assert not workers.running()
    assert 0.2 <= time.monotonic() - begun < 60


def test_workers_without_time_to_end_have_ended_when_they_are_killed():
    workers = started("sleep 600", "sleep 600", flags=["--shutdown-timeout", "0"])
    workers.terminate()
    assert not workers.running()


def test_workers_get_the_signal_of_the_launcher_first(tmp_path):
    ready, got = tmp_path / "ready", tmp_path / "got"
    workers = started(
        f"trap 'touch {got}; exit 0' USR1; touch {ready}; while :; do sleep 0.01; done",
        flags=["--shutdown-timeout", "60"],
    )
    while not ready.exists():
        time.sleep(0.01)
    workers.terminate(signal.SIGUSR1)
    assert got.exists()
    assert workers.failure() is None


def test_script_of_run_path_sees_its_own_arguments(tmp_path):
    script = tmp_path / "script.py"
    seen = tmp_path / "seen"
    script.write_text(
        "import sys\nfrom pathlib import Path\n"
        "Path(sys.argv[1]).write_text(f'{__name__} {__file__} {sys.argv[0]}')\n"
    )
    options = parse_options(["--run-path", str(script), str(seen)])
    assert waited(Workers([environment(RANK="0")], options, 0)) is None
    assert seen.read_text() == f"__main__ {script} {script}"
