"""Copies, and overwriting values."""

import pytest

import edutorch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "a.clone()",
    "torch.clone(a.t())",
    "(f.t().clone().stride(), f[:, ::2].clone().stride())",
    "f.t().clone(memory_format=torch.contiguous_format).stride()",
    "img.clone(memory_format=torch.channels_last).stride()",
    "a.t().contiguous()",
    "f.contiguous() is f",
    "f.t().contiguous().stride()",
    "img.contiguous(memory_format=torch.channels_last).stride()",
    "y = f.clone(); y.copy_(k); y",
    "y = f.clone(); y.copy_(s.detach()); y",
    "y = k.clone(); y.copy_(f); y",
    "y = f.clone(); y.copy_(1); y",
    "y = a.clone(); y.copy_(b); y",
    "y = a.clone(); y.copy_(r); y",
    "y = f.clone(); y.copy_(a); y",
    "y = torch.zeros(2, 3, dtype=torch.float64); y.copy_(a); y",
    "y = f.clone(); y.fill_(3); y",
    "y = a.clone(); y.fill_(3); y",
    "y = a.clone(); y.fill_(s); y",
    "y = k.clone(); y.fill_(1.7); y",
    "y = e.clone(); y.fill_(-1); y",
    "torch.fill(f, 2)",
    "y = f.clone(); y.zero_(); y",
    "y = a.clone(); y.zero_(); y",
    "y = f.clone(); torch.zero_(y); y",
    "y = f.clone(); y.t().copy_(torch.arange(6).reshape(3, 2)); y",
]

SMOOTH = [
    "a.clone() ** 2",
    "a.t().contiguous() ** 2",
]

REFUSED = [
    "torch.zeros(2, dtype=torch.uint8).fill_(-1.0)",
    "y = f.clone(); y.copy_(r[:2])",
    "y = f.clone(); y.copy_(f[None])",
    "y = r.clone(); y.copy_(f)",
    "f.copy_([1])",
    "f.fill_(r)",
    "f.fill_('a')",
    "k.int().fill_(2 ** 40)",
    "e.fill_(300)",
    "f.fill_(1j)",
    "f.t().contiguous(memory_format=torch.channels_last)",
    "a.copy_(b)",
    "a.zero_()",
    "torch.clone(f, memory_format='a')",
]


@pytest.mark.parametrize("case", CASES)
def test_copies_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_copies_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_copies_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_a_clone_keeps_the_order_of_memory_beside_dimensions_of_none():
    x = edutorch.arange(6).reshape(2, 3)[None].permute(2, 1, 0)
    assert x.clone().stride()[:2] == (1, 3)
