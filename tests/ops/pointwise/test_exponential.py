"""Exponentials and logarithms."""

import pytest

from tests.ops.cases import alike, derivatives, refused

POSITIVE = ["log", "log2", "log10"]
ANY = ["exp", "exp2", "expm1"]


@pytest.mark.parametrize("name", [*ANY, *POSITIVE, "log1p"])
def test_function_values_and_gradients_equal_pytorch(name):
    x = "a" if name in ANY else "positive"
    alike(__file__, f"torch.{name}({x})")


@pytest.mark.parametrize("name", [*ANY, *POSITIVE, "log1p"])
@pytest.mark.parametrize("x", ["specials", "ints", "mask", "singles", "complexes"])
def test_function_of_other_dtypes_equals_pytorch(name, x):
    alike(__file__, f"torch.{name}({x})")


@pytest.mark.parametrize("name", [*ANY, *POSITIVE, "log1p"])
def test_function_derivatives_equal_differences(name):
    derivatives(f"torch.{name}({'a' if name in ANY else 'positive'})")


@pytest.mark.parametrize("name", [*ANY, *POSITIVE, "log1p"])
def test_function_in_place_equals_pytorch(name):
    alike(__file__, f"y = positive * 1; y.{name}_(); y")
    alike(__file__, f"y = torch.empty(2, 3); torch.{name}(singles, out=y); y")


INFINITE = "torch.tensor([float('inf'), -float('inf'), 1.0], requires_grad=True)"
LOGADDEXP = ["torch.logaddexp(a, b)", "torch.logaddexp2(a, row)", "torch.logaddexp(singles, singles)",
             "torch.logaddexp(complexes, complexes * 2)", f"torch.logaddexp({INFINITE}, singles)",
             "x = " + INFINITE + "; torch.logaddexp2(x, singles).sum().backward(); x.grad"]  # fmt: skip


@pytest.mark.parametrize("case", LOGADDEXP)
def test_logaddexp_equals_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", LOGADDEXP[:2])
def test_logaddexp_derivatives_equal_differences(case):
    derivatives(case)


REFUSED = ["torch.exp(3.0)", "torch.logaddexp2(complexes, complexes)", "torch.log([1.0])", "ints.exp_()",
           "torch.exp(a, out=singles)", "positive.exp_()"]  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_pytorch_refuses_is_refused_alike(case):
    refused(__file__, case)
