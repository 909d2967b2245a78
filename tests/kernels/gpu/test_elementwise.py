"""Elementwise kernels: the numbers of the kernels for the CPU."""

import numpy as np
import pytest

from edutorch.kernels import activations, erf
from edutorch.kernels.gpu import elementwise
from tests.kernels.gpu.on_cpu import kernels_on_the_cpu

pytestmark = pytest.mark.usefixtures(kernels_on_the_cpu.__name__)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", elementwise.EXPRESSIONS)
def test_kernel_equals_the_cpus(name, dtype):
    rng = np.random.default_rng(0)
    x, g = (rng.normal(size=(3, 100)).astype(dtype) for _ in range(2))
    values = {"x": x, "g": g, "y": np.maximum(x, 0)}
    arrays = tuple(values[v] for v in elementwise.EXPRESSIONS[name][0].split())
    settings = (0.1,) if name.startswith("leaky") else ()
    formulas = erf if name.startswith("gelu") else activations
    expected = getattr(formulas, name)(*arrays, *settings)
    ours = elementwise.run(name, arrays, *settings)
    assert ours.dtype == dtype
    np.testing.assert_allclose(ours, expected, rtol=1e-4, atol=1e-6)


def test_unknown_kernels_and_other_shapes_are_left_to_others():
    x = np.zeros((2, 3), np.float32)
    assert elementwise.run("no such kernel", (x,)) is None
    assert elementwise.run("relu_gradient", (x, x[0])) is None
