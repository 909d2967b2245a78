"""Classes as vectors with a single one."""

from __future__ import annotations

from tests.distributions.ask import asked
from tests.programs import Programs

programs = Programs(__file__)


@programs.add
def probs(torch):
    d = torch.distributions
    return asked(
        torch, lambda: d.OneHotCategorical(torch.tensor([[1.0, 2.0], [0.0, 1.0]]))
    )


@programs.add
def straight_through(torch):
    d = torch.distributions
    return asked(
        torch,
        lambda: d.OneHotCategoricalStraightThrough(logits=torch.tensor([1.0, 2.0])),
    )


test_one_hot_categorical = programs.test()
