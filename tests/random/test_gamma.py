"""Gamma and Dirichlet numbers."""

import numpy as np
import pytest

from edutorch.random import gamma
from edutorch.random.generator import Generator
from tests.random.streams import Streams


@pytest.mark.parametrize("shape", [0.05, 0.9, 1.0, 7.5, 300.0])
def test_gamma_of_many_draws_has_its_mean_and_variance(shape):
    generator = Generator().manual_seed(1)
    y = gamma.gamma(generator, np.full(4000, shape))
    assert abs(y.mean() - shape) < 5 * (shape / 4000) ** 0.5
    assert abs(y.var() / shape - 1) < 0.6 / min(shape, 1) ** 0.5


def test_dirichlet_lies_inside_the_simplex():
    y = gamma.dirichlet(Generator(), np.full((50, 3), 0.01, np.float32))
    assert y.dtype == np.float32
    assert y.min() > 0
    assert y.max() < 1
    np.testing.assert_allclose(y.sum(-1), 1, rtol=1e-6)


def test_gamma_of_no_number_comes_to_an_end():
    y = gamma.gamma(Generator(), np.array([np.nan, -2.0, 0.0, np.inf]))
    np.testing.assert_array_equal(y, [np.nan, np.nan, np.finfo(float).tiny, np.inf])


@pytest.mark.parametrize("name", ["float32", "float64"])
@pytest.mark.parametrize("seed", [0, 42])
def test_gamma_and_dirichlet_draw_pytorch_streams(name, seed):
    from tests.oracle import torch

    streams = Streams(torch, seed)
    shapes = np.exp(np.linspace(-5, 5, 60)).astype(name).reshape(12, 5)
    tolerance = 1e-5 if name == "float32" else 1e-12
    theirs = torch.from_numpy(shapes)
    for ours, draw in (
        (gamma.gamma, torch._standard_gamma),
        (gamma.dirichlet, torch._sample_dirichlet),
    ):
        expected = draw(theirs, generator=streams.theirs)
        streams.check(ours(streams.ours, shapes), expected, tolerance)
