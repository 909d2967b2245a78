"""Products of sparse matrices; other dtypes than SciPy's are summed by hand."""

import numpy as np
import pytest

from edutorch.backends.sparse import Coo, compress
from edutorch.layouts import sparse_csr

RNG = np.random.default_rng(5)


def random(dtype, shape=(4, 5), nnz=9) -> Coo:
    indices = np.stack([RNG.integers(0, n, nnz) for n in shape])
    return Coo(indices, RNG.integers(-4, 5, nnz).astype(dtype), shape)


@pytest.mark.parametrize(
    "dtype", ["float32", "float64", "complex64", "int64", "float16"]
)
def test_products_equal_those_of_dense_matrices(dtype):
    a, b = random(dtype), random(dtype, (5, 3))
    x = RNG.integers(-4, 5, (5, 3)).astype(dtype)
    y = a.dense()
    for left in (a, compress(a, sparse_csr)):
        assert np.allclose(left @ x, y @ x)
        assert np.allclose(left @ x[:, 0], y @ x[:, 0])
        assert (left @ x).dtype == dtype
        assert np.allclose((left @ b).dense(), y @ b.dense())
    assert np.allclose(x.T @ a.T, x.T @ y.T)


def test_products_of_wrong_sizes_are_refused():
    with pytest.raises(ValueError, match="fit"):
        random("f") @ np.ones((4, 2), "f")
    with pytest.raises(RuntimeError, match="Expected dim 0"):
        np.ones((2, 3), "f") @ random("f")
