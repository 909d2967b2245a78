"""Exponential families."""

from __future__ import annotations

from typing import ClassVar

from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def entropies_of_the_formula(torch):
    d, entropy = torch.distributions, torch.distributions.ExponentialFamily.entropy
    x = torch.tensor([0.3, 2.0])
    families = [
        d.Bernoulli(x / 4), d.ContinuousBernoulli(x / 4), d.Exponential(x),
        d.Gamma(x, 3.0), d.Normal(x, 2.0),
    ]  # fmt: skip
    return [entropy(family) for family in families]


@programs.add
def what_a_family_lacks_is_refused(torch):
    d = torch.distributions
    return [
        attempt(lambda: d.Poisson(1.0).entropy())[:2],
        attempt(lambda: d.ExponentialFamily(validate_args=False).entropy())[:2],
    ]


@programs.add
def divergence_of_a_family_without_a_formula(torch):
    d = torch.distributions

    class Mine(d.ExponentialFamily):
        arg_constraints: ClassVar = {}

        def __init__(self, rate):
            self.rate = torch.as_tensor(rate)
            super().__init__(self.rate.shape)

        @property
        def _natural_params(self):
            return (-self.rate,)

        def _log_normalizer(self, x):
            return -torch.log(-x)

    return d.kl_divergence(Mine([1.0, 2.0]), Mine([3.0, 0.5]))


test_exp_family = programs.test()
