"""The χ² distribution."""

from __future__ import annotations

from tests.distributions.queries import gradients, query_all
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def parameters(torch):
    d = torch.distributions
    return query_all(torch, lambda: d.Chi2(torch.tensor([[0.5, 9.0]])))


@programs.add
def more_parameters(torch):
    d = torch.distributions
    return query_all(torch, lambda: d.Chi2(3.0))


@programs.add
def derivatives(torch):
    d = torch.distributions
    return gradients(torch, d.Chi2, [0.5, 9.0])


@programs.add
def refused(torch):
    d = torch.distributions
    return [
        attempt(lambda: d.Chi2(-1.0)),
    ]


test_chi2 = programs.test()
