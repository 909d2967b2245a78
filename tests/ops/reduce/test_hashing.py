"""Hashes of tensors."""

import pytest

from tests.ops.cases import alike, refused

CASES = [
    "torch.hash_tensor(a)",
    "torch.hash_tensor(k, 0)",
    "torch.hash_tensor(f.bfloat16(), (0, 1), keepdim=True)",
    "torch.hash_tensor(m, 1)",
    "torch.hash_tensor(s)",
    "torch.hash_tensor(v[1:])",
    "e.hash_tensor(-1)",
    "torch.hash_tensor(k, out=torch.zeros((), dtype=torch.uint64))",
]
REFUSED = [
    "torch.hash_tensor(k, mode=1)",
    "torch.hash_tensor(torch.zeros(0))",
    "torch.hash_tensor(torch.zeros(0, 3), 0)",
    "torch.hash_tensor(z)",
    "torch.hash_tensor(k, 5)",
    "torch.hash_tensor(None)",
]


@pytest.mark.parametrize("case", CASES)
def test_hashes_equal_pytorchs(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_hashes_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
