"""The normal distribution."""

from __future__ import annotations

from tests.distributions.queries import query_all
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def vectors(torch):
    d = torch.distributions
    return query_all(
        torch, lambda: d.Normal(torch.tensor([0.0, 1.0]), torch.tensor([1.0, 2.0]))
    )


@programs.add
def numbers(torch):
    d = torch.distributions
    return query_all(torch, lambda: d.Normal(0.0, 2.0))


@programs.add
def broadcast(torch):
    d = torch.distributions
    return query_all(torch, lambda: d.Normal(torch.zeros(2, 1), torch.ones(3)))


@programs.add
def gradients_through_samples(torch):
    loc = torch.tensor([1.0, 2.0], requires_grad=True)
    scale = torch.tensor([0.5, 1.5], requires_grad=True)
    torch.distributions.Normal(loc, scale).rsample((3,)).pow(2).sum().backward()
    return [loc.grad, scale.grad]


@programs.add
def refused(torch):
    d = torch.distributions
    return [
        attempt(lambda: d.Normal(0.0, -1.0)),
        attempt(lambda: d.Normal("a", 1)),
    ]


test_normal = programs.test()
