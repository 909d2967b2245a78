"""Windows at random places."""

import numpy as np

from edutorch.kernels.fractional_pool import fractional_max_pool, interval_starts


def test_interval_starts_ends_with_the_last_cell():
    starts = interval_starts(np.linspace(0, 0.99, 20), 9, 4, 2)
    assert (starts[:, -1] == 7).all()
    assert (starts[:, 0] == 0).all()
    assert (np.diff(starts) >= 1).all()


def test_fractional_max_pool_takes_maxima_of_the_windows():
    rng = np.random.default_rng(0)
    x, u = rng.standard_normal((2, 3, 7, 8)), rng.random((2, 3, 2))
    y, index = fractional_max_pool(x, (2, 3), (3, 4), u)
    for n, c in np.ndindex(2, 3):
        rows = interval_starts(u[n, c, 1], 7, 3, 2)  # the second number is the rows'
        columns = interval_starts(u[n, c, 0], 8, 4, 3)
        for i, j in np.ndindex(3, 4):
            r, k = rows[i], columns[j]
            assert y[n, c, i, j] == x[n, c, r : r + 2, k : k + 3].max()
            assert y[n, c, i, j] == x[n, c].reshape(-1)[index[n, c, i, j]]
