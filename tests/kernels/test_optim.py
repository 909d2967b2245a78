"""Optimizer steps against their formulas."""

import numpy as np
import pytest

from edutorch import config
from edutorch.kernels import optim

RNG = np.random.default_rng(8)


@pytest.fixture(params=[optim.BLOCK, 16, "plain"], autouse=True)
def way(request, monkeypatch):
    """Blocks larger and smaller than the arrays, and the formulas."""
    optim._buffers.__dict__.clear()
    if request.param == "plain":
        with config.kernels("plain"):
            yield
        return
    monkeypatch.setattr(optim, "BLOCK", request.param)
    yield
    optim._buffers.__dict__.clear()


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
def test_sgd_step_equals_the_formula(options):
    p, v = RNG.standard_normal((7, 9)), np.zeros((7, 9))
    expected, velocity = p.copy(), None
    momentum, sign = options.get("momentum", 0), -1 if "maximize" in options else 1
    for step in range(3):
        g = RNG.standard_normal(p.shape)
        optim.sgd_step(p, g, v, lr=0.1, first=step == 0, **options)
        d = sign * g + options.get("weight_decay", 0) * expected
        if momentum:
            share = 1 - options.get("dampening", 0)
            velocity = d if velocity is None else momentum * velocity + share * d
            d = d + momentum * velocity if "nesterov" in options else velocity
        expected -= 0.1 * d
    np.testing.assert_allclose(p, expected)


@pytest.mark.parametrize("amsgrad", [False, True])
@pytest.mark.parametrize("decoupled", [False, True])
def test_adam_step_equals_the_formula(decoupled, amsgrad):
    p = RNG.standard_normal((7, 9))
    m, v, top = (np.zeros_like(p) for _ in range(3))
    expected, mean, square, most = p.copy(), 0, 0, 0
    for t in (1, 2, 3):
        g = RNG.standard_normal(p.shape) / t
        optim.adam_step(
            p, g, m, v, step=t, lr=0.1, weight_decay=0.2, decoupled=decoupled,
            largest=top if amsgrad else None,
        )  # fmt: skip
        d = g if decoupled else g + 0.2 * expected
        expected = expected * (1 - 0.1 * 0.2) if decoupled else expected
        mean, square = 0.9 * mean + 0.1 * d, 0.999 * square + 0.001 * d * d
        most = np.maximum(most, square)
        corrected = (most if amsgrad else square) / (1 - 0.999**t)
        expected = expected - 0.1 * mean / (1 - 0.9**t) / (np.sqrt(corrected) + 1e-8)
    np.testing.assert_allclose(p, expected)


def test_adam_step_uphill_is_the_step_of_the_negated_gradient():
    g = RNG.standard_normal(5)
    up, down = np.ones(5), np.ones(5)
    optim.adam_step(up, g, np.zeros(5), np.zeros(5), step=1, lr=0.1, maximize=True)
    optim.adam_step(down, -g, np.zeros(5), np.zeros(5), step=1, lr=0.1)
    np.testing.assert_array_equal(up, down)


def test_sgd_step_of_arrays_in_different_orders_works():
    p, g = np.ones((3, 4)), np.asfortranarray(RNG.standard_normal((3, 4)))
    optim.sgd_step(p, g, None, lr=1.0)
    np.testing.assert_allclose(p, 1 - g)
