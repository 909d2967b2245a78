"""The binomial distribution."""

from __future__ import annotations

from tests.distributions.queries import query_all
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def probs(torch):
    d = torch.distributions
    return query_all(torch, lambda: d.Binomial(7, torch.tensor([0.3, 0.9])))


@programs.add
def counts(torch):
    d = torch.distributions
    return query_all(
        torch, lambda: d.Binomial(torch.tensor([3, 4]), logits=torch.tensor([0.3, 0.9]))
    )


@programs.add
def sure(torch):
    d = torch.distributions
    return query_all(torch, lambda: d.Binomial(5, torch.tensor([0.0, 1.0])))


@programs.add
def refused(torch):
    d = torch.distributions
    return [
        attempt(lambda: d.Binomial(2)),
        attempt(lambda: d.Binomial(-1, torch.tensor(0.5))),
    ]


test_binomial = programs.test()
