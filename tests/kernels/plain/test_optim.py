"""Steps of optimizers on whole arrays, by their arithmetic."""

import numpy as np

from edutorch.kernels.plain.optim import AdamSettings, SgdSettings, adam_step, sgd_step


def test_sgd_step_follows_the_gradient_then_the_velocity():
    p, g, v = np.array([1.0]), np.array([2.0]), np.zeros(1)
    settings = SgdSettings(lr=0.1, momentum=0.5)
    sgd_step(p, g, v, True, settings)
    np.testing.assert_allclose([p[0], v[0]], [0.8, 2.0])
    sgd_step(p, g, v, False, settings)
    np.testing.assert_allclose([p[0], v[0]], [0.5, 3.0])


def test_adam_step_of_the_first_gradient_has_the_size_of_the_rate():
    p, m, v = np.array([1.0, 1.0]), np.zeros(2), np.zeros(2)
    adam_step(p, np.array([5.0, -0.01]), m, v, None, 1, AdamSettings(lr=0.1, eps=0))
    np.testing.assert_allclose(p, [0.9, 1.1])
    np.testing.assert_allclose(m, [0.5, -0.001])


def test_adam_step_when_decoupled_shrinks_the_weights_apart():
    p, zero = np.array([2.0]), np.zeros(1)
    settings = AdamSettings(lr=0.1, weight_decay=0.5, decoupled=True)
    adam_step(p, zero, np.zeros(1), np.zeros(1), None, 1, settings)
    np.testing.assert_allclose(p, 2 * (1 - 0.1 * 0.5))
