"""Data types: names, promotion, numerical properties."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import edutorch as torch
from edutorch import dtypes


def test_dtype_has_repr_and_properties():
    assert repr(torch.float32) == "torch.float32"
    assert torch.long is torch.int64 and torch.half is torch.float16
    assert torch.bfloat16.is_floating_point and torch.bfloat16.itemsize == 2
    assert torch.complex64.is_complex and torch.complex64.to_real() is torch.float32
    assert not torch.uint8.is_signed


def test_dtypes_are_themselves_after_copying_and_pickling():
    for t in dtypes.ALL:
        assert pickle.loads(pickle.dumps(t)) is t
        assert copy.deepcopy(t) is t


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("uint8", "int8", "int16"), ("int64", "float16", "float16"),
        ("float16", "bfloat16", "float32"), ("bool", "uint8", "uint8"),
        ("float64", "complex64", "complex128"), ("int32", "int64", "int64"),
    ],
)  # fmt: skip
def test_promotion_follows_the_table(a, b, expected):
    one, other = dtypes.by_name(a), dtypes.by_name(b)
    assert torch.promote_types(one, other) is dtypes.by_name(expected)
    assert torch.promote_types(other, one) is dtypes.by_name(expected)


def test_unsigned_wide_integers_do_not_promote():
    with pytest.raises(RuntimeError, match="Promotion for uint16, uint32, uint64"):
        torch.promote_types(torch.uint16, torch.int16)


def test_default_dtype_decides_about_python_floats():
    torch.set_default_dtype(torch.float64)
    try:
        assert torch.tensor(1.5).dtype is torch.float64
        assert torch.get_default_dtype() is torch.float64
    finally:
        torch.set_default_dtype(torch.float32)
    with pytest.raises(TypeError, match=r"^only floating-point types"):
        torch.set_default_dtype(torch.int64)
    with pytest.raises(TypeError, match=r"^invalid dtype object: only floating-point"):
        torch.set_default_dtype("float64")
    with pytest.raises(TypeError, match="storage object Float8_e5m2Storage"):
        torch.set_default_dtype(torch.float8_e5m2)


def test_full_of_a_complex_number_has_at_least_single_precision():
    torch.set_default_dtype(torch.float16)
    try:
        assert torch.full((2,), 1j).dtype is torch.complex64
        assert torch.tensor(1j).dtype is torch.complex32
    finally:
        torch.set_default_dtype(torch.float32)


def test_finfo_and_iinfo_equal_numpys():
    assert torch.finfo(torch.float32).eps == float(np.finfo(np.float32).eps)
    assert torch.finfo(torch.bfloat16).bits == 16
    assert torch.iinfo(torch.uint8).max == 255
    with pytest.raises(TypeError, match="requires a floating point"):
        torch.finfo(torch.int32)
    with pytest.raises(TypeError, match="requires an integer"):
        torch.iinfo(torch.float32)


def test_can_cast_goes_up_in_kind_only():
    assert torch.can_cast(torch.float64, torch.float16)
    assert not torch.can_cast(torch.float16, torch.int64)


def test_arrays_that_no_tensor_can_have_are_refused():
    with pytest.raises(TypeError, match="can't convert np.ndarray of type numpy.str_"):
        dtypes.of_array(np.array(["a"]))
    with pytest.raises(ValueError, match="byte order"):
        dtypes.of_array(np.zeros(1, dtype=">f4"))


def test_c_names_are_those_of_pytorchs_messages():
    assert torch.int16.c_name == "short int" and torch.bool.c_name == "bool"
    assert torch.complex64.c_name == "c10::complex<float>"


def test_wide_integers_without_a_sign_are_promoted_with_floats_only():
    assert torch.promote_types(torch.uint16, torch.float16) is torch.float16
    for other in (torch.uint8, torch.bool, torch.int64, torch.complex64):
        with pytest.raises(RuntimeError, match="Promotion for uint16, uint32, uint64"):
            torch.promote_types(torch.uint16, other)


def test_promotion_takes_pythons_types_and_refuses_the_rest():
    assert torch.promote_types(torch.float16, float) is torch.float64
    assert torch.can_cast(torch.int8, int)
    with pytest.raises(TypeError, match="'type2' .position 2. must be torch.dtype"):
        torch.promote_types(torch.float16, 1)
    with pytest.raises(TypeError, match="'from_' .position 1. must be torch.dtype"):
        torch.can_cast(1, torch.int8)


def test_numpys_numbers_are_pythons_as_pytorch_reads_them():
    assert dtypes.as_number(np.float32(0.5)) == 0.5
    assert dtypes.as_number(np.complex128(2j)) == 2j
    assert type(dtypes.as_number(np.bool_(True))) is float


def test_pythons_types_are_dtypes():
    assert torch.finfo(float).bits == 64
    assert torch.iinfo(int).bits == 64
    assert torch.nn.Linear(1, 1).to(dtype=float).weight.dtype is torch.float64
