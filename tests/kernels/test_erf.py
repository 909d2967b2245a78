"""The error function of float32 in blocks, against the standard library's."""

import math

import numpy as np
import pytest

from edutorch.kernels import erf as kernels

X = np.linspace(-7, 7, 4001)


@pytest.fixture(params=[kernels.BLOCK, 100], autouse=True)
def block(request, monkeypatch):
    monkeypatch.setattr(kernels, "BLOCK", request.param)


@pytest.mark.parametrize(("dtype", "rtol"), [(np.float32, 1e-6), (np.float64, 1e-14)])
def test_erf_equals_the_standard_librarys(dtype, rtol):
    y = kernels.erf(X.astype(dtype))
    assert y.dtype == dtype
    exact = np.array([math.erf(x) for x in X.astype(dtype)])
    np.testing.assert_allclose(y, exact, rtol)


def test_erf_of_special_numbers_is_special():
    x = np.array([0, np.inf, -np.inf, np.nan], np.float32)
    np.testing.assert_array_equal(kernels.erf(x).round(6), [0, 1, -1, np.nan])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_gelu_and_its_gradient_equal_the_formulas(dtype):
    x = X.astype(dtype)
    cdf, density = (
        (1 + np.array([math.erf(v * 0.5**0.5) for v in X])) / 2,
        np.exp(-X * X / 2),
    )
    np.testing.assert_allclose(kernels.normal_cdf(x), cdf, atol=3e-7)
    np.testing.assert_allclose(kernels.gelu(x), X * cdf, atol=2e-6)
    slope = cdf + X * density / math.sqrt(2 * math.pi)
    got = kernels.gelu_gradient(np.full_like(x, 2), x)
    np.testing.assert_allclose(got, 2 * slope, atol=2e-6)


def test_gelu_of_halves_and_matrices_keeps_dtype_and_shape():
    assert kernels.gelu(np.ones((2, 3), np.float16)).dtype == np.float16
    assert kernels.gelu(np.ones((200, 300), np.float32).T).shape == (300, 200)
