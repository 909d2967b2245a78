"""Optimizer steps against their formulas."""

import threading

import numpy as np
import pytest

from edutorch.kernels import optim
from edutorch.kernels.plain import optim as plain_optim
from edutorch.kernels.plain.optim import AdamSettings, SgdSettings

RNG = np.random.default_rng(8)


@pytest.fixture(params=[optim.BLOCK, 16, "plain"], autouse=True)
def steps(request, monkeypatch):
    """Steps by blocks larger and smaller than the arrays, and by the formulas."""
    if request.param == "plain":
        return plain_optim
    monkeypatch.setattr(optim, "BLOCK", request.param)
    monkeypatch.setattr(optim, "_buffers", threading.local())
    return optim


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"weight_decay": 0.1, "maximize": True},
        {"momentum": 0.9},
        {"momentum": 0.9, "dampening": 0.3, "weight_decay": 0.1},
        {"momentum": 0.9, "nesterov": True},
    ],
)
def test_sgd_step_equals_the_formula(steps, options):
    p, v = RNG.standard_normal((7, 9)), np.zeros((7, 9))
    expected, velocity = p.copy(), None
    momentum, sign = options.get("momentum", 0), -1 if "maximize" in options else 1
    for step in range(3):
        g = RNG.standard_normal(p.shape)
        steps.sgd_step(p, g, v, step == 0, SgdSettings(0.1, **options))
        d = sign * g + options.get("weight_decay", 0) * expected
        if momentum:
            share = 1 - options.get("dampening", 0)
            velocity = d if velocity is None else momentum * velocity + share * d
            d = d + momentum * velocity if "nesterov" in options else velocity
        expected -= 0.1 * d
    np.testing.assert_allclose(p, expected)


@pytest.mark.parametrize("amsgrad", [False, True])
@pytest.mark.parametrize("decoupled", [False, True])
def test_adam_step_equals_the_formula(steps, decoupled, amsgrad):
    p = RNG.standard_normal((7, 9))
    m, v, top = (np.zeros_like(p) for _ in range(3))
    expected, mean, square, most = p.copy(), 0, 0, 0
    for t in (1, 2, 3):
        g = RNG.standard_normal(p.shape) / t
        settings = AdamSettings(0.1, weight_decay=0.2, decoupled=decoupled)
        steps.adam_step(p, g, m, v, top if amsgrad else None, t, settings)
        d = g if decoupled else g + 0.2 * expected
        expected = expected * (1 - 0.1 * 0.2) if decoupled else expected
        mean, square = 0.9 * mean + 0.1 * d, 0.999 * square + 0.001 * d * d
        most = np.maximum(most, square)
        corrected = (most if amsgrad else square) / (1 - 0.999**t)
        expected = expected - 0.1 * mean / (1 - 0.9**t) / (np.sqrt(corrected) + 1e-8)
    np.testing.assert_allclose(p, expected)


def test_adam_step_uphill_is_the_step_of_the_negated_gradient(steps):
    g = RNG.standard_normal(5)
    up, down = np.ones(5), np.ones(5)
    uphill, downhill = AdamSettings(0.1, maximize=True), AdamSettings(0.1)
    steps.adam_step(up, g, np.zeros(5), np.zeros(5), None, 1, uphill)
    steps.adam_step(down, -g, np.zeros(5), np.zeros(5), None, 1, downhill)
    np.testing.assert_allclose(up, down, rtol=1e-15)


def test_sgd_step_of_arrays_in_different_orders_works(steps):
    p, g = np.ones((3, 4)), np.asfortranarray(RNG.standard_normal((3, 4)))
    steps.sgd_step(p, g, None, False, SgdSettings(1.0))
    np.testing.assert_allclose(p, 1 - g)
