"""The relaxed one-hot distribution."""

from __future__ import annotations

from tests.distributions.queries import gradients, query_all
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def parameters(torch):
    d = torch.distributions
    return query_all(
        torch,
        lambda: d.RelaxedOneHotCategorical(torch.tensor(0.7), torch.tensor([0.2, 0.9])),
    )


@programs.add
def more_parameters(torch):
    d = torch.distributions
    return query_all(
        torch,
        lambda: d.RelaxedOneHotCategorical(
            torch.tensor(2.0), logits=torch.tensor([[0.3, 0.2, -2.0]])
        ),
    )


@programs.add
def derivatives(torch):
    d = torch.distributions
    return gradients(torch, d.RelaxedOneHotCategorical, 0.7, [0.2, 0.9])


@programs.add
def refused(torch):
    d = torch.distributions
    return [
        attempt(lambda: d.RelaxedOneHotCategorical(torch.tensor(1.0))),
        attempt(
            lambda: d.RelaxedOneHotCategorical(
                torch.tensor(1.0), torch.tensor([-1.0, 2.0])
            )
        ),
    ]


test_relaxed_categorical = programs.test()
