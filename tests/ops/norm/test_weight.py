"""Norms of slices, and weights scaled to them."""

from __future__ import annotations

import pytest

from edutorch.autograd import gradcheck, gradgradcheck
from edutorch.ops.norm.weight import norm_except_dim, weight_norm
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.norm_except_dim(a)",
    "torch.norm_except_dim(a, 1, 1)",
    "torch.norm_except_dim(squares, 2, 1)",
    "torch.norm_except_dim(squares, 3, -1)",
    "torch.norm_except_dim(row)",
    "torch.norm_except_dim(a, 2, -2)",
    "torch.norm_except_dim(a[None], 2, -2)",
]
REFUSED = ["torch.norm_except_dim(a, 2, 2)", "torch.norm_except_dim(a, 2, -3)"]


@pytest.mark.parametrize("case", CASES)
def test_norms_equal_pytorchs(case):
    alike(__file__, case, nodes=False)


@pytest.mark.parametrize("case", REFUSED)
def test_norms_along_dimensions_that_do_not_exist_are_refused(case):
    refused(__file__, case)


def test_norms_have_two_derivatives():
    derivatives("torch.norm_except_dim(a)")


def test_weight_norm_has_the_norms_that_are_given():
    import edutorch as torch

    v = torch.randn(3, 4, dtype=torch.float64, requires_grad=True)
    g = torch.rand(3, 1, dtype=torch.float64, requires_grad=True)
    assert torch.allclose(norm_except_dim(weight_norm(v, g)), g)
    assert gradcheck(weight_norm, [v, g]) and gradgradcheck(weight_norm, [v, g])


@pytest.mark.parametrize("dim", [0, 1, 2])
def test_weight_norm_has_two_derivatives_along_each_dimension(dim):
    import edutorch as torch

    v = torch.randn(2, 3, 2, dtype=torch.float64, requires_grad=True)
    g = norm_except_dim(v.detach(), 2, dim).requires_grad_()
    assert torch.allclose(weight_norm(v, g, dim), v)

    def scaled(v, g):
        return weight_norm(v, g, dim)

    assert gradcheck(scaled, [v, g]) and gradgradcheck(scaled, [v, g])
