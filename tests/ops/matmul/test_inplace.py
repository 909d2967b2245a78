"""What sums in place require of the tensor that is changed."""

import pytest

from tests.ops.cases import alike, refused

CASES = [
    "x = torch.ones(1); x.addbmm_(singles[None], singles.t()[None]); x",
    "x = torch.ones(3, dtype=torch.double); x.addbmm_(squares, squares); x",
    "x = torch.ones(1).expand(2); x.addmv_(torch.zeros(2, 3), torch.zeros(3)); x",
    "x = torch.ones(1, 2, 2).expand(2, 2, 2); x.baddbmm_(torch.zeros(2, 2, 2), torch.zeros(2, 2, 2)); x",
]
REFUSED = [
    "torch.ones(1).addmm_(singles, singles.t())",
    "torch.ones(7, 7).addmm_(singles, singles.t())",
    "torch.ones(1).expand(2, 2).addmm_(singles, singles.t())",
    "torch.ones(1).addmv_(singles, singles[0])",
    "torch.ones(1).baddbmm_(torch.ones(2, 2, 2), torch.ones(2, 2, 2))",
    "torch.ones(1).expand(2, 2).addbmm_(torch.ones(2, 2, 2), torch.ones(2, 2, 2))",
    "torch.ones(3).addbmm_(torch.ones(2, 2, 2), torch.ones(2, 2, 2))",
    "torch.ones(1).addr_(singles[0], singles[0])",
    "torch.ones(1, 3).addr_(singles[0], singles[0], beta='a')",
    "torch.ones(1, 3).addr_(singles[0], singles[0])",
    "torch.ones(1).expand(3, 3).addr_(singles[0], singles[0])",
]


@pytest.mark.parametrize("case", CASES)
def test_sums_in_place_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_sums_in_place_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
