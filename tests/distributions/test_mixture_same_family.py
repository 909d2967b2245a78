"""Mixtures."""

from __future__ import annotations

from tests.distributions.queries import gradients, query_all
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def parameters(torch):
    d = torch.distributions
    return query_all(
        torch,
        lambda: d.MixtureSameFamily(
            d.Categorical(torch.tensor([0.2, 0.8])),
            d.Normal(torch.tensor([[0.0, 4.0], [1.0, 2.0]]), 1.0),
        ),
    )


@programs.add
def more_parameters(torch):
    d = torch.distributions
    return query_all(
        torch,
        lambda: d.MixtureSameFamily(
            d.Categorical(torch.tensor([0.2, 0.8])),
            d.Independent(d.Normal(torch.tensor([[[0.0, 4.0], [1.0, 2.0]]]), 1.0), 1),
        ),
    )


@programs.add
def derivatives(torch):
    d = torch.distributions
    return gradients(
        torch,
        lambda w, m: d.MixtureSameFamily(d.Categorical(w), d.Normal(m, 1.0)),
        [0.2, 0.8],
        [0.0, 1.0],
    )


@programs.add
def refused(torch):
    d = torch.distributions
    return [
        attempt(lambda: d.MixtureSameFamily(d.Normal(0.0, 1.0), d.Normal(0.0, 1.0))),
        attempt(
            lambda: d.MixtureSameFamily(d.Categorical(torch.tensor([1.0, 1.0])), 1)
        ),
        attempt(
            lambda: d.MixtureSameFamily(
                d.Categorical(torch.tensor([1.0, 1.0])),
                d.Normal(torch.tensor([0.0, 0.0, 0.0]), 1.0),
            )
        ),
        attempt(
            lambda: d.MixtureSameFamily(
                d.Categorical(torch.ones(3, 2)), d.Normal(torch.zeros(2, 2), 1.0)
            )
        ),
    ]


test_mixture_same_family = programs.test()
