"""The LKJ distribution of correlations."""

from __future__ import annotations

from tests.distributions.queries import gradients, query_all
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def parameters(torch):
    d = torch.distributions
    return query_all(torch, lambda: d.LKJCholesky(3, torch.tensor([0.5, 4.0])))


@programs.add
def more_parameters(torch):
    d = torch.distributions
    return query_all(torch, lambda: d.LKJCholesky(2))


@programs.add
def derivatives(torch):
    d = torch.distributions
    return gradients(torch, lambda c: d.LKJCholesky(3, c), [0.9, 4.0])


@programs.add
def refused(torch):
    d = torch.distributions
    return [
        attempt(lambda: d.LKJCholesky(1)),
        attempt(lambda: d.LKJCholesky(3, -1.0)),
    ]


test_lkj_cholesky = programs.test()
