"""Convolutions by rows of windows, against sums over the cells of the kernel."""

import numpy as np
import pytest

from edutorch.kernels.plain import conv
from edutorch.kernels.sliding_windows import conv_size
from tests.kernels.formulas import conv_formula
from tests.kernels.test_conv import CASES, RNG, operands


@pytest.mark.parametrize("case", CASES)
def test_conv_forward_equals_the_formula(case):
    x, w, b, params = operands(case)
    out = conv_size(x.shape[2:], w.shape[2:], *params[:3])
    y = conv.conv_forward(x, w, b, *params, out)
    np.testing.assert_allclose(y, conv_formula(x, w, b, *params))


@pytest.mark.parametrize("case", CASES)
def test_conv_gradients_are_transposes_of_the_forward(case):
    """<g, conv(x, w)> = <grad_input(g, w), x> = <grad_weight(g, x), w>."""
    x, w, _, params = operands(case)
    y = conv_formula(x, w, None, *params)
    g = RNG.standard_normal(y.shape)
    gx = conv.conv_grad_input(g, w, x.shape, *params)
    gw = conv.conv_grad_weight(g, x, w.shape, *params)
    assert gx.shape == x.shape
    assert gw.shape == w.shape
    np.testing.assert_allclose([(gx * x).sum(), (gw * w).sum()], (g * y).sum())


def test_conv_forward_of_fewer_outputs_gives_the_first():
    x, w = RNG.standard_normal((1, 1, 6)), np.ones((1, 1, 2))
    y = conv.conv_forward(x, w, None, (1,), (0,), (1,), 1, (3,))
    np.testing.assert_allclose(y[0, 0], x[0, 0, :3] + x[0, 0, 1:4])


def test_conv_of_no_images_is_empty():
    x, w = np.zeros((0, 2, 5, 5)), np.zeros((3, 2, 2, 2))
    params = ((1, 1), (0, 0), (1, 1), 1)
    assert conv.conv_forward(x, w, None, *params, (4, 4)).shape == (0, 3, 4, 4)
    g = np.zeros((0, 3, 4, 4))
    assert not conv.conv_grad_weight(g, x, w.shape, *params).any()
    assert conv.conv_grad_input(g, w, x.shape, *params).shape == x.shape


def test_conv_of_float32_stays_float32():
    x, w, b, params = operands("image", np.float32)
    out = conv_size(x.shape[2:], w.shape[2:], *params[:3])
    y = conv.conv_forward(x, w, b, *params, out)
    gx = conv.conv_grad_input(y, w, x.shape, *params)
    assert y.dtype == gx.dtype == np.float32
