"""Columns of windows, and back."""

import numpy as np

from edutorch.kernels.unfold import fold, unfold

HOW = ((2, 3), (2, 1), (1, 0), (1, 2))


def test_unfold_puts_windows_into_columns():
    x = np.arange(6.0).reshape(1, 1, 2, 3)
    y = unfold(x, (2, 2), (1, 1), (0, 0), (1, 1))
    assert y[0].tolist() == [[0, 1], [1, 2], [3, 4], [4, 5]]


def test_fold_is_the_transpose_of_unfold():
    rng = np.random.default_rng(0)
    x = rng.standard_normal((2, 3, 5, 6))
    y = unfold(x, *HOW)
    g = rng.standard_normal(y.shape)
    gx = fold(g, (5, 6), *HOW)
    np.testing.assert_allclose((g * y).sum(), (gx * x).sum())
