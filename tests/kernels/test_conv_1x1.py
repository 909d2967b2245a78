"""1 x 1 convolutions equal the general convolution."""

import numpy as np
import pytest

from edutorch.kernels import conv_1x1
from tests.kernels.formulas import conv_formula

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("stride", [(1, 1), (2, 3)])
def test_pointwise_equals_the_reference(stride):
    x, w = RNG.standard_normal((3, 4, 17, 19)), RNG.standard_normal((5, 4, 1, 1))
    b = RNG.standard_normal(5)
    expected = conv_formula(x, w, b, stride, (0, 0), (1, 1), 1)
    y = conv_1x1.forward(x, w, b, stride, expected.shape[2:])
    np.testing.assert_allclose(y, expected)


@pytest.mark.parametrize("stride", [(1, 1), (2, 3)])
def test_pointwise_gradients_are_its_transposes(stride):
    x, w = RNG.standard_normal((3, 4, 17, 19)), RNG.standard_normal((5, 4, 1, 1))
    out = tuple(-(-n // t) for n, t in zip(x.shape[2:], stride, strict=True))
    y = conv_1x1.forward(x, w, None, stride, out)
    g = RNG.standard_normal(y.shape)
    total = (g * y).sum()
    gx = conv_1x1.grad_input(g, w, x.shape, stride)
    gw = conv_1x1.grad_weight(g, x, w.shape, stride)
    np.testing.assert_allclose((gx * x).sum(), total)
    np.testing.assert_allclose((gw * w).sum(), total)


def test_pointwise_pays_for_single_cells_and_large_images():
    x = np.zeros((2, 4, 8, 8))
    assert conv_1x1.is_worthwhile(x, (5, 4, 1, 1), (8, 8), (0, 0), 1)
    assert not conv_1x1.is_worthwhile(x, (5, 4, 1, 1), (8, 8), (0, 0), 2)
    assert not conv_1x1.is_worthwhile(x, (5, 4, 3, 3), (8, 8), (0, 0), 1)
    assert not conv_1x1.is_worthwhile(x, (5, 4, 1, 1), (4, 4), (0, 0), 1)
    assert not conv_1x1.is_worthwhile(
        x.astype(np.float16), (5, 4, 1, 1), (8, 8), (0, 0), 1
    )
