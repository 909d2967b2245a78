"""Euclidean distances between rows as one operation; `cdist` chooses it."""

import numpy as np
import pytest

import edutorch
from edutorch import config
from edutorch.autograd import gradcheck, gradgradcheck

RNG = np.random.default_rng(0)


def rows(n):
    return edutorch.tensor(RNG.standard_normal((n, 3)), requires_grad=True)


@pytest.mark.parametrize("mode", ["plain", "fast"])
def test_cdist_derivatives_equal_differences(mode):
    with config.kernels(mode):
        assert gradcheck(edutorch.cdist, (rows(4), rows(5)))
        assert gradgradcheck(edutorch.cdist, (rows(4), rows(5)))


@pytest.mark.parametrize("mode", ["plain", "fast"])
def test_pdist_derivatives_equal_differences(mode):
    with config.kernels(mode):
        assert gradcheck(edutorch.pdist, (rows(5),))
        assert gradgradcheck(edutorch.pdist, (rows(5),))


def test_cdist_of_matrices_equals_that_of_a_batch_of_one():
    a, b = rows(6), rows(4)
    together = edutorch.cdist(a[None], b[None])[0]
    assert np.allclose(edutorch.cdist(a, b).detach(), together.detach())
