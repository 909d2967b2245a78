"""The negative binomial distribution."""

from __future__ import annotations

from tests.distributions.queries import gradients, query_all
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def parameters(torch):
    d = torch.distributions
    return query_all(
        torch,
        lambda: d.NegativeBinomial(
            torch.tensor([0.0, 1.5, 4.0]), torch.tensor([0.0, 0.5, 0.9])
        ),
    )


@programs.add
def more_parameters(torch):
    d = torch.distributions
    return query_all(
        torch, lambda: d.NegativeBinomial(3, logits=torch.tensor([[0.3], [-1.0]]))
    )


@programs.add
def derivatives(torch):
    d = torch.distributions
    return gradients(
        torch, lambda n, p: d.NegativeBinomial(n, p), [1.5, 4.0], [0.5, 0.9]
    )


@programs.add
def refused(torch):
    d = torch.distributions
    return [
        attempt(lambda: d.NegativeBinomial(-1.0, torch.tensor(0.5))),
        attempt(lambda: d.NegativeBinomial(1.0)),
    ]


test_negative_binomial = programs.test()
