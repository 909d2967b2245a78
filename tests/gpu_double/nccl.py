"""A double of CuPy's `cupy.cuda.nccl`, which reads the memory at addresses like NCCL.

It has the names, arguments and numbers of cupy-cuda12x 14.2 with NCCL 2.32. The work is
done by MPI before a call returns; addresses are those of the stand-in's arrays.
"""

from __future__ import annotations

import ctypes
from types import SimpleNamespace
from typing import Any, ClassVar

import ml_dtypes
import numpy as np

__all__ = ["NcclCommunicator", "NcclError", "nccl_double"]

DTYPES = {
    "INT8": np.int8, "UINT8": np.uint8, "INT32": np.int32, "UINT32": np.uint32,
    "INT64": np.int64, "UINT64": np.uint64, "FLOAT16": np.float16,
    "FLOAT32": np.float32, "FLOAT64": np.float64, "BFLOAT16": ml_dtypes.bfloat16,
}  # fmt: skip
KINDS = list(DTYPES.values())
OPS = ("SUM", "PROD", "MAX", "MIN", "AVG")
UNIQUE_ID = 128  # bytes


class NcclError(RuntimeError):
    """What NCCL refuses."""


class NcclCommunicator:
    """Ranks with a GPU each."""

    calls: ClassVar[list[str]] = []

    def __init__(self, ndev: int, commId: bytes, rank: int, config: Any = None) -> None:
        from mpi4py import MPI

        if type(commId) is not bytes or len(commId) != UNIQUE_ID:
            raise TypeError("commId must be bytes of get_unique_id")
        self._mpi = MPI
        self._comm = MPI.COMM_WORLD.Dup()
        if (ndev, rank) != (self._comm.size, self._comm.rank):
            raise NcclError("NCCL_ERROR_INVALID_USAGE: invalid usage")
        if len(set(self._comm.allgather(commId))) != 1:
            raise NcclError("NCCL_ERROR_INVALID_ARGUMENT: another communicator's id")
        self.ended = False

    def _memory(self, address: int, count: int, datatype: int) -> Any:
        dtype = np.dtype(KINDS[datatype])
        held = (ctypes.c_char * (count * dtype.itemsize)).from_address(address)
        return np.frombuffer(held, dtype)

    def _combined(self, given: Any, datatype: int, op: int) -> Any:
        """The values of all ranks together, as NCCL rounds them: once, at the end."""
        dtype = np.dtype(KINDS[datatype])
        wide = np.float32 if dtype.itemsize == 2 else dtype
        every = np.stack(self._comm.allgather(given.astype(wide)))
        how = OPS[op]
        if how == "AVG":
            return (every.sum(0) / len(every)).astype(dtype)
        ufunc = {"SUM": np.add, "PROD": np.multiply, "MAX": np.maximum,
                 "MIN": np.minimum}[how]  # fmt: skip
        return ufunc.reduce(every, 0).astype(dtype)

    def _call(self, name: str, stream: int) -> None:
        if self.ended:
            raise NcclError("NCCL_ERROR_INVALID_ARGUMENT: invalid argument")
        if type(stream) is not int or not stream:
            raise TypeError("the work belongs in a stream of its own")
        self.calls.append(name)

    def allReduce(
        self, sendbuf: int, recvbuf: int, count: int, datatype: int, op: int,
        stream: int,
    ) -> None:  # fmt: skip
        self._call("allReduce", stream)
        given = self._memory(sendbuf, count, datatype)
        self._memory(recvbuf, count, datatype)[:] = self._combined(given, datatype, op)

    def reduce(
        self, sendbuf: int, recvbuf: int, count: int, datatype: int, op: int,
        root: int, stream: int,
    ) -> None:  # fmt: skip
        self._call("reduce", stream)
        given = self._memory(sendbuf, count, datatype)
        found = self._combined(given, datatype, op)
        if self._comm.rank == root:
            self._memory(recvbuf, count, datatype)[:] = found

    def broadcast(
        self, sendbuff: int, recvbuff: int, count: int, datatype: int, root: int,
        stream: int,
    ) -> None:  # fmt: skip
        self._call("broadcast", stream)
        given = self._memory(sendbuff, count, datatype)
        self._memory(recvbuff, count, datatype)[:] = self._comm.bcast(given, root)

    def allGather(
        self, sendbuf: int, recvbuf: int, count: int, datatype: int, stream: int
    ) -> None:
        self._call("allGather", stream)
        every = self._comm.allgather(self._memory(sendbuf, count, datatype))
        total = count * self._comm.size
        self._memory(recvbuf, total, datatype)[:] = np.concatenate(every)

    def reduceScatter(
        self, sendbuf: int, recvbuf: int, recvcount: int, datatype: int, op: int,
        stream: int,
    ) -> None:  # fmt: skip
        self._call("reduceScatter", stream)
        total = recvcount * self._comm.size
        found = self._combined(self._memory(sendbuf, total, datatype), datatype, op)
        first = recvcount * self._comm.rank
        self._memory(recvbuf, recvcount, datatype)[:] = found[first : first + recvcount]

    def check_async_error(self) -> None:
        if self.ended:
            raise NcclError("NCCL_ERROR_INTERNAL: the communicator was aborted")

    def abort(self) -> None:
        self.ended = True

    destroy = abort


def nccl_double() -> Any:
    """The replacement for the module."""
    numbers = {f"NCCL_{name}": i for i, name in enumerate(DTYPES)}
    numbers |= {f"NCCL_{name}": i for i, name in enumerate(OPS)}
    return SimpleNamespace(
        available=True, NcclCommunicator=NcclCommunicator, NcclError=NcclError,
        get_unique_id=lambda: bytes(range(UNIQUE_ID)), **numbers,
    )  # fmt: skip
