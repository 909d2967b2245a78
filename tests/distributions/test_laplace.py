"""The Laplace distribution."""

from __future__ import annotations

from tests.distributions.queries import query_all
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def vectors(torch):
    d = torch.distributions
    return query_all(
        torch, lambda: d.Laplace(torch.tensor([0.0, 1.0]), torch.tensor([1.0, 2.0]))
    )


@programs.add
def refused(torch):
    d = torch.distributions
    return [
        attempt(lambda: d.Laplace(0.0, -1.0)),
    ]


test_laplace = programs.test()
