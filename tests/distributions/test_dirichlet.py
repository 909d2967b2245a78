"""The Dirichlet distribution."""

from __future__ import annotations

from tests.distributions.queries import gradients, query_all
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def parameters(torch):
    d = torch.distributions
    return query_all(
        torch, lambda: d.Dirichlet(torch.tensor([[0.3, 4.0, 1.0], [0.2, 0.3, 0.4]]))
    )


@programs.add
def derivatives(torch):
    d = torch.distributions
    return gradients(torch, d.Dirichlet, [[0.3, 4.0, 9.0], [20.0, 30.0, 9.0]])


@programs.add
def refused(torch):
    d = torch.distributions
    return [
        attempt(lambda: d.Dirichlet(torch.tensor(1.0))),
        attempt(lambda: d.Dirichlet(torch.tensor([1.0, -1.0]))),
    ]


test_dirichlet = programs.test()
