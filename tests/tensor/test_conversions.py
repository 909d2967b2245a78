"""Elements as NumPy arrays, lists and Python numbers."""

from __future__ import annotations

import numpy as np
import pytest

import edutorch as torch


def test_numpy_shares_memory_both_ways():
    array = np.arange(4, dtype=np.float32)
    x = torch.from_numpy(array)
    assert x.numpy() is array
    array[0] = 9
    assert x[0].item() == 9.0
    x[1] = 7
    assert array[1] == 7.0


def test_numpy_of_a_tensor_that_requires_grad_is_refused():
    x = torch.ones(1, requires_grad=True)
    with pytest.raises(RuntimeError) as caught:
        x.numpy()
    assert str(caught.value) == (
        "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() "
        "instead."
    )
    assert x.numpy(force=True).tolist() == [1.0]


def test_numpy_functions_and_operators_accept_tensors():
    x = torch.ones(2)
    assert np.add(x, 1).tolist() == [2.0, 2.0]
    assert isinstance(x * np.ones(2), torch.Tensor)
    with pytest.raises(TypeError, match="unsupported operand type"):
        np.ones(2) * x
    assert np.asarray(x).dtype == np.float32


def test_item_bool_and_numbers_need_one_element():
    assert torch.tensor(2.5).item() == 2.5 and float(torch.tensor([2.5])) == 2.5
    assert int(torch.tensor(3)) == 3 and bool(torch.tensor([True]))
    assert [10, 20, 30][torch.tensor(1)] == 20
    with pytest.raises(
        RuntimeError, match="a Tensor with 2 elements cannot be converted"
    ):
        torch.ones(2).item()
    with pytest.raises(RuntimeError, match="more than one value is ambiguous"):
        bool(torch.ones(2))


@pytest.mark.parametrize("convert", [int, float, complex])
@pytest.mark.parametrize("values", [[], [1.0, 2.0]])
def test_numbers_of_several_elements_are_refused(convert, values):
    with pytest.raises(ValueError, match="only one element tensors can be converted"):
        convert(torch.tensor(values))


def test_numbers_of_complex_elements_must_be_real():
    assert int(torch.tensor(3 + 0j)) == 3 and float(torch.tensor(2 + 0j)) == 2.0
    with pytest.raises(RuntimeError, match="to type int64_t without overflow"):
        int(torch.tensor(1j))
    with pytest.raises(RuntimeError, match="to type double without overflow"):
        float(torch.tensor(1j))


def test_lists_of_every_dtype_hold_pythons_numbers():
    assert torch.tensor([1.5], dtype=torch.bfloat16).tolist() == [1.5]
    assert torch.tensor([[True]]).tolist() == [[True]]
    assert torch.tensor(1j).tolist() == 1j and torch.zeros(0, 2).tolist() == []


@pytest.mark.parametrize("dtype", ["bfloat16", "float8_e5m2", "complex32"])
@pytest.mark.parametrize("read", [torch.Tensor.numpy, np.asarray])
def test_dtypes_that_numpy_has_not_are_refused(dtype, read):
    x = torch.ones(2).to(getattr(torch, dtype))
    with pytest.raises(TypeError, match=f"Got unsupported ScalarType {x.dtype.short}"):
        read(x)
    with pytest.raises(TypeError, match="Got unsupported ScalarType"):
        x.numpy(force=True)
    assert x.tolist() == [1, 1]


def test_truth_of_a_tensor_on_a_gpu_is_told_as_a_copy():
    told = []
    with torch.cuda.simulate(devices=1):
        x = torch.ones(1, device="cuda:0")
        listener = torch.events.listen("test.truth", told.append, kinds=("xfer",))
        assert x
        assert ["a", "b"][x.long()] == "b"
        listener.close()
    assert [record[6:9] for record in told] == [
        ("cuda:0", "cpu", 4),
        ("cuda:0", "cpu", 8),
    ]
