"""Size and sign."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.abs(a)",
    "torch.abs(o)",
    "torch.abs(z)",
    "torch.abs(f)",
    "torch.abs(v)",
    "torch.abs(k)",
    "torch.sgn(a.detach())",
    "torch.sgn(o.detach())",
    "torch.sgn(z)",
    "torch.sgn(f)",
    "torch.sgn(v)",
    "torch.sgn(k)",
    "torch.sgn(m)",
    "torch.angle(a)",
    "torch.angle(o)",
    "torch.angle(z)",
    "torch.angle(f)",
    "torch.angle(v)",
    "torch.angle(k)",
    "torch.angle(m)",
    "torch.sign(a)",
    "torch.sign(o)",
    "torch.sign(f)",
    "torch.sign(v)",
    "torch.sign(k)",
    "torch.sign(m)",
    "torch.signbit(a)",
    "torch.signbit(o)",
    "torch.signbit(f)",
    "torch.signbit(v)",
    "torch.signbit(k)",
    "torch.signbit(m)",
    "torch.copysign(a, b)",
    "torch.copysign(o, r)",
    "torch.copysign(k, l)",
    "torch.copysign(f, -1.0)",
    "abs(a)",
    "torch.absolute(k)",
    "torch.positive(a)",
    "y = a * 1; y.abs_(); y",
    "y = f * 1; y.sgn_(); y",
    "y = f * 1; y.copysign_(-f); y",
    "v.bfloat16().sign()",
    "v.bfloat16().sgn()",
    "torch.copysign(a, -2)",
    "m.t().sgn().stride()",
]

SMOOTH = [
    "torch.abs(a)",
    "torch.abs(z)",
    "torch.sgn(z)",
    "torch.angle(z)",
    "torch.copysign(a, b)",
    "torch.sign(a)",
]

REFUSED = [
    "torch.abs(m)",
    "torch.sign(z)",
    "torch.signbit(z)",
    "torch.positive(m)",
    "torch.positive(None)",
]


@pytest.mark.parametrize("case", CASES)
def test_magnitudes_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_magnitudes_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_magnitudes_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
