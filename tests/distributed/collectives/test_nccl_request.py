from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace

import pytest

from edutorch import distributed as dist
from edutorch.distributed import DistBackendError
from edutorch.distributed.collectives.nccl_request import NcclRequest
from edutorch.distributed.collectives.work import Work


class Communicator:
    """One whose work never ends, and perhaps fails."""

    def __init__(self, error=None):
        self.error, self.aborted = error, False

    def check_async_error(self):
        if self.error is not None:
            raise self.error

    def abort(self):
        self.aborted = True


def request(error=None, done=False):
    return NcclRequest(Communicator(error), SimpleNamespace(done=done))


def test_work_has_ended_when_its_event_is_done():
    assert request(done=True).Test() is True
    assert request().Test() is False


def test_error_of_nccl_is_one_of_the_backend():
    with pytest.raises(DistBackendError, match="NCCL refused: NCCL_ERROR_REMOTE"):
        request(RuntimeError("NCCL_ERROR_REMOTE")).Test()


def test_failed_work_is_aborted_on_this_gpu(alone):
    group = dist.group.WORLD
    group.start_collective("all_reduce()")
    failing = request(RuntimeError("NCCL_ERROR_REMOTE"))
    work = Work(group, "all_reduce()", [failing])
    with pytest.raises(DistBackendError, match="on rank 0 failed: NCCL refused"):
        work.wait()
    assert failing.communicator.aborted


def test_work_that_takes_too_long_is_aborted(alone):
    group = dist.group.WORLD
    group.start_collective("all_reduce()")
    endless = request()
    work = Work(group, "all_reduce()", [endless])
    with pytest.raises(DistBackendError, match="timed out after 0.1 s"):
        work.wait(timedelta(seconds=0.1))
    assert endless.communicator.aborted
