"""Tests of single numbers and of closeness."""

import pytest

import edutorch as torch
from tests.ops.cases import alike, refused

CASES = [
    "torch.isin(uint8s, -(2**63))",
    "torch.isin(uint8s, 256, invert=True)",
    "torch.isfinite(ints.expand(3, 2, *ints.shape)).stride()",
    "torch.isnan(specials)",
    "torch.isnan(ints)",
    "torch.isnan(complexes)",
    "torch.isnan(a)",
    "torch.isinf(specials)",
    "torch.isinf(ints)",
    "torch.isinf(complexes)",
    "torch.isinf(a)",
    "torch.isfinite(specials)",
    "torch.isfinite(ints)",
    "torch.isfinite(complexes)",
    "torch.isfinite(a)",
    "torch.isposinf(specials)",
    "torch.isneginf(specials)",
    "torch.isreal(complexes)",
    "torch.isreal(a)",
    "torch.isclose(a, a + 1e-9)",
    "torch.isclose(specials, specials)",
    "torch.isclose(specials, specials, equal_nan=True)",
    "torch.isclose(ints, ints2, atol=2)",
    "torch.isclose(a, b, rtol=1.0)",
    "torch.isclose(singles.t(), torch.ones(3, 2)).stride()",
    "torch.allclose(a, a + 1e-9)",
    "torch.allclose(a, b)",
    "torch.isclose(complexes, complexes * (1 + 1e-7))",
    "ints.t().isnan().stride()",
    "torch.isposinf(specials, out=torch.empty(5, dtype=torch.bool))",
    "torch.isin(ints, torch.tensor([3, 0, 9]))",
    "torch.isin(ints, torch.tensor([[3], [0]]), invert=True)",
    "torch.isin(3, ints)",
    "torch.isin(specials, 2.5)",
    "torch.isin(specials, specials)",
    "torch.isin(ints, torch.tensor([3.0, 0.5]), assume_unique=True)",
]

REFUSED = [
    "torch.isclose(a, singles)",
    "torch.isclose(a, a, rtol=-1.0)",
    "torch.isclose(a, 1.0)",
    "torch.isclose(a, a, atol=-1.0)",
    "torch.isneginf(complexes)",
    "torch.isposinf(specials, out=torch.empty(5))",
    "torch.isneginf(None)",
    "torch.isclose(singles, singles, 'a')",
    "torch.allclose(singles, 1)",
]


@pytest.mark.parametrize("case", CASES)
def test_predicates_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_tests_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_tolerance_may_be_a_tensor_of_one_number():
    x = torch.ones(2)
    assert torch.isclose(x, x + 0.05, rtol=torch.tensor(0.1)).tolist() == [True, True]
    with pytest.raises(TypeError, match="argument 'rtol' must be float, not complex"):
        torch.isclose(x, x, rtol=1j)


def test_nan_is_no_tolerance():
    x = torch.ones(2)
    with pytest.raises(
        RuntimeError, match="rtol must be greater than or equal to zero"
    ):
        torch.isclose(x, x, rtol=float("nan"))
    with pytest.raises(
        RuntimeError, match="atol must be greater than or equal to zero"
    ):
        torch.allclose(x, x, atol=float("nan"))
