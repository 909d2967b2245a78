"""Covariances and correlations."""

import numpy as np
import pytest

import edutorch as torch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.cov(singles.half(), fweights=torch.tensor([1, 2, 1]))",
    "torch.cov(a.detach(), aweights=torch.tensor([0.5, 1, 2]))",
    "torch.cov(singles)",
    "torch.cov(singles[0])",
    "torch.cov(ints)",
    "torch.cov(singles, correction=0)",
    "torch.cov(singles, fweights=torch.tensor([1, 2, 1]))",
    "torch.cov(singles, aweights=torch.tensor([0.5, 1, 2]))",
    "torch.cov(singles, fweights=torch.tensor([1, 2, 1]), aweights=torch.tensor([0.5, 1, 2]))",
    "torch.corrcoef(singles)",
    "torch.corrcoef(singles[:1])",
    "torch.corrcoef(complexes.detach())",
]

SMOOTH = [
    "torch.cov(a)",
    "torch.corrcoef(a)",
]

REFUSED = [
    "torch.cov(row, fweights=ints)",
    "torch.cov(row, aweights=singles)",
    "torch.cov(row, fweights=singles[0])",
    "torch.cov(row, aweights=ints[0])",
    "torch.cov(row, fweights=ints[0, :1])",
    "torch.cov(row, aweights=singles[0, :1])",
    "torch.cov(row, fweights=ints[0])",
    "torch.cov(row, aweights=-singles[0].abs())",
    "torch.cov(squares)",
    "torch.corrcoef(squares)",
    "torch.cov(mask)",
    "torch.cov(None)",
    "torch.corrcoef([1.0])",
    "torch.cov(singles, fweights='a')",
]


@pytest.mark.parametrize("case", CASES)
def test_covariances_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_covariances_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_covariances_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_cov_warns_of_too_few_observations():
    with np.errstate(all="ignore"), pytest.warns(UserWarning, match="freedom is <= 0"):
        torch.cov(torch.ones(2, 1))
