"""Questions about tensors."""

import pytest

from tests.ops.cases import alike, refused

CASES = [
    "(torch.is_tensor(a), torch.is_tensor(1))",
    "torch.numel(a)",
    "(torch.is_floating_point(a), torch.is_floating_point(ints))",
    "(torch.is_complex(complexes), torch.is_complex(a))",
    "(torch.is_signed(ints), torch.is_signed(uint8s))",
    "torch.is_inference(a)",
    "(torch.is_nonzero(scalar), torch.is_nonzero(torch.tensor([0])))",
    "(torch.is_same_size(a, b), a.is_same_size(row))",
    "(torch.typename(singles), torch.typename(1), torch.typename(ints))",
    "(torch.typename(len), torch.typename(int), torch.typename(type))",
    "torch.detach(a)",
    "y = a * 2; torch.detach_(y); (y, y.is_leaf)",
    "torch.is_storage(singles.untyped_storage())",
]

REFUSED = [
    "torch.is_nonzero(a)",
    "torch.is_nonzero(torch.tensor([]))",
    "torch.is_nonzero(None)",
    "torch.is_conj(None)",
    "torch.is_neg('a')",
]


@pytest.mark.parametrize("case", CASES)
def test_properties_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_answers_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
