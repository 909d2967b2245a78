"""The multivariate normal distribution with few factors."""

from __future__ import annotations

from tests.distributions.queries import gradients, query_all
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def parameters(torch):
    d = torch.distributions
    return query_all(
        torch,
        lambda: d.LowRankMultivariateNormal(
            torch.zeros(2, 3),
            torch.tensor([[1.0], [2.0], [0.5]]),
            torch.tensor([0.5, 1.0, 2.0]),
        ),
    )


@programs.add
def derivatives(torch):
    d = torch.distributions
    return gradients(
        torch, d.LowRankMultivariateNormal, [0.0, 1.0], [[1.0], [0.5]], [0.5, 2.0]
    )


@programs.add
def refused(torch):
    d = torch.distributions
    return [
        attempt(
            lambda: d.LowRankMultivariateNormal(
                torch.tensor(0.0), torch.ones(1, 1), torch.ones(1)
            )
        ),
        attempt(
            lambda: d.LowRankMultivariateNormal(
                torch.zeros(2), torch.ones(2), torch.ones(2)
            )
        ),
        attempt(
            lambda: d.LowRankMultivariateNormal(
                torch.zeros(2), torch.ones(3, 1), torch.ones(2)
            )
        ),
        attempt(
            lambda: d.LowRankMultivariateNormal(
                torch.zeros(2), torch.ones(2, 1), torch.ones(3)
            )
        ),
        attempt(
            lambda: d.LowRankMultivariateNormal(
                torch.zeros(2, 2), torch.ones(3, 2, 1), torch.ones(2)
            )
        ),
        attempt(
            lambda: d.LowRankMultivariateNormal(
                torch.zeros(2), torch.ones(2, 1), -torch.ones(2)
            )
        ),
    ]


test_lowrank_multivariate_normal = programs.test()
