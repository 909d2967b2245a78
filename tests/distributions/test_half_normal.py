"""The half-normal distribution."""

from __future__ import annotations

import pytest

import edutorch as torch
from tests.distributions.queries import gradients, query_all
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def parameters(torch):
    d = torch.distributions
    return query_all(torch, lambda: d.HalfNormal(torch.tensor([0.5, 5.0])))


@programs.add
def more_parameters(torch):
    d = torch.distributions
    return query_all(torch, lambda: d.HalfNormal(1.0))


@programs.add
def derivatives(torch):
    d = torch.distributions
    return gradients(torch, d.HalfNormal, [0.5, 5.0])


@programs.add
def refused(torch):
    d = torch.distributions
    return [
        attempt(lambda: d.HalfNormal(-1.0)),
    ]


test_half_normal = programs.test()


def test_density_has_the_dtype_of_values_beside_a_number():
    scale, x = torch.tensor(0.7).double(), torch.tensor([0.5, 0.2])
    assert torch.distributions.HalfNormal(scale).log_prob(x).dtype is torch.float32
    assert torch.distributions.HalfCauchy(scale).log_prob(x).dtype is torch.float64


def test_sample_shapes_must_be_sequences():
    with pytest.raises(TypeError, match="'int' object is not iterable"):
        torch.distributions.HalfNormal(1.0).sample(3)


def test_the_density_at_a_number_is_refused_as_a_condition_that_is_no_tensor():
    d = torch.distributions.HalfNormal(torch.tensor(1.0), validate_args=False)
    with pytest.raises(TypeError, match=r"where\(\) .* got \(bool, Tensor, float\)"):
        d.log_prob(3.0)
