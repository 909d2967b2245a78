"""Bringing operands to one dtype."""

from __future__ import annotations

import numpy as np
import pytest

import edutorch as torch
from edutorch.ops.promotion import as_floating, common_dtype, promoted


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (np.ones(2, np.float32), np.ones((), np.float64), torch.float32),
        (np.ones(2, np.int64), np.ones((), np.float64), torch.float64),
        (np.ones(2, np.int8), 5, torch.int8),
        (np.ones(2, np.int8), 5.0, torch.float32),
        (np.ones(2, np.bool_), 5, torch.int64),
        (np.ones(2, np.float32), 1j, torch.complex64),
    ],
)
def test_lighter_operands_only_lift_the_kind(a, b, expected):
    assert common_dtype(a, b) is expected


def test_numbers_wrap_around_as_in_pytorch():
    x, y = promoted(np.array([1], np.uint8), 300)
    assert (x + y).tolist() == [45]


def test_floating_leaves_floats_alone():
    x = np.ones(1, np.float16)
    assert as_floating(x) is x
    assert as_floating(np.ones(1, np.int8)).dtype == np.float32


def test_result_type_promotes_tensors_and_numbers():
    assert torch.result_type(torch.tensor([1, 2]), 1.0) is torch.float32
    assert torch.result_type(torch.tensor(1.0, dtype=torch.float64), torch.ones(1)) is (
        torch.float32
    )


def test_complex_numbers_beside_dimensions_are_as_precise_as_those():
    point = torch.tensor(1j, dtype=torch.complex128)
    assert torch.result_type(torch.ones(1), point) is torch.complex64
    doubles = torch.ones(1, dtype=torch.float64)
    assert torch.result_type(doubles, torch.tensor(1j)) is torch.complex128


def test_non_number_has_no_dtype():
    with pytest.raises(TypeError, match=r"result_type\(\) received .* NoneType\)"):
        torch.result_type(torch.ones(1), None)


def test_result_type_of_numpys_numbers_is_that_of_pythons():
    assert torch.result_type(torch.ones(1), np.complex64(1j)) is torch.float32
    assert torch.result_type(torch.tensor([1]), np.bool_(True)) is torch.float32
    assert torch.result_type(torch.tensor([True]), np.int8(1)) is torch.int64


def test_dtype_that_is_not_that_of_out_is_refused_on_the_meta_device():
    x = torch.ones(2, device="meta")
    words = "dtype argument and out dtype must match in reduction"
    for reduce in (torch.sum, torch.cumsum):
        with pytest.raises(RuntimeError, match=words):
            reduce(x, 0, dtype=torch.float64, out=x.clone())
