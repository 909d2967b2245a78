"""Powers."""

import pytest

import edutorch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.ldexp(f * 1e-30, 30 * k.abs() + 1)",
    "torch.ldexp(a.detach(), f)",
    "torch.ldexp(a.detach(), f[0, 0])",
    "torch.ldexp(z.detach() * 1e-300, k[:, :2] + 1000)",
    "torch.ldexp(f.half(), f.half() + 17)",
    "torch.ldexp(k, s.detach().half())",
    "torch.ldexp(m, n)",
    "f ** np.float64(1.5)",
    "abs(f.half()) ** 0.3",
    "a ** 2",
    "a ** 3",
    "p ** 0.5",
    "p ** -1.5",
    "a ** 0",
    "a ** 1",
    "k ** 2",
    "k ** 0.5",
    "k ** 2.0",
    "e ** 2",
    "m ** 2",
    "f ** 2",
    "z ** 2",
    "z ** 0.5",
    "a ** 2j",
    "v ** 2",
    "o ** 2",
    "o ** 0.5",
    "p ** b",
    "torch.pow(p, r)",
    "torch.pow(2, b)",
    "2 ** b",
    "0 ** b",
    "torch.pow(o, torch.zeros(3))",
    "k ** (l * l)",
    "k ** l",
    "l ** k",
    "f ** k",
    "z ** z",
    "f[:, :2] ** z",
    "2 ** k",
    "2.5 ** k",
    "torch.pow(p, torch.tensor(2))",
    "torch.float_power(k, 2)",
    "torch.float_power(f, f * 0 + 2)",
    "torch.ldexp(f, l)",
    "torch.ldexp(f, k)",
    "torch.ldexp(k, l)",
    "y = a * 1; y **= 2; y",
    "y = p * 1; y.pow_(b); y",
    "y = torch.empty(2, 3); torch.pow(f, 2, out=y); y",
    "m ** True",
    "m ** False",
]

SMOOTH = [
    "a ** 2",
    "a ** 3",
    "p ** 0.5",
    "p ** b",
    "2 ** b",
    "z ** 2",
    "a[:, :2] ** z",
    "z ** z",
    "a ** 0",
    "torch.ldexp(a, b)",
]

REFUSED = [
    "y = f.half(); y **= 1j; y",
    "f.half() // 1j",
    "y = k * 1; y.ldexp_(2); y",
    "torch.ldexp(f, m)",
    "y = k * 1; y.ldexp_(z); y",
    "torch.ldexp(f, f, out=k)",
    "y = f * 1; y.float_power_(k[:, :1]); y",
    "y = a.detach() * 1; y.float_power_(2j); y",
    "f.half() ** 1e10",
    "f.bfloat16() ** 1e39",
    "e ** 300",
    "k.int() ** 10**10",
    "f ** [1]",
    "[1] ** f",
    "k ** -1",
    "y = k * 1; y.pow_(0.5)",
    "m ** n",
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
