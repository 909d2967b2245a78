"""Matrices of blocks."""

import numpy as np
import pytest

from edutorch.backends.sparse import (
    Blocks,
    UnsupportedError,
    from_dense,
    gather_blocks,
)
from edutorch.layouts import sparse_bsc, sparse_bsr

RNG = np.random.default_rng(4)


def random(shape):
    x = RNG.standard_normal(shape)
    x[: shape[0] // 2, : shape[1] // 2] = 0
    return x


@pytest.mark.parametrize("layout", [sparse_bsr, sparse_bsc])
@pytest.mark.parametrize("block", [(1, 1), (2, 3), (4, 6), (2, 1)])
def test_blocks_hold_the_dense_matrix(layout, block):
    y = random((4, 6))
    x = gather_blocks(from_dense(y, 2), layout, block)
    assert isinstance(x, Blocks)
    assert x.block == block
    np.testing.assert_array_equal(x.dense(), y)
    np.testing.assert_array_equal(x.T.dense(), y.T)
    np.testing.assert_array_equal(x.values_at(y), x.values)
    np.testing.assert_array_equal(x.copy().dense(), y)


@pytest.mark.parametrize("layout", [sparse_bsr, sparse_bsc])
def test_blocks_times_dense_matrices_and_vectors_agree(layout):
    y, b = random((4, 6)), RNG.standard_normal((6, 3))
    x = gather_blocks(from_dense(y, 2), layout, (2, 3))
    np.testing.assert_allclose(x @ b, y @ b)
    np.testing.assert_allclose(x @ b[:, 0], y @ b[:, 0])
    np.testing.assert_allclose(b.T[:, :4] @ x, b.T[:, :4] @ y)
    with pytest.raises(UnsupportedError):
        x @ x.T


def test_blocks_that_are_all_zero_are_not_stored():
    x = gather_blocks(from_dense(random((4, 6)), 2), sparse_bsr, (2, 3))
    assert x.nnz == 3
    empty = gather_blocks(from_dense(np.zeros((0, 6)), 2), sparse_bsr, (2, 3))
    assert (empty.nnz, empty.dense().shape) == (0, (0, 6))
    x[...] = 0
    assert (x.nnz, x.dense().any()) == (0, False)
