"""Distributions that lie around a location."""

import pytest

import edutorch as torch
from edutorch.distributions.location_scale import Located, LocationScale

D = torch.distributions
MADE = [
    D.Normal(torch.tensor([1.0, 2.0]), 3.0),
    D.Laplace(torch.tensor([1.0, 2.0]), 3.0),
    D.MultivariateNormal(torch.tensor([1.0, 2.0]), torch.eye(2)),
]


@pytest.mark.parametrize("made", MADE, ids=lambda d: type(d).__name__)
def test_mean_and_mode_are_the_location(made):
    assert isinstance(made, Located) and made.has_rsample
    assert made.mean is made.mode is made.loc


@pytest.mark.parametrize("kind", [D.Normal, D.Laplace])
def test_location_and_scale_take_each_others_shape(kind):
    made = kind(0.0, torch.ones(3))
    assert isinstance(made, LocationScale)
    assert made.loc.shape == made.scale.shape == made.batch_shape == (3,)
    with pytest.raises(ValueError, match="Expected parameter scale"):
        kind(0.0, -1.0)
