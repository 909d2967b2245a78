"""Kernels of random numbers: the numbers of NumPy's account of them."""

import numpy as np
import pytest

from edutorch.kernels.gpu import philox as kernels
from edutorch.random import philox as formulas
from tests.kernels.gpu.on_cpu import kernels_on_the_cpu

pytestmark = pytest.mark.usefixtures(kernels_on_the_cpu.__name__)
KINDS = {"float": np.float32, "double": np.float64, "long long": np.int64}
PARAMETERS = {
    "uniform": (5.0, -2.0, 3.0), "normal": (2.0, 1.0), "bernoulli": (0.3,),
    "exponential": (1.5,), "cauchy": (1.0, 0.0), "geometric": (0.3,),
    "log_normal": (2.0, 1.0), "integers": (10, 3),
}  # fmt: skip


@pytest.mark.parametrize("n", [5, 3000])
@pytest.mark.parametrize("name", kernels.DISTRIBUTIONS)
def test_distribution_equals_its_formula(name, n):
    parameters = PARAMETERS[name.rpartition("_")[0]]
    ours, expected = np.empty((2, n), KINDS[kernels.DISTRIBUTIONS[name][0]])
    grid = formulas.grid_of(n, 4)
    kernels.draw(name, ours, grid, 7, 3, *parameters)
    formulas.draw(name, expected, grid, 7, 3, *parameters)
    np.testing.assert_allclose(ours, expected, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("pack", [2, 4, 8])
def test_dropout_mask_equals_its_formula(pack):
    ours, expected = np.empty((2, 3000), np.float32)
    kernels.dropout_mask(ours, 2, 7, 3, 0.7, pack)
    formulas.dropout_mask(expected, 2, 7, 3, 0.7, pack)
    np.testing.assert_array_equal(ours, expected)


def test_packed_uniform_numbers_equal_their_formula():
    ours, expected = np.empty((2, 3001), np.float32)
    kernels.packed_uniform(ours, 3, 7, 3)
    formulas.packed_uniform(expected, 3, 7, 3)
    np.testing.assert_array_equal(ours, expected)


def test_equal_keys_are_shuffled_as_by_their_formula():
    keys = np.sort(np.random.default_rng(0).integers(20, size=60)).astype(np.uint64)
    ours, expected = np.arange(60), np.arange(60)
    kernels.shuffle_equal_keys(keys, ours, 5, 8)
    formulas.shuffle_equal_keys(keys, expected, 5, 8)
    np.testing.assert_array_equal(ours, expected)
