"""The categorical distribution."""

from __future__ import annotations

from tests.distributions.queries import query_all
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def probs(torch):
    d = torch.distributions
    return query_all(
        torch, lambda: d.Categorical(torch.tensor([[1.0, 2.0, 3.0], [0.0, 1.0, 1.0]]))
    )


@programs.add
def logits(torch):
    d = torch.distributions
    return query_all(torch, lambda: d.Categorical(logits=torch.tensor([1.0, 2.0, 3.0])))


@programs.add
def gradients_of_a_policy(torch):
    logits = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    d = torch.distributions.Categorical(logits=logits)
    d.log_prob(torch.tensor([0, 1])).sum().backward()
    return logits.grad


@programs.add
def refused(torch):
    d = torch.distributions
    return [
        attempt(lambda: d.Categorical()),
        attempt(lambda: d.Categorical(torch.tensor(1.0))),
        attempt(lambda: d.Categorical(torch.tensor([-1.0, 2.0]))),
        attempt(lambda: d.Categorical(logits=torch.tensor([float("nan"), 1.0]))),
    ]


test_categorical = programs.test()
