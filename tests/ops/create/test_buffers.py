"""Tensors over memory of other objects."""

import numpy as np
import pytest

import edutorch as torch
from tests.ops.cases import alike, refused

CASES = [
    "torch.frombuffer(bytearray(range(8)), dtype=torch.int16)",
    "torch.frombuffer(bytearray(range(8)), dtype=torch.uint8, offset=2, count=3)",
    "torch.from_dlpack(np.arange(6.0).reshape(2, 3).T)",
    "torch.from_dlpack(torch.to_dlpack(singles.t())).stride()",
    "np.from_dlpack(singles).tolist()",
    "singles.__dlpack_device__()[1]",
]

REFUSED = [
    "torch.frombuffer(bytearray(10), dtype=torch.int32)",
    "torch.frombuffer(bytearray(8), dtype=torch.int32, offset=9)",
    "torch.frombuffer(bytearray(0), dtype=torch.int32)",
    "torch.frombuffer(bytearray(8), dtype=torch.int32, count=3)",
    "torch.frombuffer(3, dtype=torch.int32)",
    "torch.from_dlpack(3)",
    "a.__dlpack__()",
    "torch.from_dlpack(np.ones(2, '>f4'))",
]


@pytest.mark.parametrize("case", CASES)
def test_foreign_memory_equals_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_foreign_memory_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)


def test_from_dlpack_shares_memory_unless_a_copy_is_requested():
    array = np.zeros(3)
    shared, own = torch.from_dlpack(array), torch.from_dlpack(array, copy=True)
    array[0] = 7
    assert shared[0] == 7
    assert own[0] == 0


def test_from_file_shared_writes_to_the_file_and_private_does_not(tmp_path):
    path = str(tmp_path / "values")
    torch.from_file(path, shared=True, size=3).fill_(2)
    torch.from_file(path, shared=False, size=3).fill_(5)
    assert torch.from_file(path, shared=False, size=3).tolist() == [2, 2, 2]
    with pytest.raises(RuntimeError, match="unable to open file"):
        torch.from_file(str(tmp_path / "absent"), shared=False, size=1)
