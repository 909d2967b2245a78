"""The Bernoulli distribution."""

from __future__ import annotations

from tests.distributions.queries import query_all
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def probs(torch):
    d = torch.distributions
    return query_all(torch, lambda: d.Bernoulli(torch.tensor([0.3, 0.5, 1.0])))


@programs.add
def logits(torch):
    d = torch.distributions
    return query_all(torch, lambda: d.Bernoulli(logits=torch.tensor([[0.3, -2.0]])))


@programs.add
def number(torch):
    d = torch.distributions
    return query_all(torch, lambda: d.Bernoulli(0.3))


@programs.add
def refused(torch):
    d = torch.distributions
    return [
        attempt(lambda: d.Bernoulli(torch.tensor([2.0]))),
        attempt(lambda: d.Bernoulli()),
        attempt(lambda: d.Bernoulli(0.5, 0.5)),
    ]


test_bernoulli = programs.test()
