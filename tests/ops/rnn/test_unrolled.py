"""Recurrent layers step by step."""

from __future__ import annotations

import edutorch as torch
from edutorch.ops.rnn.unrolled import (
    step_spans,
    unrolled_gru,
    unrolled_lstm,
    unrolled_rnn,
)


def test_spans_are_the_rows_of_steps_in_either_order():
    assert step_spans((3, 1), False) == [(slice(0, 3), 3), (slice(3, 4), 1)]
    assert step_spans((3, 1), True) == step_spans((3, 1), False)[::-1]


def test_unrolled_layers_are_chains_of_cells():
    torch.manual_seed(1)
    x, h, c, w = (torch.randn(s) for s in ((3, 2, 4), (2, 1), (2, 1), (4, 1)))
    y, last, cells = unrolled_lstm(x, (h, c), w, (2, 2, 2), False)
    for t in range(3):
        h, c = torch.lstm_cell(x[t], (h, c), torch.eye(4), w)
        assert torch.allclose(y[t], h, atol=1e-6)
    assert torch.allclose(last, h) and torch.allclose(cells, c)


def test_unrolled_gru_and_rnn_read_from_the_end_in_reverse():
    torch.manual_seed(1)
    x, h, w, b = (torch.randn(s) for s in ((3, 2, 3), (2, 1), (3, 1), (3,)))
    y, last = unrolled_gru(x, h, w, b, (2, 2, 2), True)
    z, other = unrolled_gru(x.flip(0), h, w, b, (2, 2, 2), False)
    assert torch.allclose(y, z.flip(0)) and torch.allclose(last, other)
    y, last = unrolled_rnn(x[..., :1], h, w[:1], (2, 2, 2), True, "relu")
    assert torch.equal(last, y[0])


def test_unrolled_graph_shows_every_step():
    m, x = torch.nn.GRU(2, 2), torch.ones(5, 1, 2)
    with torch.config.kernels("plain"):
        y, _ = m(x)
    seen, stack = set(), [y.grad_fn]
    while stack:
        node = stack.pop()
        if node is not None and node not in seen:
            seen.add(node)
            stack += [n for n, _ in node.next_functions]
    assert sum(type(n).__name__ == "TanhBackward0" for n in seen) == 5
