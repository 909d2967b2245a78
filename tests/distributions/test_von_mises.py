"""The von Mises distribution."""

from __future__ import annotations

from tests.distributions.queries import gradients, query_all
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def parameters(torch):
    d = torch.distributions
    return query_all(
        torch,
        lambda: d.VonMises(
            torch.tensor([0.0, 3.0]), torch.tensor([[1e-6], [0.5], [50.0]])
        ),
    )


@programs.add
def derivatives(torch):
    d = torch.distributions
    return gradients(torch, d.VonMises, [0.0, 3.0], [0.5, 50.0])


@programs.add
def refused(torch):
    d = torch.distributions
    return [
        attempt(lambda: d.VonMises(torch.tensor(0.0), torch.tensor(-1.0))),
    ]


test_von_mises = programs.test()
