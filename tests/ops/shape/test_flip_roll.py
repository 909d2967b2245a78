"""Entries in another place."""

import pytest

import edutorch as torch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "singles.t().flip(0).stride()",
    "posdef.permute(2, 0, 1).flip(1).stride()",
    "singles.t().roll(1, 0).stride()",
    "torch.zeros(0).roll((1, 2), (0, 1))",
    "a.roll(1)",
    "torch.roll(a, 2, 1)",
    "seq.roll((1, -2), (0, 2))",
    "a.roll(-1, -1)",
    "scalar.roll(1)",
    "a.flip(0)",
    "torch.flip(seq, (0, -1))",
    "a.flip(dims=(1,))",
    "a.flip(0, 1)",
    "a.flip([])",
    "torch.fliplr(a)",
    "a.flipud()",
    "a.rot90()",
    "torch.rot90(a, 2)",
    "seq.rot90(-1, (0, 2))",
    "seq.rot90(5, (2, 1))",
]

SMOOTH = [
    "a.roll(1, 1) ** 2",
    "a.flip(0) ** 2",
    "seq.rot90(1, (1, 2)) ** 2",
]

REFUSED = [
    "torch.roll([1.0], 1)",
    "torch.roll(a, True)",
    "scalar.roll(1, -1)",
    "a.roll((1, 2))",
    "a.roll(1, (0, 1))",
    "a.roll(1, 2)",
    "a.roll(())",
    "scalar.roll(1, 0)",
    "a.flip(0, 0)",
    "a.flip(2)",
    "torch.fliplr(row)",
    "torch.flipud(scalar)",
    "a.rot90(1, (0, 0))",
    "a.rot90(1, (0,))",
    "row.rot90()",
    "a.rot90(1, (0, 2))",
]


@pytest.mark.parametrize("case", CASES)
def test_flips_and_rolls_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_flips_and_rolls_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_flips_and_rolls_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_flipping_along_no_dimension_that_is_named_is_refused():
    with pytest.raises(
        TypeError, match='missing 1 required positional arguments: "dim'
    ):
        torch.ones(2).flip()
    assert torch.arange(2).flip(()).tolist() == [0, 1]
