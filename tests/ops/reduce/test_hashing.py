"""Hashes of tensors."""

import pytest

from tests.ops.cases import alike, refused

CASES = [
    "torch.hash_tensor(a)",
    "torch.hash_tensor(ints, 0)",
    "torch.hash_tensor(singles.bfloat16(), (0, 1), keepdim=True)",
    "torch.hash_tensor(mask, 1)",
    "torch.hash_tensor(scalar)",
    "torch.hash_tensor(specials[1:])",
    "uint8s.hash_tensor(-1)",
    "torch.hash_tensor(ints, out=torch.zeros((), dtype=torch.uint64))",
]
REFUSED = [
    "torch.hash_tensor(ints, mode=1)",
    "torch.hash_tensor(torch.zeros(0))",
    "torch.hash_tensor(torch.zeros(0, 3), 0)",
    "torch.hash_tensor(complexes)",
    "torch.hash_tensor(ints, 5)",
    "torch.hash_tensor(None)",
]


@pytest.mark.parametrize("case", CASES)
def test_hashes_equal_pytorchs(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_hashes_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
