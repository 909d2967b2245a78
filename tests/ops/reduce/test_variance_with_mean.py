"""Variance or standard deviation together with the mean."""

import pytest

import edutorch as torch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.var_mean(a)",
    "torch.var_mean(a, 1)",
    "torch.std_mean(a, 1, keepdim=True)",
    "torch.std_mean(a, False)",
    "torch.std_mean(a, (0, 1), correction=0)",
    "torch.var_mean(a, 0, correction=0)",
    "torch.var_mean(scalar, correction=0)",
    "torch.var_mean(singles, 1)[1]",
    "torch.std_mean(complexes, 0)",
]
DERIVATIVES = [
    "torch.var_mean(a, 1)[0]",
    "sum(torch.var_mean(a, 1)) ** 2",
    "sum(torch.std_mean(a, 0)) ** 2",
    "torch.std_mean(a)[1] ** 2",
]
REFUSED = [
    "torch.var_mean(ints)",
    "torch.std_mean(a, 5)",
    "torch.std_mean(a, 0, keepdim=1)",
]


@pytest.mark.parametrize("case", CASES)
def test_pairs_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", DERIVATIVES)
def test_derivatives_of_pairs_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_pairs_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_both_results_have_one_node():
    spread, mean = torch.std_mean(torch.ones(3, requires_grad=True))
    assert spread.grad_fn is mean.grad_fn
    assert mean.grad_fn.name() == "StdMeanBackward0"


def test_pairs_of_samples_equal_those_of_each():
    x = torch.arange(12.0).reshape(3, 4)
    for function in (torch.var_mean, torch.std_mean, torch.aminmax):
        pairs = torch.vmap(function)(x)
        for i in range(3):
            each = function(x[i])
            assert all(torch.equal(p[i], e) for p, e in zip(pairs, each, strict=True))
