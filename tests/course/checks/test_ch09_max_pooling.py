from __future__ import annotations

import numpy as np
import pytest

from edutorch.course.checks.ch09_max_pooling import (
    POOL_MISTAKES,
    POOL_SHOWN,
    fresh_pool,
    max_pool_backward,
)
from edutorch.course.random_cases import draws
from edutorch.nn import functional as F

CASES = [*POOL_SHOWN, *map(fresh_pool, draws(20, ("float32", "float64")))]


def test_right_gradient_is_that_of_autograd():
    for g, x, k, stride in CASES:
        leaf = x.clone().requires_grad_()
        F.max_pool2d(leaf, k, stride).backward(g)
        got = max_pool_backward(g, x, k, stride)
        assert got.dtype == x.dtype
        assert np.allclose(got.numpy(), leaf.grad.numpy(), atol=1e-6)


@pytest.mark.parametrize("words", POOL_MISTAKES)
def test_mistake_shows_in_two_of_the_cases(words):
    apart = 0
    for case in CASES:
        got, want = POOL_MISTAKES[words](*case), max_pool_backward(*case).numpy()
        apart += not np.allclose(got, want, atol=1e-4)
    assert apart >= 2
