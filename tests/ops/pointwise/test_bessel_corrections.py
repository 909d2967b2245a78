"""Corrections that give Bessel functions the numerical errors of PyTorch's."""

import numpy as np
import pytest

from edutorch.ops.pointwise import bessel_corrections
from tests.ops.cases import alike

POINTS = "torch.linspace(-12, 12, 49, dtype=torch.float64)"


@pytest.mark.parametrize("name", ["j0", "j1", "y0", "y1"])
def test_bessel_functions_equal_pytorch_to_the_last_digits(name):
    alike(__file__, f"torch.special.bessel_{name}({POINTS})")
    alike(__file__, f"torch.special.bessel_{name}({POINTS}.float())")


def test_bessel_functions_at_the_ends_equal_pytorch():
    for name in ("j0", "j1", "y0", "y1"):
        alike(__file__, f"torch.special.bessel_{name}(specials)")


@pytest.mark.parametrize("order", [0, 1])
def test_the_excess_is_small_and_continues_to_nothing(order):
    x = np.array([1e-3, 1.0, 4.0, 6.0, 30.0, 1e3])
    j = np.ones(6)
    for excess in (bessel_corrections.j_excess, bessel_corrections.y_excess):
        found = np.abs(excess(order, x, j))
        assert found.max() < 1e-6
        assert found[0] < 1e-12
        assert found[-1] < 1e-15
