"""Distributions over classes that are made of a categorical one."""

import pytest

import edutorch as torch
from edutorch.distributions.categorical_based import CategoricalBase

D = torch.distributions
KINDS = [D.OneHotCategorical, D.OneHotCategoricalStraightThrough, D.Multinomial]


@pytest.mark.parametrize("kind", KINDS)
def test_parameters_are_those_of_the_categorical_one(kind):
    made = kind(probs=torch.tensor([[1.0, 3.0]] * 3))
    assert isinstance(made, CategoricalBase)
    assert made.probs[0].tolist() == [0.25, 0.75]
    assert made.logits.shape == made.param_shape == (3, 2)
    assert (made.batch_shape, made.event_shape) == ((3,), (2,))


@pytest.mark.parametrize("kind", KINDS)
def test_expanded_has_the_same_probabilities(kind):
    made = kind(logits=torch.zeros(2)).expand((4,))
    assert made.probs.tolist() == [[0.5, 0.5]] * 4
    assert made.sample().shape == (4, 2)
