"""The exponential distribution."""

from __future__ import annotations

from tests.distributions.queries import query_all
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def vectors(torch):
    d = torch.distributions
    return query_all(torch, lambda: d.Exponential(torch.tensor([0.5, 2.0])))


@programs.add
def refused(torch):
    d = torch.distributions
    return [
        attempt(lambda: d.Exponential(0.0)),
    ]


test_exponential = programs.test()
