"""The normal distribution, entropy, incomplete gamma functions."""

import pytest

import edutorch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.special.ndtr(singles)",
    "torch.special.ndtr(specials)",
    "torch.special.ndtri(positive / 3)",
    "torch.special.ndtri(torch.tensor([0.0, 1.0]))",
    "torch.special.log_ndtr(a * 9)",
    "torch.special.log_ndtr(singles)",
    "torch.special.erfcx(a)",
    "torch.special.erfcx(singles)",
    "torch.special.entr(positive)",
    "torch.special.entr(specials)",
    "torch.special.xlog1py(positive, positive)",
    "torch.special.xlog1py(zeroed, positive)",
    "torch.special.xlog1py(singles, 2.0)",
    "torch.special.zeta(positive.detach() + 2, positive)",
    "torch.special.zeta(2.5, positive)",
    "torch.special.gammainc(singles.abs(), singles.abs())",
    "torch.special.gammaincc(singles.abs(), singles.abs())",
    "torch.igamma(positive.detach(), positive)",
    "torch.igammac(positive.detach(), positive)",
]

SMOOTH = [
    "torch.special.ndtr(a)",
    "torch.special.ndtri(positive / 3)",
    "torch.special.log_ndtr(a)",
    "torch.special.erfcx(a)",
    "torch.special.entr(positive)",
    "torch.special.xlog1py(a, positive)",
    "torch.special.zeta(2.5, positive)",
]

REFUSED = [
    "torch.igamma(1.0, positive)",
    "torch.special.ndtr(complexes)",
    "torch.special.ndtri(singles.half())",
    "torch.special.log_ndtr(complexes)",
    "torch.special.erfcx(singles.bfloat16())",
    "torch.special.entr(complexes)",
    "torch.special.xlog1py(complexes, complexes)",
    "torch.special.zeta(singles.half(), singles.half())",
    "torch.igamma(ints, ints2)",
    "torch.igammac(complexes, complexes)",
    "torch.igamma(positive, positive).sum().backward()",
]


@pytest.mark.parametrize("case", CASES)
def test_functions_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_functions_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_functions_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_gradient_of_the_factor_of_a_logarithm_has_its_digits():
    a = edutorch.tensor([1.3, 2.7], dtype=edutorch.float64, requires_grad=True)
    b = edutorch.tensor([2.1, 0.7])
    edutorch.special.xlog1py(a, b).sum().backward()
    assert edutorch.allclose(a.grad, b.double().log1p(), rtol=1e-12, atol=0)
