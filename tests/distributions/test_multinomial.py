"""The multinomial distribution."""

from __future__ import annotations

from tests.distributions.queries import query_all
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def probs(torch):
    d = torch.distributions
    return query_all(
        torch,
        lambda: d.Multinomial(6, torch.tensor([[1.0, 2.0, 3.0], [0.0, 1.0, 1.0]])),
    )


@programs.add
def refused(torch):
    d = torch.distributions
    return [
        attempt(lambda: d.Multinomial(2.5, torch.ones(2))),
    ]


test_multinomial = programs.test()
