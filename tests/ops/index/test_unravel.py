"""Places as coordinates."""

import pytest

import edutorch as torch
from tests.ops.cases import alike, refused

CASES = [
    "torch.unravel_index(torch.tensor([5, 7]), (3, 4))",
    "torch.unravel_index(torch.tensor(5), 12)",
    "torch.unravel_index(torch.tensor([-1, 12]), (3, 4))",
    "torch.unravel_index(torch.tensor([[5, 7], [0, 3]]), (4, 2))",
    "torch.unravel_index(torch.tensor(5), 6)",
    "torch.unravel_index(uint8s, (20, 3, 9))",
    "torch.unravel_index(torch.tensor(0), ())",
]

REFUSED = [
    "torch.unravel_index(torch.ones(1), (4, 2))",
    "torch.unravel_index(singles, (3, 4))",
    "torch.unravel_index(ints, (3, -4))",
    "torch.unravel_index(ints, 3.0)",
    "torch.unravel_index(ints, (3.0,))",
    "torch.unravel_index(mask, (2,))",
]


@pytest.mark.parametrize("case", CASES)
def test_coordinates_equal_pytorch(case):
    alike(__file__, case, nodes=False)


@pytest.mark.parametrize("case", REFUSED)
def test_coordinates_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_coordinates_are_views_of_one_tensor():
    rows, columns = torch.unravel_index(torch.arange(6).reshape(2, 3), (3, 4))
    assert rows.stride() == columns.stride() == (6, 2)
    assert columns.storage_offset() == 1
    assert torch.unravel_index(torch.tensor([3]), ()) == ()
