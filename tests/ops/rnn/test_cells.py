"""Recurrent cells: values, gradients and refusals like PyTorch's."""

from __future__ import annotations

import pytest

import edutorch
from tests.ops.cases import alike, derivatives, refused

SIZES = "x=a; h=torch.cat([a, a[:, :1]], 1)*0.5"
W = "torch.arange({0}*{1}, dtype=torch.float64).reshape({0}, {1}).sin()"


def weights(gates, features=3, size=4, biases=True):
    w = [W.format(gates * size, features), W.format(gates * size, size) + " * 0.5"]
    if biases:
        w += [f"{W.format(gates * size, 1)}[:, 0]"] * 2
    return ", ".join(w)


CASES = [
    f"{SIZES}; torch.rnn_tanh_cell(x, h, {weights(1)})",
    f"{SIZES}; torch.rnn_relu_cell(x, h, {weights(1)})",
    f"{SIZES}; torch.rnn_tanh_cell(x, h, {weights(1, biases=False)})",
    f"{SIZES}; torch.lstm_cell(x, (h, h * 2), {weights(4)})",
    f"{SIZES}; torch.lstm_cell(x, (h, h * 2), {weights(4, biases=False)})",
    f"{SIZES}; torch.gru_cell(x, h, {weights(3)})",
    f"{SIZES}; torch.gru_cell(x, h, {weights(3, biases=False)})",
    f"torch.rnn_tanh_cell(singles, singles, {weights(1, 3, 3)[:0]}square.float(), square.float())",
]
REFUSED = [
    "torch.lstm_cell(torch.ones(2, 3), [torch.ones(2, 4), torch.ones(2, 4)], torch.ones(16, 3), torch.ones(1, 1, 1, 1))",
    "torch.lstm_cell(torch.ones(2, 3), [torch.ones(2, 4), torch.ones(2, 4)], torch.ones(16, 3), torch.ones(()))",
    "torch.lstm_cell(torch.ones(2, 3), [torch.ones(2, 4), torch.ones(2, 4)], torch.ones(16), torch.ones(16, 4))",
    "torch.lstm_cell(torch.ones(3), [torch.ones(2, 4), torch.ones(2, 4)], torch.ones(16, 3), torch.ones(16, 4))",
    "torch.lstm_cell(torch.ones(2, 3), [torch.ones(2), torch.ones(2, 4)], torch.ones(16, 3), torch.ones(16, 4))",
    "torch.lstm_cell(torch.ones(2, 3), [torch.ones(()), torch.ones(2, 4)], torch.ones(16, 3), torch.ones(16, 4))",
    "torch.lstm_cell(torch.ones(2, 3, 1), [torch.ones(2, 4), torch.ones(2, 4)], torch.ones(16, 3), torch.ones(16, 4))",
    "torch.lstm_cell(torch.ones(2, 3), [torch.ones(2, 4), torch.ones(2, 4)], torch.ones(16, 3, 1), torch.ones(16, 4))",
    "torch.gru_cell(torch.ones(2, 3), torch.ones(2, 4), torch.ones(12, 3), torch.ones(2, 2, 2))",
    "torch.gru_cell(torch.ones(2, 3), torch.ones(3), torch.ones(12, 3), torch.ones(12, 4))",
    "torch.gru_cell(torch.ones(1, 3), torch.ones(1, 4, 4), torch.ones(12, 3), torch.ones(12, 4))",
    "torch.rnn_relu_cell(torch.ones(2, 3), torch.ones(2, 4), torch.ones(5, 3), torch.ones(4, 4))",
    "torch.rnn_tanh_cell(torch.ones(2, 3), torch.ones(2, 4), torch.ones(4, 3), torch.ones(5, 4))",
    f"torch.rnn_tanh_cell(b[:, :2], a, {weights(1, 3, 3)})",
    f"torch.rnn_tanh_cell(a, a[:1], {weights(1, 3, 3)})",
    f"torch.rnn_relu_cell(a, a[:, :2], {weights(1, 3, 3)})",
    f"torch.lstm_cell(a, (a,), {weights(4, 3, 3)})",
    f"torch.lstm_cell(a, a, {weights(4, 3, 3)})",
    f"torch.lstm_cell(a, (a, a), {weights(1, 3, 3)})",
    f"torch.lstm_cell(a, (a, a[:1]), {weights(4, 3, 3)})",
    f"torch.lstm_cell(a, (a, a[:, :2]), {weights(4, 3, 3)})",
    f"torch.gru_cell(a, a, {weights(4, 3, 3)})",
]


@pytest.mark.parametrize("case", CASES)
def test_cells_equal_pytorchs(case):
    alike(__file__, case, nodes=False)


@pytest.mark.parametrize("case", REFUSED)
def test_cells_refuse_what_does_not_fit(case):
    refused(__file__, case)


@pytest.mark.parametrize(
    "case",
    [
        "torch.rnn_tanh_cell(a, b, square, square + 0.1)",
        "torch.lstm_cell(a, (b, a), torch.cat([square, square, square, square]), torch.cat([square] * 4))",
        "torch.gru_cell(a, b, torch.cat([square, square, square]), torch.cat([square] * 3), row.repeat(3))",
    ],
)
def test_cells_have_two_derivatives(case):
    derivatives(case)


def test_hooks_of_an_lstm_cell_run_from_the_weights_of_the_input():
    cell, order = edutorch.nn.LSTMCell(3, 4), []
    for name, p in cell.named_parameters():
        p.register_hook(lambda _, name=name: order.append(name))
    cell(edutorch.ones(2, 3))[0].sum().backward()
    assert order == ["bias_ih", "weight_ih", "bias_hh", "weight_hh"]  # as in PyTorch


@pytest.mark.parametrize("gates", [3, 4])
def test_cells_refuse_integers_as_pytorch_does(gates):
    x, h = (
        edutorch.ones(1, 2, dtype=edutorch.int64),
        edutorch.ones(1, 3, dtype=edutorch.int64),
    )
    weights = [edutorch.ones(3 * gates, n, dtype=edutorch.int64) for n in (2, 3)]
    with pytest.raises(RuntimeError, match="result type Float can't be cast .* Long"):
        if gates == 3:
            edutorch.gru_cell(x, h, *weights)
        else:
            edutorch.lstm_cell(x, [h, h], *weights)
