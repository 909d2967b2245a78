"""Views with their own memory."""

import pytest

import edutorch
from tests.ops.cases import alike, derivatives

CASES = [
    "torch.alias_copy(a)",
    "torch.detach_copy(singles)",
    "torch.as_strided_copy(a, (2, 2), (1, 2))",
    "torch.diagonal_copy(a, 1)",
    "torch.expand_copy(row, (2, 3))",
    "torch.expand_copy(row, (2, 3)).stride()",
    "torch.narrow_copy(a, 1, 0, 2)",
    "a.narrow_copy(1, 1, 2)",
    "torch.permute_copy(a, (1, 0))",
    "torch.permute_copy(a, (1, 0)).stride()",
    "torch.select_copy(a, 1, -1)",
    "torch.slice_copy(a, 1, 0, 3, 2)",
    "torch.slice_copy(a, 1, -2)",
    "torch.split_copy(a, 2, 1)",
    "torch.split_with_sizes_copy(a, [1, 2], 1)",
    "torch.squeeze_copy(a[:1])",
    "torch.squeeze_copy(a[:1], 0)",
    "torch.squeeze_copy(a[:1], (0, 1))",
    "torch.t_copy(a)",
    "torch.transpose_copy(squares, 0, 2)",
    "torch.unbind_copy(a)",
    "torch.unfold_copy(a, 1, 2, 1)",
    "torch.unsqueeze_copy(a, 0)",
    "torch.view_as_complex_copy(positive.detach().reshape(3, 2))",
    "torch.view_as_real_copy(complexes)",
    "torch.view_copy(a, (3, 2))",
    "torch.view_copy(singles, torch.int32)",
    "torch.view_copy(singles, dtype=torch.int32)",
    "torch.view_copy(singles.t(), (-1,))",
    "torch.unsafe_split_with_sizes(a, [1, 2], 1)",
    "y = [torch.empty(3, 2, 2).int(), torch.empty(2, 1)]; torch.split_copy(singles, 2, 1, out=y); y",
    "y = torch.empty(3, 2); torch.t_copy(singles, out=y); y",
]

SMOOTH = [
    "torch.slice_copy(a, 1, 0, 3, 2)",
    "torch.unfold_copy(a, 1, 2, 1)",
    "torch.diagonal_copy(a)",
]


@pytest.mark.parametrize("case", CASES)
def test_copies_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_copies_derivatives_equal_differences(case):
    derivatives(case)


def test_copies_share_no_memory_with_their_tensor():
    x = edutorch.zeros(2, 3)
    for y in (edutorch.t_copy(x), edutorch.alias_copy(x), *edutorch.unbind_copy(x)):
        y.fill_(1)
    assert x.sum() == 0
