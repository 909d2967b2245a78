"""Error functions, gamma functions and logits."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.erf(a)",
    "torch.erf(v)",
    "torch.erf(k)",
    "torch.erfc(a)",
    "torch.erfc(f)",
    "torch.erfinv(u)",
    "torch.erfinv(torch.tensor([-1.0, 1.0, 2.0]))",
    "torch.lgamma(p)",
    "torch.lgamma(a)",
    "torch.lgamma(v)",
    "torch.digamma(p)",
    "torch.digamma(a)",
    "torch.digamma(torch.tensor([0.0, -1.0, -0.0]))",
    "torch.logit(p / 3)",
    "torch.logit(a, 0.1)",
    "torch.logit(a)",
    "torch.xlogy(p, p)",
    "torch.xlogy(o, p)",
    "torch.xlogy(o, torch.zeros(3))",
    "torch.xlogy(2, p)",
    "torch.xlogy(k, l)",
    "torch.polygamma(0, p)",
    "torch.polygamma(1, p)",
    "torch.polygamma(2, p)",
    "torch.polygamma(1, a)",
    "p.polygamma(3)",
    "y = p * 1; y.lgamma_(); y",
    "y = u * 1; y.erfinv_(); y",
    "y = a * 1; y.erf_(); y",
    "y = p * 1; y.digamma_(); y",
    "torch.logit(u, 0.7)",
    "torch.logit(torch.tensor([0.0, 1.0, 0.5], requires_grad=True))",
]

SMOOTH = [
    "torch.erf(a)",
    "torch.erfc(a)",
    "torch.erfinv(u)",
    "torch.lgamma(p)",
    "torch.digamma(p)",
    "torch.polygamma(1, p)",
    "torch.logit(p / 3)",
    "torch.logit(p / 3, 0.05)",
    "torch.xlogy(a, p)",
    "torch.mvlgamma(p + 1, 2)",
]

REFUSED = [
    "torch.polygamma(-1, p)",
    "torch.mvlgamma(p, 0)",
    "torch.erf(1.0)",
    "torch.erf(z)",
    "torch.erfc(z)",
    "torch.erfinv(z)",
    "torch.lgamma(z)",
    "torch.digamma(z)",
    "torch.polygamma(1, z)",
    "torch.polygamma(1.5, f)",
    "torch.logit(z)",
    "torch.logit(f, 'a')",
    "torch.mvlgamma(None, 1)",
    "torch.mvlgamma(f, 1.5)",
    "torch.xlogy(z, z)",
    "torch.xlogy(None, f)",
    "torch.xlogy(f, 'a')",
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


COMPOSED = [
    "torch.mvlgamma(p + 1, 2)",
]


@pytest.mark.parametrize("case", COMPOSED)
def test_composed_functions_equal_pytorch_but_for_their_node(case):
    alike(__file__, case, nodes=False)
