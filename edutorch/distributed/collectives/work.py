"""`Work`: a collective in progress; waiting for it always ends."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from ...futures import Future
from ..errors import DistBackendError
from ..world.mpi_world import FAILURE_NOTICE_SECONDS
from .fingerprints import Fingerprint
from .nccl_request import NcclRequest

if TYPE_CHECKING:
    from ..groups.process_group import ProcessGroup

__all__ = ["Work"]

SPIN_SECONDS = 0.002  # seconds of polling MPI without pauses; then pauses become longer
LONGEST_SLEEP = 0.001
FAILURE_CHECK_INTERVAL = 0.05  # seconds between two checks that all ranks are alive


class Work:
    """A collective in progress.

    MPI is polled for completion: a blocking call could not be left after a rank has
    died.

    Args:
        group: the group that takes part.
        name: of the collective, for messages.
        requests: of MPI.
        finish: called once when they have ended; its value is the result.
        keep: memory that MPI reads or writes.
        check: the comparison of the ranks' calls.
        ranks: whom it waits for (global numbers); by default the whole group.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> x = torch.ones(2)
        >>> work = dist.all_reduce(x, async_op=True)
        >>> work.wait(), work.is_success()
        (True, True)
        >>> work.get_future().then(lambda done: done.value()[0] * 2).wait()
        tensor([2., 2.])
        >>> dist.destroy_process_group()
    """

    def __init__(
        self,
        group: ProcessGroup,
        name: str,
        requests: Sequence[Any],
        finish: Callable[[], Any] | None = None,
        ranks: Sequence[int] | None = None,
        keep: Any = None,
        check: Fingerprint | None = None,
    ) -> None:
        self._group, self._name = group, name
        self._requests = list(requests)
        self._finish = finish
        self._ranks = group.ranks if ranks is None else ranks
        self._check = check
        self._keep = keep  # memory that MPI reads or writes
        self._result: Any = None
        self._error: Exception | None = None
        self._done = False
        self._future: Future[Any] | None = None
        if not self._requests:
            self._complete()

    def is_completed(self) -> bool:
        """Whether it has ended; polls MPI and does not wait."""
        if not self._done:
            self._poll()
        return self._done

    def is_success(self) -> bool:
        """Whether it has ended successfully."""
        return self.is_completed() and self._error is None

    def exception(self) -> Exception | None:
        """The exception with which it failed, or None."""
        return self._error

    def wait(self, timeout: timedelta | None = None) -> bool:
        """Wait until it has ended.

        Raises:
            DistBackendError: if it takes longer than `timeout` (that of the group by
                default), or a rank that it needs is gone.
        """
        limit = self._group.timeout if timeout is None else timeout
        self._wait(limit.total_seconds())
        if self._error is not None:
            raise self._error
        return True

    def synchronize(self) -> None:
        """The same as `wait`."""
        self.wait()

    def result(self) -> Any:
        """The result: the tensors that were written."""
        self.wait()
        return self._result

    def get_future(self) -> Future[Any]:
        """A future of the result, a list of tensors; its `wait` waits for this work."""
        if self._future is None:
            self._future = WorkFuture(self)
            if self._done:
                self._complete_future()
        return self._future

    # ---- waiting

    def _wait(self, seconds: float) -> None:
        """Poll MPI, first in a tight loop, until the work has ended or has failed."""
        started = time.monotonic()
        look_at = started + FAILURE_CHECK_INTERVAL
        pause = 0.0
        while not self._done:
            self._poll()
            if self._done:
                return
            now = time.monotonic()
            if now >= look_at:
                look_at = now + FAILURE_CHECK_INTERVAL
                self._check_failures(now - started, seconds)
            if now - started < SPIN_SECONDS:
                os.sched_yield()
            else:
                pause = min(LONGEST_SLEEP, pause + 2e-5)
                time.sleep(pause)

    def _poll(self) -> None:
        mpi_error = self._group.world.mpi.Exception
        try:
            if self._check is not None and not self._fingerprints_match(self._check):
                return
            while self._requests:
                if not self._test(self._requests[0]):
                    return
                self._requests.pop(0)
        except mpi_error as error:
            self._fail(self._describe_error(error))
            return
        except DistBackendError as error:  # raised by NCCL
            self._fail(self._named_failure() or str(error))
            return
        self._complete()

    def _fingerprints_match(self, check: Fingerprint) -> bool:
        """Whether all ranks are known to call the same collective."""
        if not check.request.Test():
            return False
        text = check.mismatch(self._group.ranks)
        self._check = None
        if text is not None:
            self._fail(text)
        return text is None

    def _test(self, request: Any) -> bool:
        return bool(request.Test())

    def _complete(self) -> None:
        """Finish the work: compute its result, or keep the error."""
        self._done = True
        self._group.completed += 1
        if self._finish is not None:
            try:
                self._result = self._finish()
            except RuntimeError as error:
                self._error = error
        self._keep = self._finish = None
        self._complete_future()

    def _check_failures(self, waited: float, limit: float) -> None:
        """Fail if a rank is gone or the timeout has passed."""
        world = self._group.world
        if failure := world.find_failure(self._ranks):
            self._fail(failure)
        elif waited > limit:
            self._fail(self._group.timeout_report(self._ranks, limit))

    def _fail(self, why: str) -> None:
        world = self._group.world
        world.failure = world.failure or why
        world.abandoned_requests.append(
            (self._requests, self._keep, self._check)
        )  # MPI may still write to this memory
        for request in self._requests:
            if isinstance(request, NcclRequest):
                request.abort()
        self._done = True
        self._error = DistBackendError(
            f"{self._name} in {self._group.describe()} on rank {world.rank} failed: "
            f"{why}"
        )
        self._complete_future()

    def _describe_error(self, error: Any) -> str:
        """The message for an error of MPI."""
        if error.Get_error_class() == self._group.world.mpi.ERR_TRUNCATE:
            return "a message is larger than the tensor that it is for"
        return self._named_failure() or f"MPI refused: {error}"

    def _named_failure(self) -> str | None:
        """The coordinator's report of a failed rank; MPI's error may come earlier."""
        until = time.monotonic() + FAILURE_NOTICE_SECONDS
        while time.monotonic() < until:
            if failure := self._group.world.find_failure(self._ranks):
                return failure
            time.sleep(LONGEST_SLEEP)
        return None

    def _complete_future(self) -> None:
        if self._future is not None and not self._future.done():
            if self._error is not None:
                self._future.set_exception(self._error)
            else:
                self._future.set_result(self._result)


class WorkFuture(Future[Any]):
    """The future of a collective; waiting for it polls MPI."""

    def __init__(self, work: Work) -> None:
        super().__init__()
        self._work = work

    def done(self) -> bool:
        """Whether the collective has ended."""
        return super().done() or (self._work.is_completed() and super().done())

    def _following(self) -> Future[Any]:
        return WorkFuture(self._work)

    def wait(self) -> Any:
        """The result, once the collective has ended."""
        if not super().done():
            self._work._wait(self._work._group.timeout.total_seconds())
        return super().wait()
