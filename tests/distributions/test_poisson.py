"""The Poisson distribution."""

from __future__ import annotations

from tests.distributions.queries import query_all
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def vectors(torch):
    d = torch.distributions
    return query_all(torch, lambda: d.Poisson(torch.tensor([0.5, 20.0])))


@programs.add
def refused(torch):
    d = torch.distributions
    return [
        attempt(lambda: d.Poisson(-1.0)),
    ]


test_poisson = programs.test()
