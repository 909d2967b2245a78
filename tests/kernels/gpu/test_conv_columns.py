"""Convolution by gathered columns: the numbers of the kernels for the CPU."""

import numpy as np
import pytest

from edutorch.kernels import conv
from edutorch.kernels.gpu import conv as gpu_conv
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


@pytest.fixture
def launched(monkeypatch) -> list[str]:
    """The kernels that run."""
    names, launch = [], conv_columns._launch

    def noted(name, *arguments):
        names.append(name)
        launch(name, *arguments)

    monkeypatch.setattr(conv_columns, "_launch", noted)
    return names


@pytest.mark.parametrize("parts", ["whole batch", "image by image"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", CASES)
def test_convolution_and_its_gradients_equal_the_cpus(
    name, dtype, parts, monkeypatch, launched
):
    if parts == "image by image":
        monkeypatch.setattr(gpu_conv, "COLUMN_BYTES", 1)
    x_shape, w_shape, *geometry = CASES[name]
    rng = np.random.default_rng(0)
    x, w = (rng.normal(size=s).astype(dtype) for s in (x_shape, w_shape))
    b = rng.normal(size=w_shape[0]).astype(dtype)
    y = conv.conv_forward(x, w, b, *geometry)
    g = rng.normal(size=y.shape).astype(dtype)
    pairs = [
        (gpu_conv.conv_forward(x, w, b, *geometry, y.shape[2:]), y),
        (gpu_conv.conv_forward(x, w, None, *geometry, y.shape[2:]),
         conv.conv_forward(x, w, None, *geometry)),
        (gpu_conv.conv_grad_weight(g, x, w_shape, *geometry),
         conv.conv_grad_weight(g, x, w_shape, *geometry)),
        (gpu_conv.conv_grad_input(g, w, x_shape, *geometry),
         conv.conv_grad_input(g, w, x_shape, *geometry)),
    ]  # fmt: skip
    for ours, expected in pairs:
        np.testing.assert_allclose(ours, expected, rtol=1e-4, atol=1e-4)
    assert {"images_first", "scatter"} <= set(launched)
    assert ("gather" in launched) is (name != "1 x 1")


def test_columns_of_strided_images_equal_those_of_a_copy():
    x = np.arange(48, dtype=np.float32).reshape(4, 6, 2).T  # (2, 6, 4), not contiguous
    where = (3,), (2,), (1,), (0,), (1,)
    found = conv_columns.gather(x, *where)
    assert (found == conv_columns.gather(x.copy(), *where)).all()


def test_three_dimensions_are_left_to_others(launched):
    x, w = np.zeros((1, 1, 3, 3, 3), np.float32), np.ones((1, 1, 1, 1, 1), np.float32)
    ones, zeros = (1, 1, 1), (0, 0, 0)
    gpu_conv.conv_grad_input(x, w, x.shape, ones, zeros, ones, 1)
    assert conv_columns.gather(x, ones, (3, 3, 3), ones, zeros, ones) is None
    assert launched == []
