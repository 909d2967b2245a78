"""Coordinate format."""

import numpy as np
import pytest

from edutorch.backends.sparse import (
    Coo,
    UnsupportedError,
    empty_coo,
    from_dense,
    linear_indices,
)

RNG = np.random.default_rng(3)


def random(shape, sparse_dim, nnz=9) -> Coo:
    indices = np.stack([RNG.integers(0, n, nnz) for n in shape[:sparse_dim]])
    return Coo(indices, RNG.standard_normal((nnz, *shape[sparse_dim:])), shape)


@pytest.mark.parametrize(("shape", "d"), [((5,), 1), ((3, 4), 2), ((3, 4, 2), 2)])
def test_unique_lists_every_position_once_in_order(shape, d):
    x = random(shape, d)
    once = x.unique()
    assert (np.diff(once.keys()) > 0).all()
    assert once.coalesced
    assert once.unique() is once
    assert np.allclose(once.dense(), x.dense())


def test_unique_of_booleans_is_whether_any_is_true():
    x = Coo(np.array([[1, 1, 0, 0]]), np.array([True, False, False, False]), (2,))
    assert x.unique().values.tolist() == [False, True]


def test_dense_adds_values_of_one_position():
    x = Coo(np.array([[1, 1]]), np.array([2.0, 3.0]), (2,))
    assert x.dense().tolist() == [0, 5]
    nothing = Coo(np.zeros((0, 2), int), np.array([2.0, 3.0]), ())
    assert nothing.dense() == 5


@pytest.mark.parametrize("d", [1, 2])
def test_from_dense_stores_what_is_not_zero(d):
    x = np.array([[0.0, 2.0], [0.0, 0.0], [3.0, 0.0]])
    found = from_dense(x, d)
    assert found.nnz == 2
    assert found.dense().tolist() == x.tolist()


def test_transpose_and_entries_agree_with_the_dense_array():
    x = random((3, 4, 2), 2)
    y = x.dense()
    assert np.allclose(x.transpose(1, 0, 2).dense(), y.transpose(1, 0, 2))
    assert np.allclose(x.swapaxes(0, 1).dense(), y.swapaxes(0, 1))
    assert np.allclose(x[1].dense(), y[1])
    assert np.allclose(x[1, 2], y[1, 2])
    assert np.allclose(x[:, 2].dense(), y[:, 2])
    assert np.allclose(x[:, :, 1].dense(), y[:, :, 1])
    assert np.allclose(x[None].dense(), y[None])
    assert np.allclose(x[:, :, None].dense(), y[:, :, None])
    with pytest.raises(UnsupportedError):
        x[0:1]
    with pytest.raises(UnsupportedError):
        x[[0, 1]]
    with pytest.raises(IndexError, match="index 9 is out of bounds for dimension 0"):
        x[9]
    with pytest.raises(IndexError, match="index -5 is out of bounds for dimension 1"):
        x[:, -5]
    with pytest.raises(RuntimeError, match="between sparse and dense"):
        x.T
    with pytest.raises(RuntimeError, match="sparse_dim: 2, d0: 0, d1: 2"):
        x.swapaxes(0, 2)


def test_only_zero_can_be_written():
    x = random((3, 4), 2)
    with pytest.raises(UnsupportedError):
        x[...] = 1
    x[...] = 0
    assert x.nnz == 0


def test_numbers_of_positions_are_row_major():
    assert linear_indices(np.array([[0, 1], [2, 0]]), (2, 3)).tolist() == [2, 3]
    assert (
        empty_coo((2, 3), 2, np.float32).dense().tolist() == np.zeros((2, 3)).tolist()
    )
