"""The F distribution."""

from __future__ import annotations

from tests.distributions.queries import gradients, query_all
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def parameters(torch):
    d = torch.distributions
    return query_all(
        torch,
        lambda: d.FisherSnedecor(
            torch.tensor([0.5, 5.0, 2.0]), torch.tensor([1.0, 3.0, 7.0])
        ),
    )


@programs.add
def derivatives(torch):
    d = torch.distributions
    return gradients(torch, d.FisherSnedecor, [0.5, 5.0], [9.0, 3.0])


@programs.add
def refused(torch):
    d = torch.distributions
    return [
        attempt(lambda: d.FisherSnedecor(0.0, 1.0)),
    ]


test_fishersnedecor = programs.test()
