"""The base of all distributions."""

from __future__ import annotations

import pytest

import edutorch
from edutorch.distributions import Distribution, Normal
from tests.programs import Programs, attempt, warned

programs = Programs(__file__)


@programs.add
def base_leaves_everything_to_others(torch):
    d = torch.distributions.Distribution(validate_args=False)
    names = ("mean", "variance", "support")
    calls = ("entropy", "rsample", "sample", "enumerate_support")
    return [
        *(attempt(lambda n=n: getattr(d, n))[:2] for n in names),
        *(attempt(getattr(d, n))[:2] for n in calls),
        attempt(lambda: torch.distributions.Distribution.set_default_validate_args(3)),
    ]


@programs.add
def unchecked_values_are_taken(torch):
    d = torch.distributions.Normal(0.0, -1.0, validate_args=False)
    return [repr(d), d.log_prob(torch.tensor(float("inf")))]


@programs.add
def old_name_of_samples(torch):
    d = torch.distributions.Normal(0.0, 1.0)
    return warned(lambda: d.sample_n(3))


@programs.add
def what_a_subclass_does_not_define_is_told(torch):
    class Mine(torch.distributions.Distribution):
        def log_prob(self, value):
            self._validate_sample(value)
            return value

    return [
        warned(lambda: Mine() and None),
        warned(lambda: Mine().log_prob(torch.ones(()))),
    ]


@programs.add
def bounded_normal_of_users(torch):
    d = torch.distributions

    class Bounded(d.Normal):
        def sample(self, sample_shape=()):
            shape = self._extended_shape(sample_shape)
            eps = d.utils._standard_normal(
                shape, dtype=self.loc.dtype, device=self.loc.device
            )
            return (self.loc + eps * self.scale).clamp(-1, 1)

    class Squashed(d.TransformedDistribution):
        def __init__(self, loc, scale):
            super().__init__(d.Normal(loc, scale), [d.TanhTransform(cache_size=1)])

    y = Squashed(torch.zeros(2), 1.0)
    return [
        Bounded(torch.zeros(9), 1.0).sample(), repr(Bounded(0.0, 1.0).expand((2,))),
        y.log_prob(y.rsample()), attempt(lambda: y.expand((2, 2))),
    ]  # fmt: skip


test_distribution = programs.test()


def test_derived_class_with_its_own_init_needs_its_own_expand():
    class Standard(Normal):
        def __init__(self):
            super().__init__(0.0, 1.0)

    with pytest.raises(NotImplementedError, match="must also define a custom .expand"):
        Standard().expand((2,))


def test_validation_can_be_switched_off_for_all():
    Distribution.set_default_validate_args(False)
    try:
        assert repr(Normal(0.0, -1.0)) == "Normal(loc: 0.0, scale: -1.0)"
    finally:
        Distribution.set_default_validate_args(True)
    with pytest.raises(ValueError, match="Expected parameter scale"):
        Normal(edutorch.tensor(0.0), -1.0)
