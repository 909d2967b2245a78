"""Compressed formats."""

import numpy as np
import pytest

from edutorch.backends.sparse import (
    Compressed,
    Coo,
    UnsupportedError,
    compress,
    from_dense,
)
from edutorch.layouts import sparse_csc, sparse_csr

X = np.array([[0.0, 2.0, 0.0], [0.0, 0.0, 0.0], [4.0, 0.0, 5.0], [0.0, 6.0, 7.0]])


@pytest.mark.parametrize("layout", [sparse_csr, sparse_csc])
def test_compress_and_back_keeps_the_matrix(layout):
    x = compress(from_dense(X, 2), layout)
    assert x.layout is layout
    assert x.dense().tolist() == X.tolist()
    assert x.coo().coalesced
    assert x.T.dense().tolist() == X.T.tolist()
    assert x.swapaxes(0, 1).dense().tolist() == X.T.tolist()
    assert x.T.layout is not layout


def test_compress_lists_rows_one_after_the_other():
    x = compress(from_dense(X, 2), sparse_csr)
    assert x.pointers.tolist() == [0, 1, 1, 3, 5]
    assert x.plain.tolist() == [1, 0, 2, 1, 2]
    assert x.values.tolist() == [2, 4, 5, 6, 7]


def test_compress_adds_values_of_one_position():
    twice = Coo(np.array([[0, 0], [1, 1]]), np.array([1.0, 2.0]), (1, 2))
    assert compress(twice, sparse_csr).values.tolist() == [3]


def test_values_may_be_arrays():
    x = np.stack([X, 2 * X], axis=-1)
    assert compress(from_dense(x, 2), sparse_csr).dense().tolist() == x.tolist()


def test_only_zero_can_be_written():
    x = compress(from_dense(X, 2), sparse_csr)
    with pytest.raises(UnsupportedError):
        x[...] = 2
    x[...] = 0
    assert x.pointers.tolist() == [0, 0, 0, 0, 0]
    assert x[2].nnz == 0


def test_copies_have_memory_of_their_own():
    x = compress(from_dense(X, 2), sparse_csr)
    y: Compressed = x.copy()
    y.values[0] = 9
    assert x.values[0] == 2
    assert y.nbytes == 5 * 8 + 5 * 8 + 5 * 8
