from __future__ import annotations

import numpy as np
import pytest

import edutorch as torch
from edutorch import nn
from edutorch.course.checks.ch11_cells import (
    GRADIENT_MISTAKES,
    RNN_MISTAKES,
    _fresh_gradient,
    _fresh_rnn,
    _gradient,
    _rnn,
)
from edutorch.course.random_cases import draws
from tests.course.checks.test_ch11 import SOLUTIONS
from tests.course.mistakes import each_is_named


def given(fresh, count=12):
    return [fresh(draw) for draw in draws(count, ("float64",))]


def differs(mistaken, right, args):
    try:
        got = mistaken(*args)
    except (RuntimeError, IndexError):
        return True
    want = right(*args)
    return got.shape != want.shape or not np.allclose(got.numpy(), want.numpy())


@pytest.mark.parametrize("args", given(_fresh_rnn), ids=range(12))
def test_rnn_expected_is_that_of_the_layer(args):
    x, h, w_x, w_h, b = args
    layer = nn.RNN(x.shape[2], h.shape[1], dtype=torch.float64)
    zeros = torch.zeros_like(b)
    for p, value in zip(layer.parameters(), (w_x, w_h, b, zeros), strict=True):
        p.data.copy_(value)
    want = layer(x, h.unsqueeze(0))[0].detach()
    assert _rnn(*args).numpy() == pytest.approx(want.numpy())


@pytest.mark.parametrize("args", given(_fresh_rnn), ids=range(12))
def test_gradient_expected_is_that_of_autograd(args):
    x, h, w_x, w_h, b = args
    w = w_h.clone().requires_grad_()
    outputs = _rnn(x, h, w_x, w, b)
    g = torch.randn(*outputs.shape, dtype=torch.float64)
    (outputs * g).sum().backward()
    states = torch.cat([h.unsqueeze(0), outputs.detach()])
    assert _gradient(states, g, w_h).numpy() == pytest.approx(w.grad.numpy())


@pytest.mark.parametrize("words", RNN_MISTAKES)
def test_mistake_of_a_cell_differs_on_two_cases(words):
    cases = given(_fresh_rnn, 24)
    assert sum(differs(RNN_MISTAKES[words], _rnn, args) for args in cases) >= 2


@pytest.mark.parametrize("words", GRADIENT_MISTAKES)
def test_mistake_of_a_gradient_differs_on_two_cases(words):
    cases = given(_fresh_gradient, 24)
    made = GRADIENT_MISTAKES[words]
    assert sum(differs(made, _gradient, args) for args in cases) >= 2


test_mistakes = each_is_named(
    [
        ("11.1", lambda *args: SOLUTIONS["11.1"](*args)[-1], "only the last state"),
        ("11.2", lambda *args: -SOLUTIONS["11.2"](*args), "the sign"),
    ]
)
