"""The logistic-normal distribution."""

from __future__ import annotations

from tests.distributions.queries import gradients, query_all
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def parameters(torch):
    d = torch.distributions
    return query_all(
        torch,
        lambda: d.LogisticNormal(torch.tensor([[0.5, -1.0]]), torch.tensor([1.0, 0.2])),
    )


@programs.add
def more_parameters(torch):
    d = torch.distributions
    return query_all(torch, lambda: d.LogisticNormal(0.0, 1.0))


@programs.add
def derivatives(torch):
    d = torch.distributions
    return gradients(torch, d.LogisticNormal, [0.5, -1.0], [1.0, 0.2])


@programs.add
def refused(torch):
    d = torch.distributions
    return [
        attempt(lambda: d.LogisticNormal(0.0, -1.0)),
    ]


test_logistic_normal = programs.test()
