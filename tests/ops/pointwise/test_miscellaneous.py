"""gcd, nextafter, nan_to_num and others."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.gcd(ints, ints2)",
    "torch.lcm(ints, ints2)",
    "torch.gcd(uint8s, uint8s + 2)",
    "torch.nextafter(singles, singles * 2)",
    "torch.nextafter(ties, ties.t().reshape(2, 3))",
    "torch.nextafter(a, b)",
    "torch.heaviside(singles, torch.tensor(0.5))",
    "torch.heaviside(torch.tensor([-1, 0, 2]), torch.tensor(7))",
    "torch.nan_to_num(specials)",
    "torch.nan_to_num(specials, 1.0, 2.0, 3.0)",
    "torch.nan_to_num(a)",
    'torch.nan_to_num(specials, float("inf"), float("-inf"))',
    "torch.nan_to_num(ints)",
    "torch.frexp(a)",
    "torch.frexp(singles)",
    "y = ints * 1; y.gcd_(ints2); y",
    "y = singles * 1; y.nan_to_num_(); y",
    "specials.bfloat16().nan_to_num()",
    "specials.half().nan_to_num(1.0, neginf=-5)",
    "torch.nan_to_num(torch.tensor([complex(float('nan'), 1), complex(2, -float('inf'))]))",
    "singles.bfloat16().frexp()",
    "specials.t().nan_to_num()",
    "ints.t().nan_to_num().stride()",
    "ints.expand(3, 2, *ints.shape).nan_to_num().stride()",
]

SMOOTH = [
    "torch.nan_to_num(a)",
    "torch.frexp(a)[0]",
]

REFUSED = [
    "torch.nan_to_num(complexes)",
    "torch.gcd(singles, singles)",
    "torch.frexp(ints)",
    "torch.heaviside(singles, torch.ones(3, dtype=torch.float64))",
    "torch.heaviside(complexes, complexes)",
    "torch.nan_to_num(singles, 'a')",
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
