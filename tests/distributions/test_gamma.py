"""The gamma distribution."""

from __future__ import annotations

from tests.distributions.queries import gradients, query_all
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def parameters(torch):
    d = torch.distributions
    return query_all(torch, lambda: d.Gamma(torch.tensor([0.3, 4.0, 40.0]), 2.0))


@programs.add
def derivatives(torch):
    d = torch.distributions
    return gradients(torch, d.Gamma, [0.3, 4.0], [1.5, 0.5])


@programs.add
def refused(torch):
    d = torch.distributions
    return [
        attempt(lambda: d.Gamma(-1.0, 1.0)),
    ]


test_gamma = programs.test()
