"""Undoing of broadcasting."""

from __future__ import annotations

import numpy as np
import pytest

import edutorch as torch
from edutorch.autograd.dispatch import Op, apply1
from edutorch.autograd.unbroadcast import sum_to


@pytest.mark.parametrize(
    ("large", "small"),
    [((2, 3), (3,)), ((2, 3), (2, 1)), ((4, 2, 3), (1, 3)), ((2, 3), ()), ((2,), (2,))],
)
def test_sum_to_adds_up_the_repeats(large, small):
    g = np.arange(np.prod(large), dtype=float).reshape(large)
    once = np.zeros(small)
    expected = np.zeros(small)
    np.add.at(
        expected.reshape(-1),
        np.broadcast_to(np.arange(once.size).reshape(small), large).reshape(-1),
        g.reshape(-1),
    )
    assert np.allclose(sum_to(g, small), expected)
    assert np.allclose(sum_to(torch.from_numpy(g), small).numpy(), expected)


def test_index_of_an_impossible_gradient_counts_edges_of_the_graph():
    x, source = torch.ones(3, 5), torch.ones(2, 5, requires_grad=True)
    index = torch.zeros(2, 2, dtype=torch.int64)
    y = x.scatter(0, index, source)
    with pytest.raises(RuntimeError, match="invalid gradient at index 1"):
        y.sum().backward()


def test_gradient_of_an_impossible_shape_is_an_error():
    class Bad(Op):
        def forward(self, x):
            return x + 0

        def backward(self, g):
            return np.ones(7)

    with pytest.raises(RuntimeError, match="returned an invalid gradient at index 0"):
        apply1(Bad(), torch.ones(2, requires_grad=True)).sum().backward()
