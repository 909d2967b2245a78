"""The four operations and negation."""

import pytest

import edutorch as torch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.add(3, a, alpha=2)",
    "torch.add(m, True, alpha=2)",
    "torch.add(e, e, alpha=-1)",
    "torch.add(k, np.bool_(True))",
    "f + np.complex64(1j)",
    "f * np.complex128(1j)",
    "torch.mul(0.3, f.half())",
    "torch.mul(1e10, f.half() * 0)",
    "torch.mul(f.half() * 0, 1e10)",
    "torch.mul(torch.tensor(0.3), f.half())",
    "torch.add(f, f, alpha=np.float64(0.3))",
    "torch.rsub(f.half(), f.half(), alpha=0.5)",
    "f.bfloat16() * torch.tensor(0.3)",
    "f.bfloat16() / torch.tensor(0.3)",
    "a + b",
    "a + r",
    "torch.add(a, b, alpha=2.5)",
    "f + k",
    "k + 2.5",
    "e + 300",
    "m + n",
    "m + 1",
    "1 + a",
    "z + s",
    "a - b",
    "torch.sub(a, r, alpha=3)",
    "5 - k",
    "k - 0.5",
    "torch.rsub(a, b)",
    "e - k",
    "a * b",
    "z * z",
    "f * s",
    "k * m",
    "2 * f",
    "a * 1j",
    "a / b",
    "k / l",
    "k / 2",
    "e / l",
    "2 / p",
    "f / 0",
    "z / (z + 3)",
    "torch.div(f, r)",
    "torch.true_divide(k, l)",
    "-a",
    "-k",
    "torch.neg(z)",
    "+a",
    "+k",
    "y = a * 1; y += b; y",
    "y = a * 1; y -= 2; y",
    "y = a * 1; y *= b; y",
    "y = a * 1; y /= b; y",
    "y = f * 1; y.neg_(); y",
    "y = f * 1; y.add_(f, alpha=2); y",
    "y = torch.empty(2, 3); torch.add(f, 1, out=y); y",
    "torch.add(2, f)",
    "v / v",
    "v * 0",
    "torch.add(-1, f, alpha=2)",
    "torch.add(2.5, k, alpha=2)",
    "torch.add(True, m, alpha=True)",
    "torch.add(m, n, alpha=2)",
    "torch.add(m, n, alpha=0)",
]

SMOOTH = [
    "a + r",
    "a - r",
    "a * r",
    "a / p",
    "-a",
    "z * z",
    "z / (z + 3)",
    "torch.add(a, b, alpha=2)",
    "torch.add(z, z * z, alpha=1 - 2j)",
    "torch.sub(z, z * z, alpha=1 - 2j)",
    "torch.rsub(z * z, z, alpha=1 - 2j)",
]

REFUSED = [
    "torch.add(k, k, alpha=1.0)",
    "torch.add(k, 1, alpha=1.0)",
    "torch.add(m, n, alpha=1j)",
    "torch.sub(f, f, alpha=1 + 0j)",
    "torch.rsub(k, 2, alpha=1.0)",
    "torch.add(f.half(), f.half(), alpha=1e10)",
    "torch.add(f, f, alpha=s)",
    "torch.rsub(np.float32(1), f)",
    "torch.rsub(np.int64(3), f, alpha=2)",
    "m - n",
    "-m",
    "a + torch.ones(4)",
    "y = k * 1; y += 1.5",
    "m - True",
    "y = k * 1; y /= 2",
    "y = r * 1; y += a",
    "torch.add(f, a, out=f)",
    "torch.add(f, f, alpha='a')",
    "torch.add(f, f, alpha=None)",
    "torch.add(f, f, alpha=1j)",
    "torch.add(f, f, alpha=True)",
    "torch.add(k, k, alpha=0.5)",
    "torch.mul(f, 'a')",
    "torch.add(f, [1])",
]


@pytest.mark.parametrize("case", CASES)
def test_arithmetic_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_arithmetic_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_arithmetic_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize(
    "case", ["{} * 0.3", "{} / 0.3", "0.3 / {}", "{}.abs() ** 0.3"]
)
def test_numbers_beside_16_bit_floats_keep_their_digits(dtype, case):
    alike(__file__, case.format(f"a.detach().to(torch.{dtype})"))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_alpha_of_16_bit_numbers_has_16_bits(dtype):
    x = torch.tensor([0.0]).to(dtype)
    y = torch.tensor([4096.0]).to(dtype)
    alpha = torch.tensor(0.3).to(dtype).item()
    assert alpha != 0.3
    assert torch.add(x, y, alpha=0.3).item() == 4096 * alpha
    assert torch.sub(x, y, alpha=0.3).item() == -4096 * alpha
    assert torch.rsub(y, x, alpha=0.3).item() == -4096 * alpha
    assert x.add_(y, alpha=0.3).item() == 4096 * alpha
