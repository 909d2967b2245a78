"""The uniform distribution."""

from __future__ import annotations

from tests.distributions.queries import query_all
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def vectors(torch):
    d = torch.distributions
    return query_all(
        torch, lambda: d.Uniform(torch.tensor([0.0, -1.0]), torch.tensor([1.0, 2.0]))
    )


@programs.add
def numbers(torch):
    d = torch.distributions
    return query_all(torch, lambda: d.Uniform(0.0, 2.0))


@programs.add
def refused(torch):
    d = torch.distributions
    return [
        attempt(lambda: d.Uniform(1.0, 0.0)),
    ]


test_uniform = programs.test()
