"""Recurrent cells."""

from __future__ import annotations

from tests.nn.modules.layers import numbers, refused, runs
from tests.programs import Programs, attempt

programs = Programs(__file__)

CASES = (
    ("nn.RNNCell(2, 3)", (4, 2)),
    ("nn.RNNCell(2, 3, nonlinearity='relu')", (4, 2), (4, 3)),
    ("nn.RNNCell(2, 3, bias=False)", (2,), (3,)),
    ("nn.GRUCell(2, 3)", (4, 2), (4, 3)),
    ("nn.GRUCell(2, 3, bias=False)", (2,)),
    ("nn.LSTMCell(2, 3)", (4, 2)),
    ("nn.LSTMCell(2, 3, bias=False)", (2,)),
    ("nn.RNNCell(2, 0)", (4, 2)),
)
REFUSED = (
    ("nn.RNNCell(2, 3)", (1, 4, 2)),
    ("nn.RNNCell(2, 3)", (4, 2), (1, 4, 3)),
    ("nn.RNNCell(2, 3)", (4, 3)),
    ("nn.RNNCell(2, 3, nonlinearity='sin')", (4, 2)),
    ("nn.GRUCell(2, 3)", (4, 2), (4, 2)),
    ("nn.GRUCell(2, 3)", (4, 2), (3, 3)),
    ("nn.GRUCell(2, 3)", (1, 1, 1, 2)),
    ("nn.LSTMCell(2, 3)", (1, 4, 2)),
)


@programs.add
def cells_run_forward_and_backward(torch):
    return runs(torch, CASES)


@programs.add
def states_of_an_lstm_go_round(torch):
    m, found = torch.nn.LSTMCell(2, 3), []
    hx = numbers(torch, 4, 3), numbers(torch, 4, 3, seed=2)
    for _ in range(3):
        hx = m(numbers(torch, 4, 2), hx)
        found.append(hx)
    found.append(m(numbers(torch, 2), (hx[0][0], hx[1][0])))
    found.append(attempt(lambda: m(numbers(torch, 4, 2), (hx[0], hx[1][None]))))
    return found


@programs.add
def wrong_settings_and_inputs_are_refused(torch):
    return refused(torch, REFUSED)


@programs.add
def one_tensor_is_no_pair_of_states(torch):
    cell = torch.nn.LSTMCell(3, 4)
    return attempt(lambda: cell(torch.ones(2, 3), torch.ones(2, 4)))


test_rnn_cells = programs.test()
