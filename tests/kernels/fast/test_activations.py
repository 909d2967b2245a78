"""Activations as loops, against the plain functions."""

import numpy as np
import pytest

from edutorch import config
from edutorch.kernels import activations, erf
from edutorch.kernels.fast import activations as fast

RNG = np.random.default_rng(0)
FORWARD = [(activations, "sigmoid"), (activations, "silu"), (erf, "gelu")]
BACKWARD = [(module, f"{name}_gradient") for module, name in FORWARD]
FORWARD += [(activations, "expm1")]
BACKWARD += [(activations, "relu_gradient"), (activations, "tanh_gradient")]


def in_mode(mode, function, *arguments):
    with config.kernels(mode):
        return function(*arguments)


@pytest.mark.parametrize(("module", "name"), FORWARD + BACKWARD)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(7,), (80, 90)])
def test_kernels_equal_the_numpy_functions(module, name, dtype, shape):
    x = (3 * RNG.standard_normal(shape)).astype(dtype)
    g = RNG.standard_normal(shape).astype(dtype)
    arguments = (g, x) if "gradient" in name else (x,)
    function = getattr(module, name)
    got, expected = (in_mode(m, function, *arguments) for m in ("fast", "plain"))
    assert got.dtype == dtype
    np.testing.assert_allclose(got, expected, rtol=3e-6, atol=3e-6)


@pytest.mark.parametrize(("module", "name"), FORWARD)
def test_loops_equal_the_plain_functions(module, name):
    x = np.array([-200, -30, -4, -0.1, 0, 0.1, 4, 30, 200, np.inf], np.float32)
    y = np.empty_like(x)
    getattr(fast, name)(x, y)
    expected = in_mode("plain", getattr(module, name), x)
    np.testing.assert_allclose(y, expected, rtol=1e-5, atol=2e-5)


@pytest.mark.parametrize(("module", "name"), FORWARD)
def test_loops_keep_nan(module, name):
    x = np.array([np.nan, 1], np.float32)
    y = np.empty_like(x)
    getattr(fast, name)(x, y)
    assert np.isnan(y).tolist() == [True, False]


@pytest.mark.parametrize("mode", ["fast", "plain"])
def test_expm1_of_singles_is_rounded_once(mode):
    powers = np.geomspace(1e-30, 1e-2, 4000)
    x = np.concatenate([np.linspace(-40, 88, 50000), powers, -powers]).astype("f")
    exact = np.expm1(x.astype(np.float64)).astype(np.float32)
    assert (in_mode(mode, activations.expm1, x) == exact).all()


@pytest.mark.parametrize("mode", ["fast", "plain"])
def test_expm1_keeps_the_signs_of_zeros_and_has_limits(mode):
    x = np.tile(np.array([np.inf, -np.inf, np.nan, 0.0, -0.0, 90, -1e3], "f"), 2000)
    got = in_mode(mode, activations.expm1, x)[:7]
    expected = [np.inf, -1, np.nan, 0, -0.0, np.inf, -1]
    np.testing.assert_array_equal(got, expected)
    assert np.signbit(got[3:5]).tolist() == [False, True]


def test_relu_gradient_of_infinities_is_0_where_the_result_is():
    g, y = np.array([np.inf, np.inf, 2.0]), np.array([0.0, 1.0, 0.0])
    gx = np.empty(3)
    fast.relu_gradient(g, y, gx)
    assert gx.tolist() == [0, np.inf, 0]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_leaky_relu_and_gradient_equal_the_plain_ones(dtype):
    x, g = RNG.standard_normal((2, 40, 50)).astype(dtype)
    x[0, :4] = 0, np.nan, np.inf, -np.inf
    for mode in ("fast", "plain"):
        y = in_mode(mode, activations.leaky_relu, x, 0.1)
        gx = in_mode(mode, activations.leaky_relu_gradient, g, x, 0.1)
        assert y.dtype == gx.dtype == dtype
        np.testing.assert_array_equal(y, np.where(x > 0, x, x * dtype(0.1)))
        np.testing.assert_array_equal(gx, np.where(x > 0, g, g * dtype(0.1)))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("limits", [(-1, 1), (0, np.inf), (-np.inf, 0), (2, -2)])
def test_clamp_keeps_nan_and_the_sign_of_zero(dtype, limits):
    x = np.array([np.nan, -0.0, 0.0, -np.inf, np.inf, 0.5, -3, 3], dtype)
    y = np.empty_like(x)
    fast.clamp(x, y, *limits)
    low, high = (dtype(limit) for limit in limits)
    expected = np.minimum(high, np.maximum(low, x))
    assert y.tobytes() == expected.tobytes()
