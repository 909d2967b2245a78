"""Loops over channels, against the convolution that is written as its formula."""

import numpy as np

from edutorch.kernels.fast import conv_depthwise as fast
from edutorch.kernels.padded_buffers import conv_geometry, padded_buffer
from tests.kernels.formulas import conv_formula

RNG = np.random.default_rng(0)
HOW = ((2, 3), (1, 2), (1, 2))
X, W = RNG.standard_normal((2, 3, 8, 13)), RNG.standard_normal((6, 1, 3, 2))
Y = conv_formula(X, W, None, *HOW, 3)  # (2, 6, 4, 5)
PLANES, KERNELS = X.reshape(6, 8, 1, 13), W.reshape(6, 3, 1, 2)


def space():
    return padded_buffer(conv_geometry(*HOW), (8, 1, 13), 10, X.dtype)


def test_forward_adds_some_planes():
    y = np.ones((12, 4, 1, 5))
    fast.forward(PLANES, KERNELS, conv_geometry(*HOW), space(), 3, 12, y)
    assert (y[:3] == 1).all()
    np.testing.assert_allclose(y[3:], 1 + Y.reshape(y.shape)[3:], atol=1e-12)


def test_gradients_are_transposes_of_the_forward():
    g = RNG.standard_normal(Y.shape)
    gradients, gx = g.reshape(12, 4, 1, 5), np.empty(PLANES.shape)
    fast.grad_input(gradients, KERNELS, conv_geometry(*HOW), space(), 0, 6, gx)
    gw = np.empty(KERNELS.shape)
    fast.grad_weight(gradients, PLANES, conv_geometry(*HOW), space(), 0, 6, gw)
    sums = (gx * PLANES).sum(), (gw * KERNELS).sum()
    np.testing.assert_allclose(sums, (g * Y).sum())
