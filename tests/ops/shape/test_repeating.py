"""Repeated copies of a tensor."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.repeat_interleave(torch.ones(2, device='meta'), torch.tensor([2, 1])).is_meta",
    "torch.tile(a.detach().t(), ()).stride()",
    "a.repeat(2, 1)",
    "a.repeat(2, 1, 2)",
    "a.repeat((1, 2))",
    "a.repeat(repeats=(1, 2))",
    "a.repeat(0, 1)",
    "scalar.repeat(3)",
    "torch.tile(a, (2,))",
    "a.tile(2, 1, 1)",
    "a.tile((1, 2))",
    "scalar.tile(2)",
    "a.repeat_interleave(2)",
    "a.repeat_interleave(2, 1)",
    "torch.repeat_interleave(a, torch.tensor([1, 0, 2]), 1)",
    "a.repeat_interleave(torch.tensor([2]), dim=0)",
    "torch.repeat_interleave(torch.tensor([0, 2, 1]))",
    "a.repeat_interleave(2, 0, output_size=4)",
    "scalar.repeat_interleave(3)",
]

SMOOTH = [
    "a.repeat(2, 1, 2) ** 2",
    "a.repeat_interleave(2, 1) ** 2",
    "a.repeat_interleave(torch.tensor([1, 0, 2]), 1) ** 2",
]

REFUSED = [
    "scalar.repeat()",
    "singles.repeat(repeats=2)",
    "scalar.tile()",
    "row.repeat(range(2))",
    "torch.repeat_interleave(a, torch.tensor([2, 1], device='meta'))",
    "scalar.repeat_interleave(2, 0)",
    "scalar.repeat_interleave(torch.tensor([2]), -1)",
    "a.repeat(2)",
    "a.repeat(-1, 1)",
    "a.repeat_interleave(torch.tensor([1, 2]))",
    "a.repeat_interleave(torch.tensor([1, 2]), 1)",
    "a.repeat_interleave(-1)",
    "a.repeat_interleave(torch.tensor([1, -1]), 0)",
    "a.repeat_interleave(2, 0, output_size=5)",
    "torch.repeat_interleave(a)",
    "torch.repeat_interleave(row)",
]


@pytest.mark.parametrize("case", CASES)
def test_repeats_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_repeats_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_repeats_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
