"""Division with rounding, and remainders."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "singles.half() // 0.1",
    "torch.div(singles.bfloat16() * 18, singles.bfloat16() * 0 + 1.003, rounding_mode='trunc')",
    'torch.div(a, b, rounding_mode="floor")',
    'torch.div(ints, ints2, rounding_mode="floor")',
    'torch.div(singles, 0, rounding_mode="floor")',
    'torch.div(uint8s, ints2, rounding_mode="floor")',
    'torch.div(ints, 2, rounding_mode="floor")',
    'torch.div(ints, 1.5, rounding_mode="floor")',
    'torch.div(a, b, rounding_mode="trunc")',
    'torch.div(ints, ints2, rounding_mode="trunc")',
    'torch.div(singles, 0, rounding_mode="trunc")',
    'torch.div(uint8s, ints2, rounding_mode="trunc")',
    'torch.div(ints, 2, rounding_mode="trunc")',
    'torch.div(ints, 1.5, rounding_mode="trunc")',
    "torch.div(a, b)",
    "torch.div(ints, ints2)",
    "torch.divide(a, 2)",
    "singles // row.detach().float()",
    "ints // ints2",
    "ints // 2",
    "5 // ints2",
    "singles // 0.3",
    "-7 // ints2",
    "specials // 2",
    "a % b",
    "ints % ints2",
    "ints % -3",
    "7 % ints2",
    "a % 0.7",
    "specials % 2",
    "torch.remainder(singles, -0.7)",
    "torch.remainder(5, ints2)",
    "torch.remainder(ints2, torch.zeros(3).half().requires_grad_())",
    "torch.fmod(mask, torch.ones(3).requires_grad_())",
    "torch.fmod(uint8s, torch.zeros(3).bfloat16().requires_grad_())",
    "torch.fmod(a, b)",
    "torch.fmod(ints, ints2)",
    "torch.fmod(ints, -3)",
    "torch.fmod(singles, 0)",
    "uint8s % 4",
    "y = singles * 1; y //= 2; y",
    "y = a * 1; y %= b; y",
    "y = a * 1; y.fmod_(b); y",
    'y = a * 1; y.div_(b, rounding_mode="floor"); y',
    "str(torch.tensor([4.0, -4.0]) % -2)",
    "torch.signbit(torch.remainder(torch.tensor([4.0, -4.0], dtype=torch.bfloat16), -2))",
    "torch.fmod(ints[:0], torch.zeros(3, dtype=torch.int64))",
]

SMOOTH = [
    "a % positive",
    "torch.fmod(a, positive)",
    "torch.div(a, positive)",
]

REFUSED = [
    'torch.div(a, b, rounding_mode="up")',
    "ints // 0",
    "ints % 0",
    "torch.fmod(ints, 0)",
    "(a // b).sum().backward()",
    "mask // mask2",
    "mask % True",
    "torch.fmod(mask, mask2)",
    "torch.div(mask, mask2, rounding_mode='trunc')",
    "complexes // complexes",
    "complexes % 2",
    "torch.fmod(complexes, complexes)",
    "torch.remainder(ints, torch.zeros(3, 2, dtype=torch.int64))",
    "torch.add(uint8s, 1, alpha=300)",
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
