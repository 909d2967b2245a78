"""Attention by heads equals the formulas, in the memory order of the queries."""

from __future__ import annotations

import numpy as np
import pytest

from edutorch.kernels import attention as module
from edutorch.kernels.attention import attention, attention_backward

RNG = np.random.default_rng(0)


@pytest.fixture(params=["whole", "shared"])
def heads(request, monkeypatch):
    """Queries, keys, values and a gradient, all heads at once or a few at a time."""
    if request.param == "shared":
        monkeypatch.setattr(module, "MIN_NANOSECONDS", 0)
        monkeypatch.setattr(module, "get_num_threads", lambda: 2)
    return [RNG.standard_normal((6, 7, 2, 5)).swapaxes(1, 2) for _ in range(4)]


def weights(q, k, scale, bias):
    scores = scale * np.einsum("nhle,nhse->nhls", q, k) + bias
    e = np.exp(scores - scores.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def test_attention_equals_the_average_of_values(heads):
    q, k, v, _ = heads
    bias = np.triu(np.full((7, 7), -np.inf), 1)
    y, p = attention(q, k, v, 0.3, [bias])
    expected = weights(q, k, 0.3, bias)
    np.testing.assert_allclose(p, expected, rtol=1e-12)
    np.testing.assert_allclose(y, expected @ v, rtol=1e-12, atol=1e-15)


def test_attention_keeps_the_memory_order_of_the_queries(heads):
    q, k, v, g = heads
    y, p = attention(q, k, v, 1.0, [])
    gradients = attention_backward(g, q, k, v, p, 1.0, (True, True, True))
    assert all(a.strides == q.strides for a in (y, *gradients))


def test_attention_gradients_equal_differences(heads):
    q, k, v, g = heads
    operands, step = [q, k, v], 1e-6
    p = attention(q, k, v, 0.3, [])[1]
    gradients = attention_backward(g, q, k, v, p, 0.3, (True, True, True))
    for i, gradient in enumerate(gradients):
        along = RNG.standard_normal(q.shape)
        moved = []
        for sign in (1, -1):
            shifted = list(operands)
            shifted[i] = operands[i] + sign * step * along
            moved.append((attention(*shifted, 0.3, [])[0] * g).sum())
        slope = (moved[0] - moved[1]) / (2 * step)
        assert slope == pytest.approx((gradient * along).sum(), rel=1e-6)


@pytest.mark.parametrize("needs", [(True, False, False), (False, True, False),
                                   (False, False, True)])  # fmt: skip
def test_attention_computes_the_gradients_that_are_needed(heads, needs):
    q, k, v, g = heads
    p = attention(q, k, v, 1.0, [])[1]
    whole = attention_backward(g, q, k, v, p, 1.0, (True, True, True))
    found = attention_backward(g, q, k, v, p, 1.0, needs)
    for gradient, expected, needed in zip(found, whole, needs, strict=True):
        assert (gradient is not None) == needed
        if needed:
            np.testing.assert_array_equal(gradient, expected)
