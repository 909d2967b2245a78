"""The generalised Pareto distribution."""

from __future__ import annotations

from tests.distributions.queries import query_all
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def parameters(torch):
    d = torch.distributions
    return query_all(
        torch,
        lambda: d.GeneralizedPareto(
            torch.tensor([0.0, 1.0, 2.0]), 1.5, torch.tensor([0.0, 0.3, -0.6])
        ),
    )


@programs.add
def refused(torch):
    d = torch.distributions
    return [
        attempt(lambda: d.GeneralizedPareto(0.0, -1.0, 1.0)),
    ]


test_generalized_pareto = programs.test()
