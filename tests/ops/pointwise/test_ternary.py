"""where, lerp, addcmul and addcdiv."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.addcmul(uint8s, uint8s, uint8s, value=-1)",
    "ints.where(mask, np.bool_(True))",
    "torch.where(mask, singles, np.complex64(2))",
    "torch.lerp(mask, mask2, torch.tensor(0.5))",
    "torch.addcmul(singles.half(), singles.half(), singles.half(), value=1e10)",
    "torch.where(mask, uint8s, -1)",
    "torch.where(mask, 1e10, singles.half())",
    "torch.addcmul(singles, singles, singles, value=np.float64(0.3))",
    "torch.addcdiv(singles.half(), torch.tensor(2.0), singles)",
    "torch.addcmul(torch.ones(3, dtype=torch.complex128), "
    "torch.tensor([9, 8, 7]).byte(), torch.tensor(300))",
    "torch.addcmul(singles.bfloat16(), singles.bfloat16(), singles.bfloat16(), value=0.5)",
    "torch.addcmul(singles.bfloat16(), singles.bfloat16(), singles.half(), value=2 + 0j)",
    "torch.addcmul(singles.half(), singles.half(), singles.half(), value=2 + 0j)",
    "torch.lerp(singles.half(), singles.half(), torch.tensor(0.3))",
    "torch.lerp(singles, singles * 2, np.float64(0.3))",
    "torch.where(mask, a, b)",
    "torch.where(a > 0, a, 0)",
    "torch.where(mask, 1, 2)",
    "torch.where(mask, 1.5, singles)",
    "torch.where(mask, ints, singles)",
    "torch.where(mask, row, b)",
    "torch.where(mask)",
    "a.where(mask, b)",
    "torch.where(uint8s > 5, uint8s, ints)",
    "torch.lerp(a, b, 0.3)",
    "torch.lerp(a, b, unit)",
    "torch.lerp(singles, singles + 1, 0.9)",
    "torch.lerp(complexes, complexes * 2, 0.25)",
    "y = a * 1; y.lerp_(b, 0.5); y",
    "torch.addcmul(a, b, positive)",
    "torch.addcmul(a, b, row, value=2.5)",
    "torch.addcmul(ints, ints2, ints, value=2)",
    "torch.addcdiv(a, b, positive)",
    "torch.addcdiv(a, b, positive, value=-2)",
    "torch.addcdiv(singles, torch.tensor(3e38), torch.tensor(3e38), value=2)",
    "torch.where(ints)[0].stride()",
    "y = a * 1; y.addcmul_(b, positive); y",
    "y = a * 1; y.addcdiv_(b, positive, value=0.5); y",
    "torch.addcdiv(singles, singles, ints)",
    "torch.addcmul(ints, ints, ints2, value=0.5)",
    "torch.addcmul(ints, ints, ints2, value=2.5)",
    "torch.lerp(singles, singles * 2, torch.tensor(0.5, dtype=torch.float64))",
]

SMOOTH = [
    "torch.where(mask, a, b)",
    "torch.lerp(a, b, 0.3)",
    "torch.lerp(a, b, unit)",
    "torch.addcmul(a, b, row, value=2.5)",
    "torch.addcdiv(a, b, positive, value=-2)",
    "torch.addcmul(complexes, complexes * 2, complexes, value=1 - 2j)",
    "torch.addcdiv(complexes, complexes * 2, complexes + 5, value=1 - 2j)",
]

REFUSED = [
    "torch.addcmul(ints[0], ints[1], ints[:, :2], value=1j)",
    "ints.where(mask, np.ones(3))",
    "torch.where(mask[0], singles[:, :2], torch.ones(2, 1))",
    "torch.lerp(mask, mask2, torch.tensor(1))",
    "torch.where(mask[0], torch.ones(0), singles)",
    "torch.where(mask, uint8s, 300)",
    "torch.where(mask, 10**10, ints.int())",
    "torch.where(mask, singles, 1e39)",
    "torch.where(mask, singles, np.ones(3))",
    "torch.where(mask[:, :2], uint8s, 300)",
    "torch.addcdiv(singles, singles, singles, value=1j)",
    "torch.addcmul(ints, ints, ints, value=1j)",
    "torch.lerp(singles, singles, 1j)",
    "torch.lerp(singles, np.float32(1), 1.0)",
    "torch.where(ints, a, b)",
    "torch.where(mask, a, torch.ones(4))",
    "torch.addcdiv(ints, ints, ints2)",
    "torch.lerp(a, singles, 0.5)",
    "torch.addcmul(mask, mask, mask2)",
    "torch.addcmul(singles, singles, singles, value=1j)",
    "torch.addcmul(singles, singles, singles, value='a')",
    "torch.addcdiv(singles, singles, singles, value=[])",
    "torch.lerp(singles, singles, 1j)",
]


@pytest.mark.parametrize("case", CASES)
def test_ternary_functions_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_blends_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_blends_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
