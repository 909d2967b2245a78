"""Numbers as a dtype holds them."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.ops.number_ranges import checked_number, compute_dtype, in_range


@pytest.mark.parametrize(
    ("value", "dtype", "name"),
    [
        (300, torch.uint8, "uint8_t"),
        (-256, torch.uint8, "uint8_t"),
        (2**40, torch.int32, "int"),
        (1e39, torch.float32, "float"),
        (1e10, torch.float16, "c10::Half"),
        (1e39j, torch.complex64, "c10::complex<float>"),
        (1j, torch.float64, "double"),
    ],
)
def test_overflowing_numbers_are_refused_by_the_name_of_the_type(value, dtype, name):
    with pytest.raises(RuntimeError) as caught:
        checked_number(value, dtype)
    assert str(caught.value) == (
        f"value cannot be converted to type {name} without overflow"
    )


def test_numbers_within_range_are_kept():
    assert (
        checked_number(255, torch.uint8) == 255
        and checked_number(-1, torch.uint8) == 255
    )
    assert checked_number(float("inf"), torch.float16) == float("inf")
    assert checked_number(1e10, torch.float16, single=True) == 1e10
    assert checked_number(2 + 0j, torch.float32) == 2


def test_bytes_wrap_around_below_zero():
    assert in_range(-255, torch.uint8.numpy) == (True, 1)
    assert not in_range(-0.5, torch.uint8.numpy)[0]


def test_factors_of_16_bit_floats_are_wider():
    assert compute_dtype(torch.bfloat16) is torch.float32
    assert compute_dtype(torch.float64) is torch.float64
