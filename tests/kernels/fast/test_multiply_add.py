"""The loop rounds once, where the processor can."""

import numpy as np
import pytest
from numpy._core._multiarray_umath import __cpu_features__

from edutorch.kernels.fast.multiply_add import add_scaled
from edutorch.kernels.multiply_add import multiply_add
from edutorch.kernels.warmup import has_numba


@pytest.mark.parametrize("kind", ["f", "d"])
def test_a_scaled_sum_is_rounded_once(kind):
    a, b = np.random.default_rng(0).standard_normal((2, 1003)).astype(kind)
    y = np.empty_like(a)
    add_scaled(a, b, y, -0.3)
    exact = multiply_add(np.array(-0.3, kind), b, a)
    fused = has_numba() and __cpu_features__["FMA3"]
    limit = 0 if fused else np.finfo(kind).eps * (abs(a) + abs(b))
    assert (abs(y - exact) <= limit).all()
