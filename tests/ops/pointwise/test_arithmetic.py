"""The four operations and negation."""

import pytest

import edutorch as torch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.sub(ints.to(torch.int8), ints2.to(torch.int8), alpha=128)",
    "torch.sub(ints, ints2, alpha=-(2**63))",
    "torch.add(3, a, alpha=2)",
    "torch.add(mask, True, alpha=2)",
    "torch.add(uint8s, uint8s, alpha=-1)",
    "torch.add(ints, np.bool_(True))",
    "singles + np.complex64(1j)",
    "singles * np.complex128(1j)",
    "torch.mul(0.3, singles.half())",
    "torch.mul(1e10, singles.half() * 0)",
    "torch.mul(singles.half() * 0, 1e10)",
    "torch.mul(torch.tensor(0.3), singles.half())",
    "torch.add(singles, singles, alpha=np.float64(0.3))",
    "torch.rsub(singles.half(), singles.half(), alpha=0.5)",
    "singles.bfloat16() * torch.tensor(0.3)",
    "singles.bfloat16() / torch.tensor(0.3)",
    "a + b",
    "a + row",
    "torch.add(a, b, alpha=2.5)",
    "singles + ints",
    "ints + 2.5",
    "uint8s + 300",
    "mask + mask2",
    "mask + 1",
    "1 + a",
    "complexes + scalar",
    "a - b",
    "torch.sub(a, row, alpha=3)",
    "5 - ints",
    "ints - 0.5",
    "torch.rsub(a, b)",
    "uint8s - ints",
    "a * b",
    "complexes * complexes",
    "singles * scalar",
    "ints * mask",
    "2 * singles",
    "a * 1j",
    "a / b",
    "x = (singles.half() + 3).requires_grad_(); torch.autograd.grad((singles.half() / x).sum(), x)[0].view(torch.int16)",
    "x = (singles.bfloat16() + 3).requires_grad_(); torch.autograd.grad((0.3 / x).sum(), x)[0].view(torch.int16)",
    "ints / ints2",
    "ints / 2",
    "uint8s / ints2",
    "2 / positive",
    "singles / 0",
    "complexes / (complexes + 3)",
    "torch.div(singles, row)",
    "torch.true_divide(ints, ints2)",
    "-a",
    "-ints",
    "torch.neg(complexes)",
    "+a",
    "+ints",
    "y = a * 1; y += b; y",
    "y = a * 1; y -= 2; y",
    "y = a * 1; y *= b; y",
    "y = a * 1; y /= b; y",
    "y = singles * 1; y.neg_(); y",
    "y = singles * 1; y.add_(singles, alpha=2); y",
    "y = torch.empty(2, 3); torch.add(singles, 1, out=y); y",
    "torch.add(2, singles)",
    "specials / specials",
    "specials * 0",
    "torch.add(-1, singles, alpha=2)",
    "torch.add(2.5, ints, alpha=2)",
    "torch.add(True, mask, alpha=True)",
    "torch.add(mask, mask2, alpha=2)",
    "torch.add(mask, mask2, alpha=0)",
]

SMOOTH = [
    "a + row",
    "a - row",
    "a * row",
    "a / positive",
    "-a",
    "complexes * complexes",
    "complexes / (complexes + 3)",
    "torch.add(a, b, alpha=2)",
    "torch.add(complexes, complexes * complexes, alpha=1 - 2j)",
    "torch.sub(complexes, complexes * complexes, alpha=1 - 2j)",
    "torch.rsub(complexes * complexes, complexes, alpha=1 - 2j)",
]

REFUSED = [
    "torch.add(ints, ints, alpha=1.0)",
    "torch.add(ints, 1, alpha=1.0)",
    "torch.add(mask, mask2, alpha=1j)",
    "torch.sub(singles, singles, alpha=1 + 0j)",
    "torch.rsub(ints, 2, alpha=1.0)",
    "torch.add(singles.half(), singles.half(), alpha=1e10)",
    "torch.add(singles, singles, alpha=scalar)",
    "torch.rsub(np.float32(1), singles)",
    "torch.rsub(np.int64(3), singles, alpha=2)",
    "mask - mask2",
    "-mask",
    "a + torch.ones(4)",
    "y = ints * 1; y += 1.5",
    "mask - True",
    "y = ints * 1; y /= 2",
    "y = row * 1; y += a",
    "torch.add(singles, a, out=singles)",
    "torch.add(singles, singles, alpha='a')",
    "torch.add(singles, singles, alpha=None)",
    "torch.add(singles, singles, alpha=1j)",
    "torch.add(singles, singles, alpha=True)",
    "torch.add(ints, ints, alpha=0.5)",
    "torch.mul(singles, 'a')",
    "torch.add(singles, [1])",
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
