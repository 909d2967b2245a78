"""Tensor's own attributes and Python's protocols."""

from __future__ import annotations

import pytest

import edutorch as torch


def test_tensor_knows_its_sizes_and_strides():
    x = torch.zeros(2, 3, 4)
    assert (x.ndim, x.dim(), x.numel(), x.nelement()) == (3, 3, 24, 24)
    assert (x.itemsize, x.element_size(), x.nbytes) == (4, 4, 96)
    assert x.stride() == (12, 4, 1) and x.stride(1) == 4
    assert x.size() == (2, 3, 4) and x.size(-1) == 4
    assert x.is_contiguous() and not x.transpose(0, 1).is_contiguous()
    assert x.transpose(0, 2).stride() == (1, 4, 12)
    assert x.type() == "torch.FloatTensor"
    assert x.layout is torch.strided and x.is_cpu and not x.is_cuda
    assert x.get_device() == -1


def test_size_of_a_dimension_that_is_not_there_is_refused():
    with pytest.raises(IndexError) as caught:
        torch.zeros(2).size(1)
    assert str(caught.value) == (
        "Dimension out of range (expected to be in range of [-1, 0], but got 1)"
    )


def test_tensor_has_length_iteration_and_format():
    x = torch.tensor([1.0, 2.0])
    assert len(x) == 2 and [t.item() for t in x] == [1.0, 2.0]
    assert f"{torch.tensor(1.23456):.2f}" == "1.23"
    with pytest.raises(TypeError, match="len.. of a 0-d tensor"):
        len(torch.tensor(1))
    with pytest.raises(TypeError, match="iteration over a 0-d tensor"):
        iter(torch.tensor(1))


def test_data_is_the_memory_without_history():
    x = torch.ones(2, requires_grad=True)
    x.data.mul_(3)
    assert x.tolist() == [3.0, 3.0] and x._version == 0
    x.data = torch.zeros(4)
    assert x.shape == (4,) and x.requires_grad


def test_tensors_hash_by_identity_and_take_attributes():
    x = torch.ones(1)
    assert len({x, x, torch.ones(1)}) == 2
    x.note = "mine"
    assert x.note == "mine"


def test_the_old_constructor_makes_floats():
    assert torch.Tensor(2, 3).shape == (2, 3)
    assert torch.Tensor([1, 2]).tolist() == [1.0, 2.0]
    assert torch.Tensor().shape == (0,)


def test_dimensions_asked_for_are_integers():
    x = torch.zeros(2, 3)
    assert x.size(torch.tensor(1)) == 3 and x.stride(-1) == 1
    for wrong in ("a", 1.0, True, [1]):
        with pytest.raises(TypeError, match="argument 'dim' .position 1. must be int"):
            x.size(wrong)
    with pytest.raises(IndexError, match="specified as -1 but tensor has no dimension"):
        torch.tensor(1.0).stride(-1)


def test_hash_of_a_tensor_is_that_of_its_identity():
    x = torch.ones(2)
    y = torch.nn.Parameter(x)
    assert len({x, x, y, torch.ones(2)}) == 3
    # As an attribute looked up in Python it would slow the engine's dictionaries down.
    assert torch.Tensor.__hash__ is torch.nn.Parameter.__hash__ is object.__hash__


def test_data_is_a_tensor():
    x = torch.zeros(2)
    with pytest.raises(TypeError, match="has to be a tensor, but got int"):
        x.data = 3
    with pytest.raises(RuntimeError, match="Deleting tensor data is not allowed"):
        del x.data


def test_types_by_their_names():
    x = torch.zeros(2)
    assert x.type("torch.IntTensor").dtype is torch.int32
    assert x.type(torch.LongTensor).dtype is torch.int64
    for wrong in ("torch.FooTensor", "IntTensor", int):
        with pytest.raises(ValueError, match="invalid type"):
            x.type(wrong)
    with pytest.raises(TypeError, match="dtype must be a type, str, or dtype object"):
        x.type(3)


def test_storage_offset_of_nothing_is_never_outside():
    x = torch.zeros(0, 3)
    assert x.expand(2, 0, 3).storage_offset() == 0
