"""A world of one rank, which needs no MPI: whatever it sends, it has already.

The two classes have the names of mpi4py that collectives use, so that a program of one
process runs through the same lines as one of many.
"""

from __future__ import annotations

from typing import Any

from ..errors import DistBackendError

__all__ = ["LoneCommunicator", "LoneMPI"]


class MPIError(Exception):
    """Never raised: requests that have ended do not fail."""


class LoneMPI:
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
    def Is_finalized() -> bool:  # noqa: N802 (mpi4py's name)
        """There is nothing to finalize."""
        return True


class Ended:
    """A request that has ended."""

    @staticmethod
    def Test() -> bool:  # noqa: N802 (mpi4py's name)
        """Whether it has ended."""
        return True


class Never:
    """A message from another rank, of which there is none."""

    @staticmethod
    def Test(status: Any = None) -> bool:  # noqa: N802 (mpi4py's name)
        """Whether it has come."""
        return False


def _move(given: Any, into: Any) -> Ended:
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
    return Ended()


class LoneCommunicator:
    """A communicator of one rank, with mpi4py's methods.

    Example:
        >>> import numpy as np
        >>> comm, got = LoneCommunicator(), np.zeros(2)
        >>> comm.Iallgather(np.ones(2), got).Test(), got
        (True, array([1., 1.]))
    """

    rank, size = 0, 1

    def Dup(self) -> LoneCommunicator:  # noqa: N802 (mpi4py's names from here on)
        """The communicator of another group of the same rank."""
        return LoneCommunicator()

    def Get_group(self) -> LoneCommunicator:  # noqa: N802
        """Its ranks."""
        return self

    def Incl(self, ranks: list[int]) -> LoneCommunicator:  # noqa: N802
        """Some of its ranks: there is but one."""
        return self

    def Create_group(self, group: Any, tag: int = 0) -> LoneCommunicator:  # noqa: N802
        """The communicator of some ranks."""
        return LoneCommunicator()

    def Free(self) -> None:  # noqa: N802
        """Nothing to give back."""

    def Ibarrier(self) -> Ended:  # noqa: N802
        """All have come."""
        return Ended()

    def Ibcast(self, array: Any, root: int) -> Ended:  # noqa: N802
        """The source has its own values."""
        return Ended()

    def Iallreduce(self, in_place: None, array: Any, op: Any) -> Ended:  # noqa: N802
        """The sum of one array is the array."""
        return Ended()

    def Ireduce(self, in_place: None, array: Any, op: Any, root: int) -> Ended:  # noqa: N802
        """The sum of one array is the array."""
        return Ended()

    def Ireduce_scatter_block(self, given: Any, into: Any, op: Any) -> Ended:  # noqa: N802
        """The sum of one array is the array, and its only part is for this rank."""
        return _move(given, into)

    def Iallgather(self, given: Any, into: Any) -> Ended:  # noqa: N802
        """What this rank gives is all there is."""
        return _move(given, into)

    Iallgatherv = Ialltoallv = Iallgather

    def Igatherv(self, given: Any, into: Any, root: int) -> Ended:  # noqa: N802
        """What this rank gives is all there is."""
        return _move(given, into)

    Iscatter = Igatherv

    def Irecv(self, array: Any, source: int, tag: int) -> Never:  # noqa: N802
        """There is nobody who could send: the wait for it ends with the time limit."""
        return Never()
