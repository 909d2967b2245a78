"""Copies between devices have gradients, also of second order."""

from __future__ import annotations

import edutorch as torch
from edutorch.nn.parallel import autograd_functions


def test_second_derivatives_pass_all_copies():
    with torch.cuda.simulate(devices=2):
        x = torch.tensor([1.0, 2.0, 3.0], device="cuda:0", requires_grad=True)
        copies = autograd_functions.Broadcast.apply([0, 1], x)
        parts = autograd_functions.Scatter.apply([0, 1], None, 0, copies[1] ** 3)
        y = autograd_functions.Gather.apply(0, 0, *parts).sum()
        (g,) = torch.autograd.grad(y, x, create_graph=True)
        assert g.tolist() == [3.0, 12.0, 27.0]
        (h,) = torch.autograd.grad(g.sum(), x)
        assert h.tolist() == [6.0, 12.0, 18.0]


def test_phases_are_free_where_nobody_listens(seen):
    with autograd_functions.phase("scatter"):
        pass
    assert [r[7] for r in seen if r[0] == "mark"] == ["begin", "end"]
