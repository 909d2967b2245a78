"""Size and sign."""

import pytest

import edutorch as torch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.abs(a)",
    "torch.abs(zeroed)",
    "torch.abs(complexes)",
    "torch.abs(singles)",
    "torch.abs(specials)",
    "torch.abs(ints)",
    "torch.sgn(a.detach())",
    "torch.sgn(zeroed.detach())",
    "torch.sgn(complexes)",
    "torch.sgn(singles)",
    "torch.sgn(specials)",
    "torch.sgn(ints)",
    "torch.sgn(mask)",
    "torch.angle(a)",
    "torch.angle(zeroed)",
    "torch.angle(complexes)",
    "torch.angle(singles)",
    "torch.angle(specials)",
    "torch.angle(ints)",
    "torch.angle(mask)",
    "torch.sign(a)",
    "torch.sign(zeroed)",
    "torch.sign(singles)",
    "torch.sign(specials)",
    "torch.sign(ints)",
    "torch.sign(mask)",
    "torch.signbit(a)",
    "torch.signbit(zeroed)",
    "torch.signbit(singles)",
    "torch.signbit(specials)",
    "torch.signbit(ints)",
    "torch.signbit(mask)",
    "torch.copysign(a, b)",
    "torch.copysign(zeroed, row)",
    "torch.copysign(ints, ints2)",
    "torch.copysign(singles, -1.0)",
    "abs(a)",
    "torch.absolute(ints)",
    "torch.positive(a)",
    "y = a * 1; y.abs_(); y",
    "y = singles * 1; y.sgn_(); y",
    "y = singles * 1; y.copysign_(-singles); y",
    "specials.bfloat16().sign()",
    "specials.bfloat16().sgn()",
    "torch.copysign(a, -2)",
    "mask.t().sgn().stride()",
    'torch.sgn(torch.tensor([complex(float("inf"), 1), 3 + 4j]))',
]

SMOOTH = [
    "torch.abs(a)",
    "torch.abs(complexes)",
    "torch.sgn(complexes)",
    "torch.angle(complexes)",
    "torch.copysign(a, b)",
    "torch.sign(a)",
]

REFUSED = [
    "torch.abs(mask)",
    "torch.sign(complexes)",
    "torch.signbit(complexes)",
    "torch.positive(mask)",
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


def modulus(x):
    return torch.view_as_complex(x.reshape(2, 2)).abs()


def phase(x):
    return torch.view_as_complex(x.reshape(2, 2)).angle()


@pytest.mark.parametrize("f", [modulus, phase])
def test_forward_derivatives_of_forward_derivatives_are_0_at_a_complex_0(f):
    x = torch.tensor([0.0, 0.0, 3.0, 4.0], dtype=torch.float64)
    found = torch.func.jacfwd(torch.func.jacfwd(f))(x)
    assert torch.equal(found[0], torch.zeros(4, 4, dtype=torch.float64))
    assert torch.allclose(found[1], torch.func.hessian(lambda x: f(x)[1])(x))
