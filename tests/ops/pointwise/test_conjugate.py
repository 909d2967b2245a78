"""Conjugates and zeros."""

import pytest

import edutorch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.conj_physical(complexes)",
    "a.conj()",
    "torch.conj(input=singles)",
    "complexes.conj()",
    "complexes.conj_physical()",
]

SMOOTH = [
    "complexes.conj() * complexes",
    "torch.conj_physical(complexes)",
    "a.floor() * a",
]

REFUSED = ["torch.conj(None)"]


@pytest.mark.parametrize("case", CASES)
def test_formulas_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_formulas_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_formulas_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_conjugating_real_numbers_in_place_is_recorded():
    x = edutorch.ones(2, requires_grad=True) * 1
    assert x.conj_physical_().grad_fn.name() == "ConjPhysicalBackward1"


def test_conj_physical_in_place_leaves_real_dtypes_as_they_are():
    for dtype in (edutorch.bool, edutorch.int32, edutorch.float16):
        x = edutorch.ones(2).to(dtype)
        assert x.conj_physical_() is x
        assert x.dtype is dtype
        assert x.tolist() == [1, 1]


def test_conjugating_a_repeated_real_tensor_in_place_has_no_gradient():
    x = edutorch.ones(2, requires_grad=True) * 1
    rows = x.expand(3, 2).conj_physical_()
    assert rows._version == 1 and rows.tolist() == [[1, 1]] * 3
    with pytest.raises(RuntimeError, match="refers to a single memory location"):
        x.sum().backward()
