"""The normal distribution, entropy, incomplete gamma functions."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.special.ndtr(f)",
    "torch.special.ndtr(v)",
    "torch.special.ndtri(p / 3)",
    "torch.special.ndtri(torch.tensor([0.0, 1.0]))",
    "torch.special.log_ndtr(a * 9)",
    "torch.special.log_ndtr(f)",
    "torch.special.erfcx(a)",
    "torch.special.erfcx(f)",
    "torch.special.entr(p)",
    "torch.special.entr(v)",
    "torch.special.xlog1py(p, p)",
    "torch.special.xlog1py(o, p)",
    "torch.special.xlog1py(f, 2.0)",
    "torch.special.zeta(p.detach() + 2, p)",
    "torch.special.zeta(2.5, p)",
    "torch.special.gammainc(f.abs(), f.abs())",
    "torch.special.gammaincc(f.abs(), f.abs())",
    "torch.igamma(p.detach(), p)",
    "torch.igammac(p.detach(), p)",
]

SMOOTH = [
    "torch.special.ndtr(a)",
    "torch.special.ndtri(p / 3)",
    "torch.special.log_ndtr(a)",
    "torch.special.erfcx(a)",
    "torch.special.entr(p)",
    "torch.special.xlog1py(a, p)",
    "torch.special.zeta(2.5, p)",
]

REFUSED = [
    "torch.igamma(1.0, p)",
    "torch.special.ndtr(z)",
    "torch.special.ndtri(f.half())",
    "torch.special.log_ndtr(z)",
    "torch.special.erfcx(f.bfloat16())",
    "torch.special.entr(z)",
    "torch.special.xlog1py(z, z)",
    "torch.special.zeta(f.half(), f.half())",
    "torch.igamma(k, l)",
    "torch.igammac(z, z)",
    "torch.igamma(p, p).sum().backward()",
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
