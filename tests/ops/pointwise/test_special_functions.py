"""Error functions, gamma functions and logits."""

import pytest

import edutorch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.erf(a)",
    "torch.erf(specials)",
    "torch.erf(ints)",
    "torch.erfc(a)",
    "torch.erfc(singles)",
    "torch.erfinv(unit)",
    "torch.erfinv(torch.tensor([-1.0, 1.0, 2.0]))",
    "torch.erfinv(torch.tensor([0.0, -0.0])).signbit()",
    "torch.lgamma(positive)",
    "torch.lgamma(a)",
    "torch.lgamma(specials)",
    "torch.lgamma(torch.tensor([5e-310, -5e-310, 0.0], dtype=torch.float64))",
    "torch.lgamma(torch.tensor([-128, 127], dtype=torch.int8))",
    "torch.digamma(positive)",
    "torch.digamma(a)",
    "torch.digamma(torch.tensor([0.0, -1.0, -0.0]))",
    "torch.logit(positive / 3)",
    "torch.logit(a, 0.1)",
    "torch.logit(a, -1)",
    "torch.logit(a)",
    "torch.xlogy(positive, positive)",
    "torch.xlogy(torch.ones(4, 3, 2).mT, torch.ones(2, 3)).stride()",
    "torch.xlogy(torch.ones(2, 3).int(), torch.ones(4, 3, 2).mT).stride()",
    "torch.special.xlog1py(torch.ones(4, 3, 2).mT, torch.ones(2, 3)).stride()",
    "torch.xlogy(zeroed, positive)",
    "torch.xlogy(zeroed, torch.zeros(3))",
    "torch.xlogy(2, positive)",
    "torch.xlogy(ints, ints2)",
    "torch.polygamma(0, positive)",
    "torch.polygamma(1, positive)",
    "torch.polygamma(2, positive)",
    "torch.polygamma(1, a)",
    "positive.polygamma(3)",
    "y = positive * 1; y.lgamma_(); y",
    "y = unit * 1; y.erfinv_(); y",
    "y = a * 1; y.erf_(); y",
    "y = positive * 1; y.digamma_(); y",
    "torch.logit(unit, 0.7)",
    "torch.logit(torch.tensor([0.0, 1.0, 0.5], requires_grad=True))",
]

SMOOTH = [
    "torch.erf(a)",
    "torch.erfc(a)",
    "torch.erfinv(unit)",
    "torch.lgamma(positive)",
    "torch.digamma(positive)",
    "torch.polygamma(1, positive)",
    "torch.logit(positive / 3)",
    "torch.logit(positive / 3, 0.05)",
    "torch.xlogy(a, positive)",
]

REFUSED = [
    "torch.polygamma(-1, positive)",
    "torch.polygamma(-1, 1)",
    "torch.erf(1.0)",
    "torch.erf(complexes)",
    "torch.erfc(complexes)",
    "torch.erfinv(complexes)",
    "torch.lgamma(complexes)",
    "torch.digamma(complexes)",
    "torch.polygamma(1, complexes)",
    "torch.polygamma(1.5, singles)",
    "torch.logit(complexes)",
    "torch.logit(singles, 'a')",
    "torch.xlogy(complexes, complexes)",
    "torch.xlogy(None, singles)",
    "torch.xlogy(singles, 'a')",
]


@pytest.mark.parametrize("case", CASES)
def test_special_functions_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_special_functions_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_special_functions_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_gradient_of_the_factor_of_a_logarithm_has_its_digits():
    a = edutorch.tensor([1.3, 2.7], dtype=edutorch.float64, requires_grad=True)
    b = edutorch.tensor([2.1, 0.7])
    edutorch.xlogy(a, b).sum().backward()
    assert edutorch.allclose(a.grad, b.double().log(), rtol=1e-12, atol=0)
