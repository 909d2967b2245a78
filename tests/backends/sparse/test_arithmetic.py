"""Sums, products and other functions of sparse arrays."""

import numpy as np
import pytest

from edutorch.backends.sparse import Coo, UnsupportedError, compress
from edutorch.backends.sparse.arithmetic import in_layout
from edutorch.layouts import sparse_csr

RNG = np.random.default_rng(4)


def random(shape=(4, 5), nnz=9) -> Coo:
    indices = np.stack([RNG.integers(0, n, nnz) for n in shape])
    return Coo(indices, RNG.standard_normal(nnz), shape)


@pytest.mark.parametrize("unique", [True, False])
@pytest.mark.parametrize("operator", ["add", "subtract", "multiply"])
def test_two_sparse_arrays_equal_two_dense_ones(operator, unique):
    a, b = random(), random()
    a, b = (a.unique(), b.unique()) if unique else (a, b)
    compute = getattr(np, operator)
    y = compute(a, b)
    assert np.allclose(y.dense(), compute(a.dense(), b.dense()))
    rows = compute(compress(a, sparse_csr), compress(b, sparse_csr))
    assert rows.layout is sparse_csr
    assert np.allclose(rows.dense(), y.dense())


def test_sparse_beside_dense_equals_dense():
    a, x = random(), RNG.standard_normal((4, 5))
    assert np.allclose(x + a, x + a.dense())
    assert np.allclose(x - a, x - a.dense())
    assert np.allclose((a * x).dense(), a.dense() * x)
    assert np.allclose((a * x[0]).dense(), a.dense() * x[0])
    with pytest.raises(RuntimeError, match="Use add"):
        a + x
    with pytest.raises(UnsupportedError):
        a * np.ones((2, 4, 5))


def test_numbers_are_applied_to_every_element():
    a = random()
    assert np.allclose((a * 2).dense(), a.dense() * 2)
    assert np.allclose((a / 2).dense(), a.dense() / 2)
    assert np.allclose((a // 2).dense(), a.dense() // 2)
    assert np.allclose((a**2).dense(), a.dense() ** 2)
    assert np.allclose((-a).dense(), -a.dense())
    with pytest.raises(RuntimeError, match="division"):
        a / a
    with pytest.raises(RuntimeError, match="division"):
        2 / a


def test_where_chooses_among_the_values_also_nan():
    a = random().unique()
    a.values[:2] = 0.7, -0.7
    chosen = a > 0.5
    a.values[:2] = np.nan
    expected = np.where(chosen.dense(), a.dense(), 0)
    assert np.array_equal(np.where(chosen, a, 0).dense(), expected, equal_nan=True)
    with pytest.raises(UnsupportedError, match="where"):
        np.where(chosen, a, 1)
    with pytest.raises(UnsupportedError, match="where"):
        np.where(chosen.dense(), a, 0)


def test_take_concatenate_and_stack_equal_those_of_dense_arrays():
    a, b = random(), random()
    index = np.array([3, 0, 3])
    assert np.allclose(np.take(a, index, 0).dense(), a.dense().take(index, 0))
    assert np.allclose(np.take(a, index, 1).dense(), a.dense().take(index, 1))
    for axis in (0, 1):
        joined = np.concatenate([a, b], axis)
        assert np.allclose(joined.dense(), np.concatenate([a.dense(), b.dense()], axis))
    stacked = np.stack([a, b], 1)
    assert np.allclose(stacked.dense(), np.stack([a.dense(), b.dense()], 1))


def test_copies_between_layouts_keep_values():
    a = random()
    y = np.empty((4, 5))
    np.copyto(y, a)
    assert np.allclose(y, a.dense())
    with pytest.raises(RuntimeError, match="copy_"):
        np.copyto(a, y)
    assert in_layout(a, a) is a
    assert np.may_share_memory(a, a)
    assert np.zeros_like(a).nnz == 0
