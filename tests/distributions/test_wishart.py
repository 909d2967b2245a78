"""The Wishart distribution."""

from __future__ import annotations

from tests.distributions.queries import gradients, query_all
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def parameters(torch):
    d = torch.distributions
    return query_all(
        torch,
        lambda: d.Wishart(
            torch.tensor([2.5, 7.0]), torch.tensor([[2.0, 0.5], [0.5, 1.0]])
        ),
    )


@programs.add
def more_parameters(torch):
    d = torch.distributions
    return query_all(torch, lambda: d.Wishart(5.0, precision_matrix=torch.eye(3)))


@programs.add
def other_parameters(torch):
    d = torch.distributions
    return query_all(
        torch, lambda: d.Wishart(4, scale_tril=torch.tensor([[[1.0, 0.0], [0.5, 2.0]]]))
    )


@programs.add
def derivatives(torch):
    d = torch.distributions
    return gradients(
        torch,
        lambda n, r: d.Wishart(n, scale_tril=r),
        [2.5, 7.0],
        [[1.0, 0.0], [0.5, 2.0]],
    )


@programs.add
def refused(torch):
    d = torch.distributions
    return [
        attempt(lambda: d.Wishart(3.0)),
        attempt(lambda: d.Wishart(1.0, torch.eye(3))),
        attempt(lambda: d.Wishart(3.0, torch.ones(2))),
        attempt(lambda: d.Wishart(torch.ones(3) + 3, torch.eye(3)).expand((4,))),
    ]


test_wishart = programs.test()
