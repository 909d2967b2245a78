"""Logical operations."""

import pytest

import edutorch as torch
from tests.ops.cases import alike, refused

CASES = [
    "torch.logical_and(torch.ones(2, dtype=torch.int8), torch.tensor(256))",
    "torch.logical_or(torch.zeros(2, dtype=torch.int8), torch.tensor(256))",
    "torch.logical_and(mask, mask2)",
    "torch.logical_and(ints, ints2)",
    "torch.logical_and(a, zeroed)",
    "torch.logical_and(zeroed, mask)",
    "torch.logical_or(mask, mask2)",
    "torch.logical_or(ints, ints2)",
    "torch.logical_or(a, zeroed)",
    "torch.logical_or(zeroed, mask)",
    "torch.logical_xor(mask, mask2)",
    "torch.logical_xor(ints, ints2)",
    "torch.logical_xor(a, zeroed)",
    "torch.logical_xor(zeroed, mask)",
    "torch.logical_not(zeroed)",
    "torch.logical_not(mask)",
    "torch.logical_not(complexes)",
    "y = mask * 1; y.logical_and_(mask2); y",
    "y = singles * 1; y.logical_not_(); y",
    "y = torch.empty(2, 3); torch.logical_or(mask, mask2, out=y); y",
]

REFUSED = [
    "x = singles.half(); x.logical_xor_(complexes[0, 0])",
    "torch.logical_or(mask, 1)",
]


@pytest.mark.parametrize("case", CASES)
def test_logic_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_logic_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


@pytest.mark.parametrize("name", ["and", "or", "xor", "not"])
def test_logical_changes_in_place_are_not_recorded(name):
    other = () if name == "not" else (torch.tensor([1.0, 0.0]),)
    x = torch.tensor([0.0, 2.0], requires_grad=True)
    y = x * 3
    for t in (x, y):
        expected = getattr(t.detach(), f"logical_{name}")(*other).to(t.dtype)
        assert getattr(t, f"logical_{name}_")(*other) is t
        assert torch.equal(t.detach(), expected)
    assert x.is_leaf
    assert y.grad_fn.name() == "MulBackward0"
    with pytest.raises(RuntimeError, match="refers to a single memory location"):
        getattr(x[:1].expand(2), f"logical_{name}_")(*other)
