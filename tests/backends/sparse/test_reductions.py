"""Sums of sparse arrays, and softmax over what is stored."""

import numpy as np
import pytest

from edutorch.backends.sparse import Coo, compress
from edutorch.backends.sparse.reductions import grouped_softmax, row_numbers, sum_over
from edutorch.layouts import sparse_csr

RNG = np.random.default_rng(6)
X = Coo(
    np.stack([RNG.integers(0, n, 9) for n in (4, 5)]),
    RNG.standard_normal((9, 2)),
    (4, 5, 2),
)


@pytest.mark.parametrize("axis", [None, 0, 1, 2, (0, 1), (0, 2), (0, 1, 2), -1])
@pytest.mark.parametrize("keepdims", [True, False])
def test_sums_equal_those_of_dense_arrays(axis, keepdims):
    y = sum_over(X, axis, keepdims=keepdims)
    y = y.dense() if isinstance(y, Coo) else y
    assert np.allclose(y, X.dense().sum(axis, keepdims=keepdims))
    assert y.shape == X.dense().sum(axis, keepdims=keepdims).shape


def test_sums_of_compressed_matrices_are_of_everything():
    rows = compress(X, sparse_csr)
    assert np.isclose(np.add.reduce(rows, None), X.dense().sum())
    with pytest.raises(RuntimeError, match="CSR"):
        np.add.reduce(rows, 0)


def test_softmax_of_groups_adds_up_to_one():
    once = X.unique()
    group = row_numbers(once, 1)
    y = grouped_softmax(once.values, group, log=False)
    sums = np.zeros((group.max() + 1, 2))
    np.add.at(sums, group, y)
    assert np.allclose(sums, 1)
    assert np.allclose(np.log(y), grouped_softmax(once.values, group, log=True))


def test_any_looks_at_sums():
    x = Coo(np.array([[0, 0]]), np.array([1.0, -1.0]), (2,))
    assert not np.any(x)
