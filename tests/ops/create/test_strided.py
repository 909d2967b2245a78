"""Fresh memory with strides of one's own."""

import pytest

from tests.ops.cases import alike, refused

CASES = [
    "torch.empty_permuted((2, 3, 4), (0, 2, 1)).stride()",
    "torch.empty_strided((2, 3), (1, 2)).stride()",
    "torch.empty_strided((2, 3), (3, 1), dtype=torch.int64).shape",
    "torch.empty_strided((2, 0), (1, 1)).shape",
    "singles.new_empty_strided((2, 3), (1, 2)).stride()",
    "str(ints.new_empty_strided((2,), (2,)).dtype)",
    "torch.empty_strided((2,), (1,), requires_grad=True).requires_grad",
]

REFUSED = [
    "torch.empty_permuted((2, 3, 4), (0, 2, 2))",
    "torch.empty_permuted((2, 3), (0, 2, 1))",
    "torch.empty_strided((2, 3), (1,))",
]


@pytest.mark.parametrize("case", CASES)
def test_strided_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_strided_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
