"""Covariances and correlations."""

import numpy as np
import pytest

import edutorch as torch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.cov(f.half(), fweights=torch.tensor([1, 2, 1]))",
    "torch.cov(a.detach(), aweights=torch.tensor([0.5, 1, 2]))",
    "torch.cov(f)",
    "torch.cov(f[0])",
    "torch.cov(k)",
    "torch.cov(f, correction=0)",
    "torch.cov(f, fweights=torch.tensor([1, 2, 1]))",
    "torch.cov(f, aweights=torch.tensor([0.5, 1, 2]))",
    "torch.cov(f, fweights=torch.tensor([1, 2, 1]), aweights=torch.tensor([0.5, 1, 2]))",
    "torch.corrcoef(f)",
    "torch.corrcoef(f[:1])",
    "torch.corrcoef(z.detach())",
]

SMOOTH = [
    "torch.cov(a)",
    "torch.corrcoef(a)",
]

REFUSED = [
    "torch.cov(r, fweights=k)",
    "torch.cov(r, aweights=f)",
    "torch.cov(r, fweights=f[0])",
    "torch.cov(r, aweights=k[0])",
    "torch.cov(r, fweights=k[0, :1])",
    "torch.cov(r, aweights=f[0, :1])",
    "torch.cov(r, fweights=k[0])",
    "torch.cov(r, aweights=-f[0].abs())",
    "torch.cov(Q)",
    "torch.corrcoef(Q)",
    "torch.cov(m)",
    "torch.cov(None)",
    "torch.corrcoef([1.0])",
    "torch.cov(f, fweights='a')",
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
