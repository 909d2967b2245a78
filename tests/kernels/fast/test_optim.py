"""Optimizer steps as loops, against the plain functions."""

import numpy as np
import pytest

from edutorch import config
from edutorch.kernels import optim
from edutorch.kernels.fast import optim as fast
from edutorch.kernels.plain import optim as plain
from edutorch.kernels.plain.optim import AdamSettings, SgdSettings

RNG = np.random.default_rng(0)
DTYPES = [np.float32, np.float64]


def stepped(function, arrays, *settings):
    """What a step makes of copies of the arrays, compiled if there is a kernel."""
    arrays = [None if a is None else a.copy() for a in arrays]
    with config.kernels("fast"):
        function(*arrays, *settings)
    return arrays


def assert_close(got, expected):
    for a, b in zip(got, expected, strict=True):
        tolerance = 1e-13 if a.dtype == np.float64 else 1e-6
        np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "options",
    [
        {"momentum": 0.9},
        {"momentum": 0.9, "dampening": 0.3, "weight_decay": 0.1},
        {"momentum": 0.9, "nesterov": True, "weight_decay": 0.1},
        {"momentum": 0.9, "maximize": True},
    ],
)
def test_sgd_step_equals_the_plain_one(options, dtype):
    arrays = [RNG.standard_normal((30, 40)).astype(dtype) for _ in range(3)]
    settings = False, SgdSettings(0.1, **options)
    got, expected = (stepped(m.sgd_step, arrays, *settings) for m in (optim, plain))
    assert_close(got, expected)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("options", [{}, {"weight_decay": 0.1}, {"decoupled": True}])
def test_adam_step_equals_the_plain_one(options, dtype):
    arrays = [RNG.standard_normal((30, 40)).astype(dtype) for _ in range(3)]
    arrays.append(arrays[0] ** 2)
    options = {"weight_decay": 0.2, **options} if "decoupled" in options else options
    settings = None, 3, AdamSettings(0.1, **options)
    got, expected = (stepped(m.adam_step, arrays, *settings) for m in (optim, plain))
    assert_close(got, expected)


@pytest.mark.parametrize("dtype", DTYPES)
def test_sgd_step_without_extras_equals_the_plain_one(dtype):
    arrays = [RNG.standard_normal((90, 70)).astype(dtype) for _ in range(2)] + [None]
    settings = False, SgdSettings(0.1)
    got, expected = (stepped(m.sgd_step, arrays, *settings) for m in (optim, plain))
    assert_close(got[:2], expected[:2])


def test_descend_compiled_follows_its_formula():
    p, g = (RNG.standard_normal(5) for _ in range(2))
    moved = p - 0.2 * g
    fast.descend(p, g, 0.2)
    np.testing.assert_allclose(p, moved)


def test_sgd_step_compiled_follows_its_formula():
    p, g, v = (RNG.standard_normal(5) for _ in range(3))
    expected = 0.9 * v + 0.5 * (g + 0.1 * p)
    moved = p - 0.2 * (expected + 2 * (g + 0.1 * p))
    fast.sgd_step(p, g, v, 0.2, 0.9, 0.5, 0.1, 2.0)
    np.testing.assert_allclose(v, expected)
    np.testing.assert_allclose(p, moved)


def test_adam_step_compiled_follows_its_formula():
    p, g, m = (RNG.standard_normal(5) for _ in range(3))
    v = m**2
    mean, square = 0.9 * m + 0.1 * g, 0.99 * v + 0.01 * g**2
    expected = 0.5 * p - 0.3 * mean / (np.sqrt(square) + 1e-3)
    fast.adam_step(p, g, m, v, 0.3, 0.1, 0.01, 1e-3, 0.0, 0.5)
    np.testing.assert_allclose(p, expected)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("sgd_step", (False, SgdSettings(0.1, momentum=0.9))),
        ("adam_step", (None, 3, AdamSettings(0.1, weight_decay=2.0, decoupled=True))),
    ],
)
def test_a_step_from_infinity_stays_there(name, settings):
    arrays = [np.ones(2000), *np.full((3, 2000), 0.5)][: 3 + (name == "adam_step")]
    arrays[0][:] = np.inf
    got, expected = (
        stepped(getattr(m, name), arrays, *settings) for m in (optim, plain)
    )
    assert (got[0] == np.inf).all()
    assert_close(got, expected)
