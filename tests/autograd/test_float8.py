"""8-bit floats are stored, moved and converted; arithmetic is refused."""

from __future__ import annotations

import pytest

import edutorch as torch

KINDS = [
    torch.float8_e4m3fn,
    torch.float8_e4m3fnuz,
    torch.float8_e5m2,
    torch.float8_e5m2fnuz,
]


@pytest.mark.parametrize("dtype", KINDS)
def test_values_are_moved_and_converted_with_gradients(dtype):
    x = torch.tensor([[1.5, -2.0], [0.5, 4.0]], requires_grad=True)
    y = torch.cat([x.to(dtype).t()[1:], torch.zeros(1, 2, dtype=dtype)])
    assert y.dtype is dtype
    assert y.tolist() == [[-2.0, 4.0], [0.0, 0.0]]
    y.float().sum().backward()
    assert x.grad.tolist() == [[0.0, 1.0], [0.0, 1.0]]


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize(
    ("call", "kernel"),
    [
        ("y + y", "add_stub"),
        ("y * 2", "mul_cpu_reduced_float"),
        ("y.exp()", "exp_vml_cpu"),
        ("y.sum()", "sum_cpu"),
        ("y.to_sparse()", "nonzero_count_cpu"),
        ("torch.rand(2, dtype=dtype)", "check_uniform_bounds"),
        ("torch.arange(2, dtype=dtype)", "arange_cpu"),
    ],
)
def test_arithmetic_is_refused(dtype, call, kernel):
    y = torch.ones(2, dtype=dtype)
    with pytest.raises(NotImplementedError) as raised:
        eval(call, {"torch": torch, "y": y, "dtype": dtype})
    assert str(raised.value).startswith(
        f"\"{kernel}\" not implemented for '{dtype.short}'"
    )


def test_promotion_with_other_floats_is_refused():
    with pytest.raises(RuntimeError, match="Float8_e5m2 and Float"):
        torch.promote_types(torch.float8_e5m2, torch.float32)


def test_properties_are_pytorch_s():
    info = torch.finfo(torch.float8_e4m3fn)
    assert (info.max, info.eps, info.bits, info.resolution) == (448.0, 0.125, 8, 1.0)
    assert repr(torch.tensor([1.5, 448.0]).to(torch.float8_e4m3fn)) == (
        "tensor([  1.5000, 448.0000], dtype=torch.float8_e4m3fn)"
    )
