"""The logarithm of the multivariate gamma function."""

import pytest

import edutorch as torch
from tests.ops.cases import alike, derivatives, refused

REFUSED = [
    "torch.mvlgamma(positive, 0)",
    "torch.mvlgamma(None, 1)",
    "torch.mvlgamma(singles, 1.5)",
    "ints.mvlgamma_(2)",
    "ints[0, :1].expand(4).mvlgamma_(2)",
    "ints[0, :1].expand(4).mvlgamma_(0)",
    "mask.mvlgamma_(2)",
    "singles[0, :1].expand(4).mvlgamma_(2)",
]


def test_multivariate_gamma_equals_pytorch_with_its_node():
    alike(__file__, "torch.mvlgamma(positive + 1, 2)")


def test_multivariate_gamma_derivatives_equal_differences():
    derivatives("torch.mvlgamma(positive + 1, 2)")


@pytest.mark.parametrize("case", REFUSED)
def test_multivariate_gammas_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_multivariate_gamma_is_row_major():
    x = torch.full((5, 3), 4.0).t()
    assert torch.mvlgamma(x, 2).stride() == torch.mvlgamma(x, 1).stride() == (5, 1)
