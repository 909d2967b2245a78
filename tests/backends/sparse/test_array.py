"""NumPy functions of sparse arrays."""

import numpy as np
import pytest

from edutorch.backends.sparse import Coo, SparseArray, UnsupportedError
from edutorch.backends.sparse.array import elementwise


@pytest.fixture
def x() -> Coo:
    return Coo(np.array([[2, 0, 2]]), np.array([1.0, -2.0, 3.0]), (4,))


def test_functions_that_leave_zero_zero_are_applied_to_sums(x):
    assert np.sin(x).dense().tolist() == np.sin(x.dense()).tolist()
    assert (x > 0).dense().tolist() == [False, False, True, False]


@pytest.mark.parametrize("name", ["exp", "cos", "logical_not"])
def test_other_functions_are_refused(x, name):
    with pytest.raises(UnsupportedError, match="zero"):
        getattr(np, name)(x)


def test_unsupported_is_seen_by_hasattr_and_as_not_implemented(x):
    assert not hasattr(x, "reshape")
    with pytest.raises(NotImplementedError):
        x.reshape(2, 2)
    with pytest.raises(NotImplementedError):
        np.median(x)


def test_elementwise_refuses_a_second_array(x):
    with pytest.raises(UnsupportedError):
        elementwise(np.maximum, x, x)


def test_sums_into_dense_arrays_touch_what_is_stored_only(x):
    y = np.ones(4)
    np.add(y, x, out=y)
    assert y.tolist() == [-1, 1, 5, 1]
    np.subtract(y, x, out=y)
    assert y.tolist() == [1, 1, 1, 1]
    with pytest.raises(RuntimeError, match="same size"):
        np.add(np.ones(3), x, out=np.ones(3))


def test_sums_into_sparse_arrays_replace_their_parts(x):
    y = x.copy()
    np.add(y, x, out=y)
    assert y.dense().tolist() == (2 * x.dense()).tolist()


def test_arrays_have_the_facts_of_dense_ones(x):
    facts = (x.shape, x.ndim, x.size, x.nnz, x.itemsize, x.nbytes, len(x), x.strides)
    assert facts == ((4,), 1, 4, 3, 8, 48, 4, (0,))
    assert x.dtype is np.dtype(np.float64)
    assert isinstance(x, SparseArray)
    assert repr(x) == "<Coo (4,) with 3 values>"


def test_arrays_are_never_made_dense_unasked(x):
    with pytest.raises(TypeError, match="to_dense"):
        np.asarray(x)
