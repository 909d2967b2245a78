"""The Weibull distribution."""

from __future__ import annotations

from tests.distributions.queries import gradients, query_all
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def parameters(torch):
    d = torch.distributions
    return query_all(
        torch, lambda: d.Weibull(torch.tensor([0.5, 2.0]), torch.tensor([1.5, 4.0]))
    )


@programs.add
def derivatives(torch):
    d = torch.distributions
    return gradients(torch, d.Weibull, [0.5, 2.0], [1.5, 4.0])


@programs.add
def refused(torch):
    d = torch.distributions
    return [
        attempt(lambda: d.Weibull(1.0, -1.0)),
    ]


test_weibull = programs.test()
