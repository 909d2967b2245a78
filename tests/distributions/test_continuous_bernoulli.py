"""The continuous Bernoulli distribution."""

from __future__ import annotations

from tests.distributions.queries import gradients, query_all
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def parameters(torch):
    d = torch.distributions
    return query_all(
        torch, lambda: d.ContinuousBernoulli(torch.tensor([0.0, 0.2, 0.4995, 0.5, 1.0]))
    )


@programs.add
def more_parameters(torch):
    d = torch.distributions
    return query_all(
        torch, lambda: d.ContinuousBernoulli(logits=torch.tensor([[0.3], [-2.0]]))
    )


@programs.add
def other_parameters(torch):
    d = torch.distributions
    return query_all(torch, lambda: d.ContinuousBernoulli(0.3))


@programs.add
def derivatives(torch):
    d = torch.distributions
    return gradients(torch, d.ContinuousBernoulli, [0.2, 0.5, 0.7])


@programs.add
def refused(torch):
    d = torch.distributions
    return [
        attempt(lambda: d.ContinuousBernoulli(2.0, validate_args=True)),
        attempt(lambda: d.ContinuousBernoulli(0.5, 0.5)),
        attempt(lambda: d.ContinuousBernoulli(2.0)),
    ]


test_continuous_bernoulli = programs.test()
