"""The old names of tensor types."""

from __future__ import annotations

import pytest

import edutorch as torch


def test_old_names_make_tensors_of_their_type():
    assert torch.LongTensor([1, 2]).dtype is torch.int64
    assert torch.FloatTensor(2, 3).shape == (2, 3)
    assert torch.ByteTensor([1]).type() == "torch.ByteTensor"


def test_old_names_answer_isinstance():
    assert isinstance(torch.ones(1), torch.FloatTensor)
    assert not isinstance(torch.ones(1), torch.DoubleTensor)


def test_default_tensor_type_sets_the_default_dtype():
    torch.set_default_tensor_type("torch.DoubleTensor")
    try:
        assert torch.ones(1).dtype is torch.float64
    finally:
        torch.set_default_tensor_type(torch.FloatTensor)
    assert torch.ones(1).dtype is torch.float32
    with pytest.raises(TypeError, match="only floating-point types"):
        torch.set_default_tensor_type(torch.LongTensor)
    with pytest.raises(TypeError, match=r"^invalid type object: only floating-point"):
        torch.set_default_tensor_type(torch.float64)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (("a",), TypeError, "new.*: invalid data type 'str'"),
        ((None,), TypeError, "data must be a sequence .got NoneType"),
        ((1.5,), TypeError, "data must be a sequence .got float"),
        (([None],), TypeError, "must be real number, not NoneType"),
        ((-1,), RuntimeError, "negative dimension -1: .-1."),
    ],
)
def test_old_constructors_refuse_what_is_neither_sizes_nor_values(
    arguments, error, words
):
    for make in (torch.Tensor, torch.FloatTensor, torch.ones(1).new):
        with pytest.raises(error, match=words):
            make(*arguments)


def test_new_makes_tensors_of_the_same_dtype():
    x = torch.tensor([1, 2])
    assert x.new([1.7, 3]).tolist() == [1, 3] and x.new().dtype is torch.int64
    assert x.new(2, 3).shape == x.new(torch.Size([2, 3])).shape == (2, 3)
    with pytest.raises(RuntimeError, match="to type uint8 without overflow"):
        torch.ByteTensor([300])


def test_tensors_of_one_element_are_numbers_in_sequences():
    one, two = torch.tensor([1]), torch.tensor([[2]])
    assert torch.HalfTensor([one, two]).tolist() == [1, 2]
    assert torch.Tensor([[one], (3,)]).tolist() == [[1], [3]]


def test_types_of_gpus_make_and_know_tensors_there(monkeypatch):
    with torch.cuda.simulate(devices=2):
        x = torch.cuda.FloatTensor([1.0, 2.0])
        assert (
            x.device == torch.device("cuda:0") and x.type() == "torch.cuda.FloatTensor"
        )
        assert isinstance(x, torch.cuda.FloatTensor)
        assert not isinstance(x, torch.FloatTensor)
        assert x.type("torch.LongTensor").is_cpu
        assert (
            torch.ones(2).type(torch.cuda.LongTensor).type() == "torch.cuda.LongTensor"
        )
        assert x.type(torch.float64).is_cuda
    assert repr(torch.cuda.ByteTensor) == "<class 'torch.cuda.ByteTensor'>"
    monkeypatch.setattr("edutorch.backends.gpus.gpus", lambda: None)
    with pytest.raises(TypeError, match="type torch.cuda.FloatTensor not available"):
        torch.cuda.FloatTensor(2)
