"""What MPI calculates with."""

from __future__ import annotations

from types import SimpleNamespace

import ml_dtypes
import numpy as np
import pytest

from edutorch.distributed import ReduceOp
from edutorch.distributed.collectives.mpi_ops import (
    copy_from_mpi_dtype,
    mpi_op,
    to_mpi_dtype,
)

MPI = SimpleNamespace(
    SUM="sum", PROD="prod", MIN="min", MAX="max", BAND="and", BOR="or", BXOR="xor"
)


def test_operations_of_bools_are_logical():
    bools = np.dtype(bool)
    assert mpi_op(MPI, ReduceOp.SUM, bools) == mpi_op(MPI, ReduceOp.MAX, bools) == "or"
    assert mpi_op(MPI, ReduceOp.PRODUCT, bools) == "and"
    assert mpi_op(MPI, ReduceOp.AVG, np.dtype("f4")) == "sum"


@pytest.mark.parametrize(
    ("op", "dtype"), [("BAND", "f4"), ("MAX", "c8"), ("AVG", "i4"), ("BXOR", "f8")]
)
def test_operations_that_a_dtype_does_not_have_are_refused(op, dtype):
    with pytest.raises(RuntimeError):
        mpi_op(MPI, ReduceOp[op], np.dtype(dtype))


@pytest.mark.parametrize(
    "dtype", [np.float16, ml_dtypes.bfloat16, ml_dtypes.float8_e5m2]
)
def test_small_floats_are_summed_in_32_bits_and_rounded_once(dtype):
    out = np.array([[1.0, 2.0]], dtype)
    got = to_mpi_dtype(out)
    assert got.dtype == np.float32
    got += 0.5
    copy_from_mpi_dtype(out, got, ReduceOp.AVG, 2)
    assert out.dtype == dtype
    assert out.astype(float).tolist() == [[0.75, 1.25]]


def test_other_arrays_are_reduced_where_they_are():
    x = np.ones(2, np.complex64)
    assert to_mpi_dtype(x) is x
    flags = np.array([True, False])
    got = to_mpi_dtype(flags)
    assert np.shares_memory(got, flags)
    copy_from_mpi_dtype(flags, got, ReduceOp.SUM, 2)
    assert flags.tolist() == [True, False]
