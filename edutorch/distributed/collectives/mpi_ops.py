"""`MPI_Op` for each `ReduceOp`, and the dtypes in which MPI can reduce."""

from __future__ import annotations

from typing import Any

import numpy as np

from .reduce_op import ReduceOp

__all__ = ["copy_from_mpi_dtype", "mpi_op", "to_mpi_dtype"]

BITWISE = {ReduceOp.BAND, ReduceOp.BOR, ReduceOp.BXOR}
MPI_NAMES = {
    ReduceOp.SUM: "SUM", ReduceOp.AVG: "SUM", ReduceOp.PRODUCT: "PROD",
    ReduceOp.MIN: "MIN", ReduceOp.MAX: "MAX", ReduceOp.BAND: "BAND",
    ReduceOp.BOR: "BOR", ReduceOp.BXOR: "BXOR",
}  # fmt: skip
BOOL_OPS = {"SUM": "BOR", "PROD": "BAND", "MIN": "BAND", "MAX": "BOR"}


def mpi_op(mpi: Any, op: ReduceOp, dtype: Any) -> Any:
    """MPI's operation.

    Raises:
        RuntimeError: for an operation that the dtype does not have.
    """
    if op in BITWISE and dtype.kind not in "iub":
        raise RuntimeError(f"Cannot use ReduceOp.{op.name} with non-integral dtype")
    if op in {ReduceOp.MIN, ReduceOp.MAX} and dtype.kind == "c":
        raise RuntimeError("all_reduce does not support MAX on complex tensors")
    if op is ReduceOp.AVG and dtype.kind in "iub":
        raise RuntimeError("Cannot use ReduceOp.AVG with integral tensors")
    name = MPI_NAMES[op]
    if dtype.kind == "b":
        name = BOOL_OPS.get(name, name)
    return getattr(mpi, name)


def to_mpi_dtype(array: Any) -> Any:
    """The array that MPI reduces: itself, or a copy in a dtype that MPI has.

    Sixteen bits and fewer are summed in 32, and rounded once at the end.

    Example:
        >>> import numpy as np
        >>> to_mpi_dtype(np.ones(2, np.float16)).dtype
        dtype('float32')
        >>> to_mpi_dtype(np.ones(2, bool)).dtype
        dtype('uint8')
    """
    if array.dtype == np.bool_:
        return array.view(np.uint8)
    if array.dtype.isbuiltin == 1 and array.dtype != np.float16:
        return array
    name = array.dtype.name
    return array.astype(np.complex64 if name.startswith("complex") else np.float32)


def copy_from_mpi_dtype(out: Any, got: Any, op: ReduceOp, size: int) -> None:
    """Bring what MPI has reduced into the array that it is for."""
    if op is ReduceOp.AVG:
        got /= size
    if got.dtype == np.uint8 and out.dtype == np.bool_:
        got = got.view(np.bool_)
    if not np.shares_memory(got, out):
        np.copyto(out, got.astype(out.dtype).reshape(out.shape))
