"""Sums of products of gradients and columns."""

import numpy as np
import pytest

from edutorch.kernels import conv_weight_gradient
from edutorch.kernels.conv_weight_gradient import WeightGradient


def numbers(seed, *shape):
    return np.random.default_rng(seed).standard_normal(shape)


@pytest.mark.parametrize("largest", [0, 2**17])
@pytest.mark.parametrize(("o", "rows", "groups"), [(4, 18, 1), (6, 9, 3), (30, 9, 1)])
def test_products_are_summed_in_either_order(o, rows, groups, largest, monkeypatch):
    monkeypatch.setattr(conv_weight_gradient, "MAX_TRANSPOSED", largest)
    g, columns = numbers(1, 5, groups, o // groups, 7), numbers(2, 5, groups, rows, 7)
    gradient = WeightGradient(g, 2, (o, rows // 9, 3, 3), groups, np.matmul)
    for i in range(5):
        gradient.add(i % 2, g[i], columns[i])
    wanted = np.einsum("ngop,ngrp->gor", g, columns).reshape(o, rows // 9, 3, 3)
    np.testing.assert_allclose(gradient.total(), wanted, rtol=1e-12, atol=1e-12)


def test_a_gradient_without_products_is_zero():
    gradient = WeightGradient(numbers(1, 3), 2, (2, 3, 1, 1), 1, np.matmul)
    assert gradient.total().tolist() == np.zeros((2, 3, 1, 1)).tolist()
