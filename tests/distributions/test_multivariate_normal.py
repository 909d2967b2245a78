"""The multivariate normal distribution."""

from __future__ import annotations

from tests.distributions.queries import query_all
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def covariance(torch):
    d = torch.distributions
    return query_all(
        torch,
        lambda: d.MultivariateNormal(
            torch.tensor([1.0, 2.0]), torch.tensor([[2.0, 0.5], [0.5, 1.0]])
        ),
    )


@programs.add
def precision(torch):
    d = torch.distributions
    return query_all(
        torch,
        lambda: d.MultivariateNormal(
            torch.zeros(3, 2),
            precision_matrix=torch.tensor([[2.0, 0.5], [0.5, 1.0]]),
        ),
    )


@programs.add
def scale_tril(torch):
    d = torch.distributions
    return query_all(
        torch,
        lambda: d.MultivariateNormal(
            torch.zeros(2), scale_tril=torch.tensor([[[2.0, 0.0], [0.5, 1.0]]] * 3)
        ),
    )


@programs.add
def refused(torch):
    d = torch.distributions
    return [
        attempt(lambda: d.MultivariateNormal(torch.zeros(2))),
        attempt(lambda: d.MultivariateNormal(torch.zeros(2), torch.zeros(2))),
        attempt(lambda: d.MultivariateNormal(torch.zeros(2), -torch.eye(2))),
        attempt(lambda: d.MultivariateNormal(torch.tensor(0.0), torch.eye(2))),
        attempt(
            lambda: d.MultivariateNormal(torch.zeros(2), scale_tril=torch.zeros(2))
        ),
    ]


test_multivariate_normal = programs.test()
