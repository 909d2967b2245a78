"""Classes as vectors with a single one."""

from __future__ import annotations

from tests.distributions.queries import query_all
from tests.programs import Programs

programs = Programs(__file__)


@programs.add
def probs(torch):
    d = torch.distributions
    return query_all(
        torch, lambda: d.OneHotCategorical(torch.tensor([[1.0, 2.0], [0.0, 1.0]]))
    )


@programs.add
def straight_through(torch):
    d = torch.distributions
    return query_all(
        torch,
        lambda: d.OneHotCategoricalStraightThrough(logits=torch.tensor([1.0, 2.0])),
    )


test_one_hot_categorical = programs.test()
