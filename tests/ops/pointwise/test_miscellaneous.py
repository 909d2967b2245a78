"""gcd, nextafter, nan_to_num and their kin."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.gcd(k, l)",
    "torch.lcm(k, l)",
    "torch.gcd(e, e + 2)",
    "torch.nextafter(f, f * 2)",
    "torch.nextafter(t, t.t().reshape(2, 3))",
    "torch.nextafter(a, b)",
    "torch.heaviside(f, torch.tensor(0.5))",
    "torch.heaviside(torch.tensor([-1, 0, 2]), torch.tensor(7))",
    "torch.nan_to_num(v)",
    "torch.nan_to_num(v, 1.0, 2.0, 3.0)",
    "torch.nan_to_num(a)",
    "torch.nan_to_num(k)",
    "torch.frexp(a)",
    "torch.frexp(f)",
    "y = k * 1; y.gcd_(l); y",
    "y = f * 1; y.nan_to_num_(); y",
    "v.bfloat16().nan_to_num()",
    "v.half().nan_to_num(1.0, neginf=-5)",
    "torch.nan_to_num(torch.tensor([complex(float('nan'), 1), complex(2, -float('inf'))]))",
    "f.bfloat16().frexp()",
    "v.t().nan_to_num()",
    "k.t().nan_to_num().stride()",
]

SMOOTH = [
    "torch.nan_to_num(a)",
    "torch.frexp(a)[0]",
]

REFUSED = [
    "torch.gcd(f, f)",
    "torch.frexp(k)",
    "torch.heaviside(f, torch.ones(3, dtype=torch.float64))",
    "torch.heaviside(z, z)",
    "torch.nan_to_num(f, 'a')",
    "torch.frexp(None)",
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
