"""Batches taken as events."""

from __future__ import annotations

from tests.distributions.queries import query_all
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def rows(torch):
    d = torch.distributions
    return query_all(
        torch, lambda: d.Independent(d.Normal(torch.zeros(2, 3), torch.ones(2, 3)), 1)
    )


@programs.add
def all(torch):
    d = torch.distributions
    return query_all(torch, lambda: d.Independent(d.Bernoulli(torch.ones(2, 3) / 3), 2))


@programs.add
def none(torch):
    d = torch.distributions
    return query_all(torch, lambda: d.Independent(d.Bernoulli(torch.ones(2, 3) / 3), 0))


@programs.add
def refused(torch):
    d = torch.distributions
    return [
        attempt(lambda: d.Independent(d.Normal(0.0, 1.0), 1)),
    ]


test_independent = programs.test()
