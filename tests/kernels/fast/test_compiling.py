"""Kernels are compiled where Numba is, and stay Python functions where it is not."""

import numpy as np

from edutorch.kernels.fast import compiling


def test_kernel_without_numba_stays_a_python_function(monkeypatch):
    monkeypatch.setattr(compiling, "njit", None)

    def double(x):
        x *= 2

    assert compiling.kernel("void(T[::1])")(double) is double
    assert double.dtypes == "fd"
    assert compiling.helper(double) is double


def test_kernel_names_the_dtypes_it_is_for():
    @compiling.kernel("void(T[::1])", compiling.SINGLE)
    def double(x):
        for i in range(x.size):
            x[i] *= 2

    x = np.ones(3, np.float32)
    double(x)
    assert double.dtypes == "f"
    assert x.tolist() == [2, 2, 2]


def test_kernel_without_fastmath_reorders_no_additions():
    @compiling.kernel("T(T[::1])", compiling.SINGLE, fastmath=False)
    def total(x):
        y = x[0]
        for i in range(1, x.size):
            y += x[i]
        return y

    x = np.random.default_rng(0).random(5000, np.float32)
    assert total(x) == np.add.accumulate(x)[-1]
