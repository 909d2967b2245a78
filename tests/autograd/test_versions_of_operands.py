"""Which operands may be changed in place between a call and its backward."""

from __future__ import annotations

import pytest

from tests.ops.cases import alike, refused

MADE = (
    "x = singles[:, :2] * 1; x.requires_grad_({}); s = singles[:, 1:] * 1; "
    "s.requires_grad_({}); leaves = [t for t in (x, s) if t.requires_grad]; "
    "x, s = x * 1, s * 1; i = torch.tensor([0, 1]); j = torch.tensor([[0, 1], [1, 0]])"
)
FIRST, SECOND = MADE.format(True, False), MADE.format(False, True)
GRADIENT = "torch.autograd.grad(y.sum(), leaves)"

MAY_CHANGE = [
    (FIRST, "torch.erfinv(x)", "y.mul_(2)"),
    (FIRST, "torch.fmod(x, s)", "s.add_(1)"),
    (FIRST, "torch.remainder(x, s)", "x.add_(1)"),
    (FIRST, "torch.hypot(x, s)", "s.add_(1)"),
    (SECOND, "torch.hypot(x, s)", "x.add_(1)"),
    (SECOND, "torch.copysign(x, s)", "x.add_(1)"),
    (FIRST, "x.addcmul(s, s)", "s.add_(1)"),
    (FIRST, "torch.addmm(x, s, s)", "s.add_(1)"),
    (FIRST, "torch.addr(x, s[0], s[1])", "s.add_(1)"),
    (FIRST, "x.index_add(0, i, s)", "i.add_(0)"),
    (FIRST, "x.scatter_add(0, j, s)", "j.add_(0)"),
    (FIRST, "x.index_copy(0, i, s)", "s.add_(1)"),
]
MAY_NOT = [
    (SECOND, "x.index_add(0, i, s)", "s.add_(1)"),
    (SECOND, "x.index_copy(0, i, s)", "s.add_(1)"),
    (SECOND, "x.put(i, s[0])", "s.add_(1)"),
    (FIRST, "x.gather(0, j)", "x.add_(1)"),
    (FIRST, "x.take(i)", "x.add_(1)"),
    (FIRST, "x.masked_select(s > 0)", "x.add_(1)"),
    (FIRST, "x.index_reduce(0, i, s, 'amax')", "y.mul_(2)"),
]


@pytest.mark.parametrize(("made", "call", "change"), MAY_CHANGE)
def test_operands_that_backward_does_not_read_may_change(made, call, change):
    alike(__file__, f"{made}; y = {call}; {change}; {GRADIENT}")


@pytest.mark.parametrize(("made", "call", "change"), MAY_NOT)
def test_operands_that_backward_depends_on_may_not_change(made, call, change):
    refused(__file__, f"{made}; y = {call}; {change}; {GRADIENT}")


def test_weights_of_a_loss_may_not_change():
    loss = "torch.nn.functional.nll_loss(x, i, weight=w)"
    refused(__file__, f"{FIRST}; w = s[0].abs(); y = {loss}; w.add_(1); {GRADIENT}")
