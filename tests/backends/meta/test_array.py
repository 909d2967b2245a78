"""Arrays without values under NumPy's protocols."""

from __future__ import annotations

import numpy as np
import pytest

from edutorch.backends.meta import MetaArray, array, empty
from edutorch.backends.meta.array import indexed_shape, like, meta_like

INDICES = [
    (np.array([0, 1]),), (slice(None), [0, 2]), (None, [0], slice(1, 3)),
    ([0], slice(None), [1]), (slice(None), [0], [1, 1]), (1, [0, 0], Ellipsis),
    (np.array([True, False]),), (Ellipsis, np.ones((2, 1), int)), ([[0], [1]], [1, 2]),
    (slice(None), 1, slice(None), [0, 1]),
]  # fmt: skip


@pytest.mark.parametrize("index", INDICES)
def test_indices_choose_the_shape_that_numpy_chooses(index):
    shape = (2, 3, 4, 5)
    assert indexed_shape(shape, index) == np.zeros(shape)[index].shape
    assert empty(shape, np.float32)[index].shape == np.zeros(shape)[index].shape


def test_results_lie_in_memory_as_numpys():
    rng = np.random.default_rng(0)
    for _ in range(200):
        shape = tuple(rng.integers(1, 4, rng.integers(1, 5)))
        x = np.zeros(shape).transpose(rng.permutation(len(shape)))
        assert (meta_like(x) + 1).strides == (x + 1).strides or 1 in x.shape
        assert like(x).strides == x.copy("K").strides or 1 in x.shape


def test_views_share_addresses_and_writing_touches_nothing():
    x = empty((1000, 1000, 1000), np.float64)
    assert isinstance(x[3:5].T, MetaArray) and x.reshape(-1).size == 10**9
    x[...] = 1.0
    x += x
    assert x[5, 5, 5:6].view(np.ndarray).tolist() == [0.0]
    with pytest.raises(ValueError, match="broadcast"):
        x[0, 0] = np.zeros(3)
    with pytest.raises(ValueError, match="non-broadcastable"):
        empty((2,), float).__iadd__(np.zeros((3, 2)))


def test_values_are_not_told():
    x = empty((), np.float32)
    for call in (x.item, x.tolist):
        with pytest.raises(RuntimeError, match="cannot be called on meta tensors"):
            call()
    with pytest.raises(array.NoDataError):
        empty((2,), float).tobytes()
