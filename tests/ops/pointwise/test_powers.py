"""Powers."""

import pytest

import edutorch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "(complexes.detach().t() ** complexes.detach().t()).stride()",
    "(2 ** singles.t()).stride(), (1 ** ints.t()).stride()",
    "torch.float_power(2.0, singles.t()).stride()",
    "torch.ldexp(torch.ones(4, 3, 2).mT, torch.ones(4, 3, 2).mT).stride()",
    "torch.ldexp(torch.ones(4, 1, 3), torch.ones(1, 3, 2).mT).stride()",
    "torch.ldexp(torch.ones(4, 1, 3).double(), torch.ones(1, 3, 2).mT).stride()",
    "torch.ldexp(singles * 1e-30, 30 * ints.abs() + 1)",
    "torch.ldexp(a.detach(), singles)",
    "torch.ldexp(singles.t(), torch.ones(3, 2)).stride()",
    "torch.ldexp(singles.t(), torch.ones(3, 2, dtype=torch.int32)).stride()",
    "(complexes.detach()[:1].expand(3, -1) ** complexes.detach()[:1].expand(3, -1)).stride()",
    "torch.ldexp(a.detach(), singles[0, 0])",
    "torch.ldexp(complexes.detach() * 1e-300, ints[:, :2] + 1000)",
    "torch.ldexp(singles.half(), singles.half() + 17)",
    "torch.ldexp(ints, scalar.detach().half())",
    "torch.ldexp(mask, mask2)",
    "singles ** np.float64(1.5)",
    "abs(singles.half()) ** 0.3",
    "a ** 2",
    "a ** 3",
    "positive ** 0.5",
    "positive ** -1.5",
    "a ** 0",
    "a ** 1",
    "ints ** 2",
    "ints ** 0.5",
    "ints ** 2.0",
    "uint8s ** 2",
    "mask ** 2",
    "singles ** 2",
    "complexes ** 2",
    "complexes ** 0.5",
    "a ** 2j",
    "specials ** 2",
    "zeroed ** 2",
    "zeroed ** 0.5",
    "positive ** b",
    "torch.pow(positive, row)",
    "torch.pow(2, b)",
    "2 ** b",
    "0 ** b",
    "torch.pow(zeroed, torch.zeros(3))",
    "ints ** (ints2 * ints2)",
    "ints ** ints2",
    "ints2 ** ints",
    "singles ** ints",
    "complexes ** complexes",
    "singles[:, :2] ** complexes",
    "2 ** ints",
    "2.5 ** ints",
    "torch.pow(positive, torch.tensor(2))",
    "torch.float_power(ints, 2)",
    "torch.float_power(singles, singles * 0 + 2)",
    "torch.ldexp(singles, ints2)",
    "torch.ldexp(singles, ints)",
    "torch.ldexp(ints, ints2)",
    "y = a * 1; y **= 2; y",
    "y = positive * 1; y.pow_(b); y",
    "y = torch.empty(2, 3); torch.pow(singles, 2, out=y); y",
    "mask ** True",
    "mask ** False",
]

SMOOTH = [
    "a ** 2",
    "a ** 3",
    "positive ** 0.5",
    "positive ** b",
    "2 ** b",
    "complexes ** 2",
    "a[:, :2] ** complexes",
    "complexes ** complexes",
    "a ** 0",
    "torch.ldexp(a, b)",
]

REFUSED = [
    "a.float_power_(2)",
    "x = singles.detach().requires_grad_(); x.float_power_(2)",
    "x = ints[:1].expand(4, 3); x.ldexp_(ints)",
    "x = torch.tensor(1 + 0j); x.ldexp_(torch.ones(2, 1).half())",
    "y = singles.half(); y **= 1j; y",
    "singles.half() // 1j",
    "y = ints * 1; y.ldexp_(2); y",
    "torch.ldexp(singles, mask)",
    "y = ints * 1; y.ldexp_(complexes); y",
    "torch.ldexp(singles, singles, out=ints)",
    "y = singles * 1; y.float_power_(ints[:, :1]); y",
    "y = a.detach() * 1; y.float_power_(2j); y",
    "singles.half() ** 1e10",
    "singles.bfloat16() ** 1e39",
    "uint8s ** 300",
    "ints.int() ** 10**10",
    "singles ** [1]",
    "[1] ** singles",
    "ints ** -1",
    "y = ints * 1; y.pow_(0.5)",
    "mask ** mask2",
]


@pytest.mark.parametrize("case", CASES)
def test_powers_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_powers_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_powers_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_forward_derivatives_of_powers_of_zero_are_zero_and_not_nan():
    zero, b = edutorch.tensor([0.0, 0.0]), edutorch.tensor([0.0, 2.0])
    one = edutorch.ones(2)
    assert edutorch.func.jvp(lambda b: zero**b, (b,), (one,))[1].tolist() == [0, 0]
    assert edutorch.func.jvp(lambda b: 0.0**b, (b,), (one,))[1].tolist() == [0, 0]
    assert edutorch.func.jvp(lambda a: a**b, (zero,), (one,))[1].tolist() == [0, 0]


@pytest.mark.parametrize(("dtype", "n", "power", "gradient"), [
    ("float16", 3, 8.0966796875, 26.123046875),
    ("float16", -2, 9.13671875, -35.8427734375),
    ("bfloat16", 3, 8.076171875, 25.98828125),
    ("bfloat16", 3.5, 9.07666015625, 33.10546875),
    ("bfloat16", -2, 9.14453125, -35.83984375),
])  # fmt: skip
def test_gradient_of_16_bit_powers_is_rounded_step_by_step_as_in_pytorch(
    dtype, n, power, gradient
):
    x = edutorch.linspace(0.5, 1.5, 6).to(getattr(edutorch, dtype)).requires_grad_()
    y = x**n
    (g,) = edutorch.autograd.grad(y, x, 1.3 * edutorch.ones_like(y))
    assert y.float().sum().item() == power and g.float().sum().item() == gradient


def test_gradient_of_16_bit_powers_may_overflow_before_it_is_summed_as_in_pytorch():
    a = edutorch.tensor([[5.6914], [3.1406]]).half().requires_grad_()
    b = edutorch.tensor([1.5195, 2.6445, 5.7, 5.7]).half().requires_grad_()
    g = edutorch.tensor([1.0, 1.0, 4.0, -4.0]).half().expand(2, 4)
    ga, gb = edutorch.autograd.grad(a**b, (a, b), g)
    assert ga[0].isnan() and ga[1].item() == 20.109375
    assert gb.tolist() == [30.953125, 196.5, float("inf"), float("-inf")]


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_gradient_of_an_exponent_has_the_digits_of_the_power(dtype):
    a = edutorch.tensor([1.3, 2.7], dtype=getattr(edutorch, dtype))
    b = edutorch.tensor([2.1, 0.7], dtype=edutorch.float64, requires_grad=True)
    y = a**b
    (g,) = edutorch.autograd.grad(y.sum(), b, create_graph=True)
    expected = y.detach() * a.double().log()
    assert edutorch.allclose(g.detach(), expected, rtol=1e-12, atol=0)
    (h,) = edutorch.autograd.grad(g.sum(), b)
    assert edutorch.allclose(h, expected * a.double().log(), rtol=1e-12, atol=0)
