"""Tensors from numbers, sequences and arrays."""

import numpy as np
import pytest

import edutorch
from tests.ops.cases import alike, refused

CASES = [
    "torch.tensor([[1, 2], [3, 4]])",
    "torch.tensor(3)",
    "torch.tensor(3.5)",
    "torch.tensor(True)",
    "torch.tensor([])",
    "torch.tensor([[], []])",
    "torch.tensor([1, 2.5])",
    "torch.tensor([1, True])",
    "torch.tensor([False, True])",
    "torch.tensor([1j, 2])",
    "torch.tensor((1, (2)))",
    "torch.tensor(range(3))",
    "torch.tensor(np.arange(3, dtype=np.int16))",
    "torch.tensor(np.float32(2))",
    "torch.tensor(np.float64(2))",
    "torch.tensor([np.float64(1), 2])",
    "torch.tensor([np.float32(1), 2.5])",
    "torch.tensor([np.ones(2), np.zeros(2)])",
    "torch.tensor([torch.tensor(1), torch.tensor(2)])",
    "torch.tensor([scalar.detach(), 2])",
    "torch.tensor([torch.ones(1), 2])",
    "torch.tensor((1, 2), dtype=torch.float64, requires_grad=True)",
    "torch.tensor([1.7, -1.7], dtype=torch.int8)",
    "torch.tensor([0, 1, 2], dtype=torch.bool)",
    "torch.tensor([1, 2], dtype=float)",
    "torch.tensor([-1], dtype=torch.uint8)",
    "torch.tensor(1e400)",
    "torch.tensor([1e39])",
    "torch.tensor([1.1], dtype=torch.bfloat16).float()",
    "torch.tensor([True], dtype=torch.float16)",
    "torch.tensor(singles)",
    "torch.tensor(a)",
    "torch.tensor(2 ** 62)",
    "torch.as_tensor([1, 2])",
    "torch.as_tensor(3)",
    "torch.as_tensor(np.ones(2))",
    "torch.as_tensor(np.ones(2), dtype=torch.float32)",
    "torch.as_tensor(singles) is singles",
    "torch.as_tensor(singles, dtype=torch.float64)",
    "torch.asarray([1, 2])",
    "torch.asarray(singles) is singles",
    "torch.asarray(singles, copy=True) is singles",
    "torch.asarray(row)",
    "torch.asarray([1.0], requires_grad=True)",
    "torch.from_numpy(np.arange(6).reshape(2, 3).T)",
    "torch.from_numpy(np.arange(6).reshape(2, 3).T).stride()",
    "torch.scalar_tensor(2)",
    "torch.scalar_tensor(2, dtype=torch.int64)",
]

REFUSED = [
    "torch.tensor([[1, 2], [3]])",
    "torch.tensor([[1, 2], [3, 4, 5]])",
    'torch.tensor("a")',
    'torch.tensor(["a"])',
    "torch.tensor(None)",
    "torch.tensor([None])",
    "torch.tensor([[1], 2])",
    "torch.tensor([1, [2]])",
    "torch.tensor([300], dtype=torch.uint8)",
    "torch.tensor(2 ** 70)",
    "torch.tensor(2 ** 63)",
    "torch.tensor([1 + 2j], dtype=torch.float32)",
    "torch.tensor(float('nan'), dtype=torch.int64)",
    "torch.tensor(1, requires_grad=True)",
    "torch.tensor({1})",
    "torch.tensor([singles[0], singles[1]])",
    "torch.from_numpy(1)",
    "torch.from_numpy(np.float32(1))",
    "torch.from_numpy(np.array(['a']))",
    "torch.from_numpy(np.ones(2, '>f4'))",
    "torch.asarray([1, 2], copy=False)",
]


@pytest.mark.parametrize("case", CASES)
def test_values_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_values_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_from_numpy_shares_memory_both_ways():
    array = np.zeros(3)
    tensor = edutorch.from_numpy(array)
    array[0], tensor[1] = 1, 2
    assert tensor.tolist() == array.tolist() == [1, 2, 0]
    assert tensor.numpy() is array


def test_from_numpy_of_a_subclass_shares_memory(tmp_path):
    mapped = np.memmap(tmp_path / "m", dtype=np.float32, mode="w+", shape=3)
    edutorch.from_numpy(mapped)[0] = 5
    assert mapped[0] == 5


def test_from_numpy_of_a_read_only_array_warns():
    array = np.zeros(2)
    array.setflags(write=False)
    with pytest.warns(UserWarning, match="The given NumPy array is not writable"):
        edutorch.from_numpy(array)


def test_from_numpy_of_negative_strides_is_refused():
    with pytest.raises(ValueError, match="At least one stride in the given numpy"):
        edutorch.from_numpy(np.ones(3)[::-1])


def test_tensor_of_a_tensor_warns_and_copies():
    x = edutorch.ones(2, requires_grad=True)
    with pytest.warns(UserWarning, match="To copy construct from a tensor"):
        y = edutorch.tensor(x)
    assert y.is_leaf and not y.requires_grad and y.data_ptr() != x.data_ptr()


def test_tensor_copies_its_array():
    array = np.zeros(2)
    tensor = edutorch.tensor(array)
    array[0] = 1
    assert tensor.tolist() == [0, 0]


def test_tensor_in_default_dtype_double():
    edutorch.set_default_dtype(edutorch.float64)
    try:
        assert edutorch.tensor([1.0]).dtype is edutorch.float64
        assert edutorch.tensor([1j]).dtype is edutorch.complex128
    finally:
        edutorch.set_default_dtype(edutorch.float32)


def test_repeated_memory_of_numpy_is_copied_row_by_row():
    array = np.broadcast_to(np.arange(4.0), (3, 4))
    assert edutorch.tensor(array).stride() == (4, 1)
    assert edutorch.tensor(np.ones((2, 3)).T).stride() == (1, 3)


@pytest.mark.parametrize("of", [lambda t: t, lambda t: t[1:], lambda t: t.data])
def test_memory_of_numpy_whoever_looks_at_it_does_not_grow(of):
    tensor = of(edutorch.from_numpy(np.zeros(3)))
    assert not tensor.untyped_storage().resizable()
    assert not tensor.detach().untyped_storage().resizable()
    with pytest.raises(RuntimeError, match="not resizable"):
        tensor.resize_(9)
    assert edutorch.from_numpy(np.zeros(3)).clone().untyped_storage().resizable()
