"""MPI_COMM_SELF without MPI: a communicator of this process alone.

The two classes have the names of mpi4py that collectives use, so that a program of one
process runs through the same lines as one of many.
"""

from __future__ import annotations

from typing import Any

from ..errors import DistBackendError

__all__ = ["CommSelf", "SelfMPI"]


class MPIError(Exception):
    """Never raised: requests that have ended do not fail."""


class SelfMPI:
    """What collectives take from the module `mpi4py.MPI`."""

    IN_PLACE = None
    ANY_SOURCE = -1
    BYTE = "BYTE"
    SUM = PROD = MIN = MAX = BAND = BOR = BXOR = "a reduction of one value is the value"
    ERR_TRUNCATE = 0

    Exception = MPIError

    class Status:
        """Of a message, which nobody has sent."""

    @staticmethod
    def Is_finalized() -> bool:
        """There is nothing to finalize."""
        return True


class CompletedRequest:
    """A request that has ended."""

    @staticmethod
    def Test() -> bool:
        """Whether it has ended."""
        return True


class PendingRequest:
    """A message from another rank, of which there is none."""

    @staticmethod
    def Test(status: Any = None) -> bool:
        """Whether it has come."""
        return False


def _copy(given: Any, into: Any) -> CompletedRequest:
    """Copy what a collective sends to where the same rank receives it.

    Args:
        given, into: arrays, or lists of an array and the sizes of its parts.
    """
    given, into = (x[0] if isinstance(x, list) else x for x in (given, into))
    if given.nbytes != into.nbytes:
        raise DistBackendError(
            f"a message of {given.nbytes} bytes does not fit the tensor that it is "
            f"for, of {into.nbytes} bytes"
        )
    into.reshape(-1)[:] = given.reshape(-1)
    return CompletedRequest()


class CommSelf:
    """A communicator of one rank, with mpi4py's methods.

    Example:
        >>> import numpy as np
        >>> comm, got = CommSelf(), np.zeros(2)
        >>> comm.Iallgather(np.ones(2), got).Test(), got
        (True, array([1., 1.]))
    """

    rank, size = 0, 1

    def Dup(self) -> CommSelf:
        """The communicator of another group of the same rank."""
        return CommSelf()

    def Get_group(self) -> CommSelf:
        """Its ranks."""
        return self

    def Incl(self, ranks: list[int]) -> CommSelf:
        """Some of its ranks, of which there is one."""
        return self

    def Create_group(self, group: Any, tag: int = 0) -> CommSelf:
        """The communicator of some ranks."""
        return CommSelf()

    def Free(self) -> None:
        """Do nothing: there is nothing to free."""

    def Ibarrier(self) -> CompletedRequest:
        """A barrier that is already complete."""
        return CompletedRequest()

    def Ibcast(self, array: Any, root: int) -> CompletedRequest:
        """The source has its own values."""
        return CompletedRequest()

    def Iallreduce(self, in_place: None, array: Any, op: Any) -> CompletedRequest:
        """The sum of one array is the array."""
        return CompletedRequest()

    def Ireduce(
        self, in_place: None, array: Any, op: Any, root: int
    ) -> CompletedRequest:
        """The sum of one array is the array."""
        return CompletedRequest()

    def Ireduce_scatter_block(self, given: Any, into: Any, op: Any) -> CompletedRequest:
        """The sum of one array is the array, and its only part is for this rank."""
        return _copy(given, into)

    def Iallgather(self, given: Any, into: Any) -> CompletedRequest:
        """Copy this rank's values: there are no others."""
        return _copy(given, into)

    Iallgatherv = Ialltoallv = Iallgather

    def Igatherv(self, given: Any, into: Any, root: int) -> CompletedRequest:
        """Copy this rank's values: there are no others."""
        return _copy(given, into)

    Iscatter = Igatherv

    def Irecv(self, array: Any, source: int, tag: int) -> PendingRequest:
        """There is nobody who could send: the wait for it ends with the time limit."""
        return PendingRequest()
