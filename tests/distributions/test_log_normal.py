"""The log-normal distribution."""

from __future__ import annotations

from tests.distributions.queries import gradients, query_all
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def parameters(torch):
    d = torch.distributions
    return query_all(
        torch,
        lambda: d.LogNormal(torch.tensor([0.5, -1.0]), torch.tensor([[1.0], [0.2]])),
    )


@programs.add
def derivatives(torch):
    d = torch.distributions
    return gradients(torch, d.LogNormal, [0.5, -1.0], [1.0, 0.2])


@programs.add
def refused(torch):
    d = torch.distributions
    return [
        attempt(lambda: d.LogNormal(0.0, -1.0)),
    ]


test_log_normal = programs.test()
