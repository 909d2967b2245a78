"""Convolution by gathered columns: the numbers of the kernels for the CPU."""

import numpy as np
import pytest

from edutorch.kernels import conv
from edutorch.kernels.gpu import conv_columns
from tests.kernels.gpu.on_cpu import kernels_on_the_cpu

pytestmark = pytest.mark.usefixtures(kernels_on_the_cpu.__name__)
# Shapes of x and w, stride, padding, dilation, groups.
CASES = {
    "two groups": ((3, 4, 9, 8), (6, 2, 3, 2), (2, 1), (1, 0), (1, 2), 2),
    "1 x 1": ((2, 3, 7, 7), (5, 3, 1, 1), (1, 1), (0, 0), (1, 1), 1),
    "1 x 1 with a stride": ((2, 3, 7, 7), (5, 3, 1, 1), (2, 2), (0, 0), (1, 1), 1),
    "one dimension": ((2, 4, 11), (4, 1, 3), (2,), (1,), (2,), 4),
}


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", CASES)
def test_convolution_and_its_gradients_equal_the_cpus(name, dtype):
    x_shape, w_shape, *geometry = CASES[name]
    rng = np.random.default_rng(0)
    x, w = (rng.normal(size=s).astype(dtype) for s in (x_shape, w_shape))
    b = rng.normal(size=w_shape[0]).astype(dtype)
    y = conv.conv_forward(x, w, b, *geometry)
    g = rng.normal(size=y.shape).astype(dtype)
    pairs = [
        (conv_columns.conv_forward(x, w, b, *geometry, y.shape[2:]), y),
        (conv_columns.conv_forward(x, w, None, *geometry, y.shape[2:]),
         conv.conv_forward(x, w, None, *geometry)),
        (conv_columns.conv_grad_weight(g, x, w_shape, *geometry),
         conv.conv_grad_weight(g, x, w_shape, *geometry)),
        (conv_columns.conv_grad_input(g, w, x_shape, *geometry),
         conv.conv_grad_input(g, w, x_shape, *geometry)),
    ]  # fmt: skip
    for ours, expected in pairs:
        np.testing.assert_allclose(ours, expected, rtol=1e-4, atol=1e-4)


def test_three_dimensions_are_left_to_others():
    x, w = np.zeros((1, 1, 3, 3, 3), np.float32), np.zeros((1, 1, 1, 1, 1), np.float32)
    ones, zeros = (1, 1, 1), (0, 0, 0)
    done = conv_columns.conv_forward(x, w, None, ones, zeros, ones, 1, (3, 3, 3))
    assert done is None
