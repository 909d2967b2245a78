"""The processes of one machine."""

from __future__ import annotations

import pytest

from edutorch.distributed.launcher.options import parse_options
from edutorch.distributed.launcher.workers import Workers
from tests.distributed.launching import environment


def started(*codes):
    """Processes that follow instructions, one after the other."""
    options = parse_options(["--no-python", "sh", "-c", 'eval "$DO"'])
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
