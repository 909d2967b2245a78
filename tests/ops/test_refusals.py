"""What many functions refuse alike."""

import numpy as np
import pytest

import edutorch as torch
from edutorch.ops.refusals import need_floats, need_tensors, whole


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
