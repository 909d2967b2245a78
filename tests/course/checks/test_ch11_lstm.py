from __future__ import annotations

import pytest

import edutorch as torch
from edutorch import nn
from edutorch.course.checks.ch11_lstm import LSTM_MISTAKES, _fresh_lstm, _lstm
from edutorch.course.random_cases import draws
from tests.course.checks.test_ch11 import SOLUTIONS
from tests.course.mistakes import each_is_named

GIVEN = [_fresh_lstm(draw) for draw in draws(12, ("float64",))]


@pytest.mark.parametrize("args", GIVEN, ids=range(12))
def test_step_expected_is_that_of_the_cell(args):
    x, h, c, w_x, w_h, b = args
    cell = nn.LSTMCell(x.shape[1], h.shape[1], dtype=torch.float64)
    values = w_x, w_h, b, torch.zeros_like(b)
    for p, value in zip(cell.parameters(), values, strict=True):
        p.data.copy_(value)
    for got, want in zip(_lstm(*args), cell(x, (h, c)), strict=True):
        assert got.numpy() == pytest.approx(want.detach().numpy())


@pytest.mark.parametrize("words", LSTM_MISTAKES)
def test_mistake_of_an_lstm_differs_on_two_cases(words):
    told = 0
    for args in GIVEN:
        try:
            got = torch.stack(list(LSTM_MISTAKES[words](*args)))
        except RuntimeError:
            continue
        except ValueError:  # an answer with this mistake raises it, too
            told += 1
            continue
        told += not torch.allclose(got, torch.stack(list(_lstm(*args))))
    assert told >= 2


def library(x, h, c, w_x, w_h, b):
    return torch.lstm_cell(x, (h, c), w_x, w_h, b)


test_mistakes = each_is_named(
    [
        ("11.3", lambda *args: SOLUTIONS["11.3"](*args)[::-1], "h comes first"),
        ("11.3", library, "lstm_cell, which this exercise forbids"),
    ]
)
