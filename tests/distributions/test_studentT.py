"""Student's t distribution."""

from __future__ import annotations

from tests.distributions.queries import gradients, query_all
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def parameters(torch):
    d = torch.distributions
    return query_all(
        torch,
        lambda: d.StudentT(
            torch.tensor([0.5, 1.5, 4.0]), 1.0, torch.tensor([[2.0], [0.3]])
        ),
    )


@programs.add
def more_parameters(torch):
    d = torch.distributions
    return query_all(torch, lambda: d.StudentT(3.0))


@programs.add
def derivatives(torch):
    d = torch.distributions
    return gradients(torch, d.StudentT, [2.5, 9.0], [1.5, 4.0], [2.0, 0.3])


@programs.add
def refused(torch):
    d = torch.distributions
    return [
        attempt(lambda: d.StudentT(-1.0)),
    ]


test_studentt = programs.test()
