"""where, lerp, addcmul and addcdiv."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.addcmul(e, e, e, value=-1)",
    "k.where(m, np.bool_(True))",
    "torch.where(m, f, np.complex64(2))",
    "torch.lerp(m, n, torch.tensor(0.5))",
    "torch.addcmul(f.half(), f.half(), f.half(), value=1e10)",
    "torch.where(m, e, -1)",
    "torch.where(m, 1e10, f.half())",
    "torch.addcmul(f, f, f, value=np.float64(0.3))",
    "torch.addcdiv(f.half(), torch.tensor(2.0), f)",
    "torch.addcmul(torch.ones(3, dtype=torch.complex128), "
    "torch.tensor([9, 8, 7]).byte(), torch.tensor(300))",
    "torch.addcmul(f.bfloat16(), f.bfloat16(), f.bfloat16(), value=0.5)",
    "torch.lerp(f.half(), f.half(), torch.tensor(0.3))",
    "torch.lerp(f, f * 2, np.float64(0.3))",
    "torch.where(m, a, b)",
    "torch.where(a > 0, a, 0)",
    "torch.where(m, 1, 2)",
    "torch.where(m, 1.5, f)",
    "torch.where(m, k, f)",
    "torch.where(m, r, b)",
    "torch.where(m)",
    "a.where(m, b)",
    "torch.where(e > 5, e, k)",
    "torch.lerp(a, b, 0.3)",
    "torch.lerp(a, b, u)",
    "torch.lerp(f, f + 1, 0.9)",
    "torch.lerp(z, z * 2, 0.25)",
    "y = a * 1; y.lerp_(b, 0.5); y",
    "torch.addcmul(a, b, p)",
    "torch.addcmul(a, b, r, value=2.5)",
    "torch.addcmul(k, l, k, value=2)",
    "torch.addcdiv(a, b, p)",
    "torch.addcdiv(a, b, p, value=-2)",
    "y = a * 1; y.addcmul_(b, p); y",
    "y = a * 1; y.addcdiv_(b, p, value=0.5); y",
    "torch.addcdiv(f, f, k)",
    "torch.addcmul(k, k, l, value=0.5)",
    "torch.addcmul(k, k, l, value=2.5)",
    "torch.lerp(f, f * 2, torch.tensor(0.5, dtype=torch.float64))",
]

SMOOTH = [
    "torch.where(m, a, b)",
    "torch.lerp(a, b, 0.3)",
    "torch.lerp(a, b, u)",
    "torch.addcmul(a, b, r, value=2.5)",
    "torch.addcdiv(a, b, p, value=-2)",
    "torch.addcmul(z, z * 2, z, value=1 - 2j)",
    "torch.addcdiv(z, z * 2, z + 5, value=1 - 2j)",
]

REFUSED = [
    "torch.addcmul(k[0], k[1], k[:, :2], value=1j)",
    "k.where(m, np.ones(3))",
    "torch.where(m[0], f[:, :2], torch.ones(2, 1))",
    "torch.lerp(m, n, torch.tensor(1))",
    "torch.where(m[0], torch.ones(0), f)",
    "torch.where(m, e, 300)",
    "torch.where(m, 10**10, k.int())",
    "torch.where(m, f, 1e39)",
    "torch.where(m, f, np.ones(3))",
    "torch.where(m[:, :2], e, 300)",
    "torch.addcdiv(f, f, f, value=1j)",
    "torch.addcmul(k, k, k, value=1j)",
    "torch.lerp(f, f, 1j)",
    "torch.lerp(f, np.float32(1), 1.0)",
    "torch.where(k, a, b)",
    "torch.where(m, a, torch.ones(4))",
    "torch.addcdiv(k, k, l)",
    "torch.lerp(a, f, 0.5)",
    "torch.addcmul(m, m, n)",
    "torch.addcmul(f, f, f, value=1j)",
    "torch.addcmul(f, f, f, value='a')",
    "torch.addcdiv(f, f, f, value=[])",
    "torch.lerp(f, f, 1j)",
]


@pytest.mark.parametrize("case", CASES)
def test_blends_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_blends_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_blends_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
