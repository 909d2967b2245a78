"""Kernels of rows: the numbers of the kernels for the CPU."""

import numpy as np
import pytest

from edutorch.kernels import norm, softmax
from edutorch.kernels.gpu import softmax_norm as gpu
from tests.kernels.gpu.on_cpu import kernels_on_the_cpu

pytestmark = pytest.mark.usefixtures(kernels_on_the_cpu.__name__)
DTYPES = [np.float32, np.float64]


def numbers(dtype, *shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


def assert_same(ours, expected):
    for a, b in zip(ours, expected, strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["softmax", "log_softmax"])
def test_softmax_and_its_gradient_equal_the_cpus(name, dtype):
    x, g = numbers(dtype, 3, 5, 70), numbers(dtype, 3, 5, 70, seed=1)
    y = getattr(softmax, name)(x, 2)
    gx = getattr(softmax, f"{name}_backward")(g, y, 2)
    ours = getattr(gpu, name)(x, -1), getattr(gpu, f"{name}_backward")(g, y, 2)
    assert_same(ours, (y, gx))


def test_softmax_along_another_dimension_is_left_to_others():
    assert gpu.softmax(np.zeros((2, 3), np.float32), 0) is None
    assert gpu.softmax(np.zeros((0, 3), np.float32), 1) is None


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("each", [True, False])
def test_cross_entropy_and_its_gradient_equal_the_cpus(dtype, each):
    x, target = numbers(dtype, 5, 70), np.array([0, 69, 3, 3, 8])
    losses, sums = softmax.cross_entropy_rows(x, target)
    assert_same(gpu.cross_entropy(x, target), (losses, sums))
    g = numbers(dtype, 5) if each else np.array(2, dtype)
    expected = softmax.cross_entropy_rows_backward(g, x, sums, target)
    assert_same([gpu.cross_entropy_backward(g, x, sums, target)], [expected])


def test_cross_entropy_of_a_label_that_is_no_class_is_nan():
    losses, _ = gpu.cross_entropy(np.zeros((2, 3), np.float32), np.array([3, 0]))
    assert np.isnan(losses).tolist() == [True, False]


@pytest.mark.parametrize("dtype", DTYPES)
def test_layer_norm_and_its_gradient_equal_the_cpus(dtype):
    x, g = numbers(dtype, 5, 70), numbers(dtype, 5, 70, seed=1)
    w, b = numbers(dtype, 70, seed=2), numbers(dtype, 70, seed=3)
    y, mean, var = norm.normalize_rows(x, w, b, 1e-5)
    assert_same(gpu.normalize_rows(x, w, b, 1e-5), (y, mean, var))
    gx, _, _ = norm.normalize_rows_backward(g, x, w, mean, var, 1e-5)
    ours, _, _ = gpu.normalize_rows_backward(g, x, w, mean, var, 1e-5)
    assert_same([ours], [gx])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("scaled", [True, False])
def test_batch_norm_and_its_gradients_equal_the_cpus(dtype, scaled):
    x, g = numbers(dtype, 3, 4, 5, 6), numbers(dtype, 3, 4, 5, 6, seed=1)
    w, b = (
        (numbers(dtype, 4, seed=2), numbers(dtype, 4, seed=3))
        if scaled
        else (None,) * 2
    )
    y, mean, var = norm.normalize_channels(x, w, b, 1e-5)
    assert_same(gpu.normalize_channels(x, w, b, 1e-5), (y, mean, var))
    grads = norm.normalize_channels_backward(g, x, w, mean, var, 1e-5)
    ours = gpu.normalize_channels_backward(g, x, w, mean, var, 1e-5)
    assert_same(ours, grads)
