"""What many functions refuse alike."""

import numpy as np
import pytest

import edutorch as torch
from edutorch.ops.refusals import need_floats, need_tensors, not_a, numpy_dtype, whole


def test_tensors_and_arrays_are_taken():
    need_tensors("f", input=torch.ones(1), other=np.float64(1.0))


@pytest.mark.parametrize("wrong", [None, 1.5, True, "a", [1]])
def test_what_is_no_tensor_is_refused_with_its_position(wrong):
    name = type(wrong).__name__
    with pytest.raises(TypeError, match=rf"'other' \(position 2\) .* not {name}"):
        need_tensors("f", input=torch.ones(1), other=wrong)


def test_fractions_of_every_width_are_taken():
    for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
        need_floats("k", torch.ones(1, dtype=dtype))
    need_floats("k", torch.ones(1, dtype=torch.complex64), also="c")


@pytest.mark.parametrize("dtype", [torch.int64, torch.bool, torch.complex64])
def test_other_kinds_are_refused(dtype):
    with pytest.raises(NotImplementedError, match='"k" not implemented for'):
        need_floats("k", torch.ones(1, dtype=dtype))


def test_texts_are_no_whole_numbers():
    assert whole(3.0) == 3
    with pytest.raises(TypeError):
        whole("3")


def test_not_a_names_the_public_function_behind_its_helpers():
    def _helper(dim):
        raise not_a("int", "dim", dim)

    def median(input, dim):
        return [_helper(d) for d in dim]

    with pytest.raises(TypeError, match=r"median\(\): argument 'dim' \(position 2\)"):
        median(None, "a")


def test_numpy_dtype_takes_pythons_types_and_nothing_else():
    assert numpy_dtype(None) is None
    assert numpy_dtype(torch.int8) == np.int8 and numpy_dtype(float) == np.float64
    with pytest.raises(TypeError, match="argument 'dtype' must be torch.dtype, not st"):
        torch.cumsum(torch.ones(1), 0, dtype="a")
    assert torch.sum(torch.ones(2), dtype=int).dtype is torch.int64
