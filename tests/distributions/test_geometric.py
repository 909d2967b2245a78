"""The geometric distribution."""

from __future__ import annotations

from tests.distributions.queries import query_all
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def probs(torch):
    d = torch.distributions
    return query_all(torch, lambda: d.Geometric(torch.tensor([0.3, 0.9])))


@programs.add
def logits(torch):
    d = torch.distributions
    return query_all(torch, lambda: d.Geometric(logits=torch.tensor([0.3, 0.9])))


@programs.add
def refused(torch):
    d = torch.distributions
    return [
        attempt(lambda: d.Geometric(0.0)),
        attempt(lambda: d.Geometric()),
    ]


test_geometric = programs.test()
