"""The fused gates against their composed forms, and their derivatives."""

from __future__ import annotations

import edutorch as torch
from edutorch.autograd import gradcheck, gradgradcheck
from edutorch.ops.rnn.gates import (
    gru_gates,
    gru_gates_reference,
    lstm_gates,
    lstm_gates_reference,
)


def operands(*widths):
    torch.manual_seed(2)
    return [torch.randn(2, n, dtype=torch.float64, requires_grad=True) for n in widths]


def test_lstm_gates_equal_their_composed_form():
    a, c = operands(12, 3)
    for y, z in zip(lstm_gates(a, c), lstm_gates_reference(a, c), strict=True):
        assert torch.allclose(y, z)
        got, expected = (
            torch.autograd.grad(t.sin().sum(), (a, c), retain_graph=True)
            for t in (y, z)
        )
        assert all(torch.allclose(g, h) for g, h in zip(got, expected, strict=True))


def test_gru_gates_equal_their_composed_form():
    a, r, h = operands(9, 9, 3)
    y, (z,) = gru_gates(a, r, h), gru_gates_reference(a, r, h)
    assert torch.allclose(y, z)
    got, expected = (torch.autograd.grad(t.sin().sum(), (a, r, h)) for t in (y, z))
    assert all(torch.allclose(g, h) for g, h in zip(got, expected, strict=True))


def test_gates_have_two_derivatives():
    lstm, gru = operands(8, 2), operands(6, 6, 2)
    assert gradcheck(lstm_gates, lstm) and gradgradcheck(lstm_gates, lstm)
    assert gradcheck(gru_gates, gru) and gradgradcheck(gru_gates, gru)


def test_gates_leave_their_operands_as_they_are():
    a, c = (t.detach() for t in operands(8, 2))
    before = a.clone(), c.clone()
    lstm_gates(a, c)
    gru_gates(a[:, :6], a[:, :6].clone(), c)
    assert torch.equal(a, before[0]) and torch.equal(c, before[1])


def test_gates_in_half_precision_give_half_precision():
    a, c = (t.detach().to(torch.bfloat16).requires_grad_() for t in operands(8, 2))
    h, c2 = lstm_gates(a, c)
    assert h.dtype is c2.dtype is torch.bfloat16
    h.sum().backward()
    assert a.grad.dtype is torch.bfloat16


def test_gates_of_another_dtype_than_the_state_are_rounded_by_each_op():
    a, c = torch.linspace(-1, 1, 8).bfloat16()[None], torch.tensor([[0.3, -0.7]])
    h, cells = lstm_gates(a, c)
    i, f, z, o = a.chunk(4, 1)
    expected = f.sigmoid() * c + i.sigmoid() * z.tanh()
    assert cells.dtype is torch.float32 and torch.equal(cells, expected)
    assert torch.equal(h, o.sigmoid() * expected.tanh())
    y = gru_gates(a[:, :6], a[:, 2:], c)
    (a_r, a_z, a_n), (r_r, r_z, r_n) = a[:, :6].chunk(3, 1), a[:, 2:].chunk(3, 1)
    n = (a_n + (a_r + r_r).sigmoid() * r_n).tanh()
    assert torch.equal(y, n + (a_z + r_z).sigmoid() * (c - n))
