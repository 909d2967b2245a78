"""Division with rounding, and remainders."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "f.half() // 0.1",
    "torch.div(f.bfloat16() * 18, f.bfloat16() * 0 + 1.003, rounding_mode='trunc')",
    'torch.div(a, b, rounding_mode="floor")',
    'torch.div(k, l, rounding_mode="floor")',
    'torch.div(f, 0, rounding_mode="floor")',
    'torch.div(e, l, rounding_mode="floor")',
    'torch.div(k, 2, rounding_mode="floor")',
    'torch.div(k, 1.5, rounding_mode="floor")',
    'torch.div(a, b, rounding_mode="trunc")',
    'torch.div(k, l, rounding_mode="trunc")',
    'torch.div(f, 0, rounding_mode="trunc")',
    'torch.div(e, l, rounding_mode="trunc")',
    'torch.div(k, 2, rounding_mode="trunc")',
    'torch.div(k, 1.5, rounding_mode="trunc")',
    "torch.div(a, b)",
    "torch.div(k, l)",
    "torch.divide(a, 2)",
    "f // r.detach().float()",
    "k // l",
    "k // 2",
    "5 // l",
    "f // 0.3",
    "-7 // l",
    "v // 2",
    "a % b",
    "k % l",
    "k % -3",
    "7 % l",
    "a % 0.7",
    "v % 2",
    "torch.remainder(f, -0.7)",
    "torch.remainder(5, l)",
    "torch.fmod(a, b)",
    "torch.fmod(k, l)",
    "torch.fmod(k, -3)",
    "torch.fmod(f, 0)",
    "e % 4",
    "y = f * 1; y //= 2; y",
    "y = a * 1; y %= b; y",
    "y = a * 1; y.fmod_(b); y",
    'y = a * 1; y.div_(b, rounding_mode="floor"); y',
    "str(torch.tensor([4.0, -4.0]) % -2)",
    "torch.signbit(torch.remainder(torch.tensor([4.0, -4.0], dtype=torch.bfloat16), -2))",
    "torch.fmod(k[:0], torch.zeros(3, dtype=torch.int64))",
]

SMOOTH = [
    "a % p",
    "torch.fmod(a, p)",
    "torch.div(a, p)",
]

REFUSED = [
    'torch.div(a, b, rounding_mode="up")',
    "k // 0",
    "k % 0",
    "torch.fmod(k, 0)",
    "(a // b).sum().backward()",
    "m // n",
    "m % True",
    "torch.fmod(m, n)",
    "torch.div(m, n, rounding_mode='trunc')",
    "z // z",
    "z % 2",
    "torch.fmod(z, z)",
    "torch.remainder(k, torch.zeros(3, 2, dtype=torch.int64))",
    "torch.add(e, 1, alpha=300)",
]


@pytest.mark.parametrize("case", CASES)
def test_divisions_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_divisions_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_divisions_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
