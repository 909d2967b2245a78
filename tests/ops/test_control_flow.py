"""Branches that depend on a tensor."""

import pytest

from tests.ops.cases import alike, refused

CASES = [
    "torch.cond(ints.sum() > 0, lambda x: x * 2, lambda x: x.neg(), (ints2,))",
    "torch.cond(False, lambda x: x * 2, lambda x: x.neg(), (ints2,))",
]


@pytest.mark.parametrize("case", CASES)
def test_cond_calls_the_branch_that_pytorch_calls(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", ["torch.cond('yes', torch.exp, torch.neg, (a,))"])
def test_cond_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)
