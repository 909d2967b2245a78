"""New random tensors: PyTorch's numbers, shapes, dtypes and refusals."""

from __future__ import annotations

import pytest

import edutorch as torch
from tests.ops.sampling.parity import same_draw, same_refusal


@pytest.fixture
def oracle():
    from tests.oracle import torch as oracle

    return oracle


def test_draws_with_stored_seed_equal_pytorch():
    torch.manual_seed(42)
    assert torch.rand(2).tolist() == [0.8822692632675171, 0.9150039553642273]
    torch.manual_seed(42)
    assert torch.randint(10, (6,)).tolist() == [2, 7, 6, 4, 6, 5]
    torch.manual_seed(42)
    assert torch.randperm(10).tolist() == [2, 6, 1, 8, 4, 5, 0, 9, 3, 7]
    torch.manual_seed(42)
    expected = [0.33669036626815796, 0.12880940735340118]
    assert torch.randn(2).tolist() == pytest.approx(expected, rel=1e-6)


def test_rand_with_generator_leaves_the_default_one():
    torch.manual_seed(0)
    torch.rand(3, generator=torch.Generator().manual_seed(5))
    assert torch.rand(1).item() == pytest.approx(0.49625658988952637, rel=1e-7)


def test_rand_into_out_fills_it():
    out = torch.zeros(3, dtype=torch.float64)
    assert torch.rand(3, out=out) is out
    assert (out > 0).all()


def test_rand_that_requires_grad_is_a_leaf():
    x = torch.randn(3, requires_grad=True)
    assert x.requires_grad
    assert x.is_leaf


CASES = [
    "torch.rand(5)", "torch.rand(2, 3)", "torch.rand((2, 3))", "torch.rand(())",
    "torch.rand(size=(4,))", "torch.rand(0, 3)", "torch.rand(3, dtype=torch.float64)",
    "torch.rand(9, dtype=torch.float16)", "torch.rand(9, dtype=torch.bfloat16)",
    "torch.rand(3, dtype=torch.complex64)", "torch.rand(3, requires_grad=True)",
    "torch.randn(5)", "torch.randn(4, 9)", "torch.randn(37, dtype=torch.float64)",
    "torch.randn(20, dtype=torch.float16)", "torch.randn(3, dtype=torch.complex64)",
    "torch.randn(20, dtype=torch.complex128)", "torch.randint(10, (2, 3))",
    "torch.randint(3, 10, (5,))", "torch.randint(high=5, size=(2,))",
    "torch.randint(low=1, high=5, size=(2,))", "torch.randint(-5, 1 << 40, (9,))",
    "torch.randint(0, 2, (9,), dtype=torch.bool)",
    "torch.randint(0, 9, (4,), dtype=torch.float32)",
    "torch.randint(0, 256, (4,), dtype=torch.uint8)", "torch.randperm(10)",
    "torch.randperm(1000)", "torch.randperm(0)", "torch.randperm(5, dtype=torch.int32)",
    "torch.randperm(5, dtype=torch.float32)", "torch.randperm(5, out=torch.zeros(3))",
    "torch.rand_like(torch.zeros(4, 4))", "torch.rand_like(torch.zeros(2, 3).t())",
    "torch.randn_like(torch.zeros(4, 5).t())", "torch.randn_like(torch.zeros(20))",
    "torch.randn_like(torch.zeros(4, 40)[:, ::2])",
    "torch.rand_like(torch.zeros(2, 3, 4).transpose(0, 2))",
    "torch.randn_like(torch.zeros(2), dtype=torch.float64)",
    "torch.rand_like(torch.zeros(2, 3).t(), memory_format=torch.contiguous_format)",
    "torch.randint_like(torch.zeros(5), 7)", "torch.randint_like(torch.zeros(5), 3, 9)",
    "torch.rand(2, out=torch.zeros(5))",
    "torch.rand(2, out=torch.zeros(2, dtype=torch.float64))",
]  # fmt: skip


@pytest.mark.parametrize("expression", CASES)
def test_draw_equals_pytorch(oracle, expression):
    same_draw(oracle, expression)


REFUSED = [
    "torch.rand(-1)", "torch.rand(2, dtype=torch.int64)", "torch.rand()",
    "torch.randn(2, dtype=torch.int64)", "torch.rand(2, dtype=torch.bool)",
    "torch.rand('a')", "torch.rand(2.0)", "torch.randint(0, (2,))",
    "torch.randint(5, 2, (2,))", "torch.randint(0, 300, (2,), dtype=torch.uint8)",
    "torch.randint(-1, 3, (2,), dtype=torch.uint8)",
    "torch.randint(0, 3, (2,), dtype=torch.bool)", "torch.randint(0, 2**70, (2,))",
    "torch.randint(0, 70000, (2,), dtype=torch.float16)", "torch.randint(10)",
    "torch.randint(0, 10, 3)", "torch.randint(5, (2,), dtype=torch.complex64)",
    "torch.randint(0, 5, (2,), requires_grad=True)", "torch.randperm(-1)",
    "torch.randperm(300, dtype=torch.uint8)", "torch.randperm(2, dtype=torch.bool)",
    "torch.randperm(3000, dtype=torch.float16)", "torch.randperm(2.5)",
    "torch.randperm(3, dtype=torch.complex64)",
    "torch.rand(2, out=torch.zeros(2), dtype=torch.float64)",
    "torch.rand_like(torch.zeros(2, dtype=torch.int64))",
    "torch.randn_like(torch.zeros(2, 3), memory_format=torch.channels_last)",
]  # fmt: skip


@pytest.mark.parametrize("expression", REFUSED)
def test_refusal_equals_pytorchs(oracle, expression):
    same_refusal(oracle, expression)


def test_generator_of_another_kind_is_refused():
    with pytest.raises(TypeError, match="argument 'generator' must be"):
        torch.rand(2, generator=3)
