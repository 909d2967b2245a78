"""Differences and integrals."""

import pytest

import edutorch as torch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.diff(ints, 0)",
    "torch.diff(ints.T, 0).stride()",
    "torch.diff(ints, 2)",
    "torch.diff(mask)",
    "torch.diff(ints, prepend=ints[:, :1], append=ints)",
    "torch.diff(singles, dim=0)",
    "torch.trapezoid(singles)",
    "torch.trapz(singles, singles)",
    "torch.trapz(ints[:, :0])",
    "torch.trapezoid(ints[:, :0].int(), dx=2)",
    "torch.trapezoid(mask[:0], mask[:0], dim=0)",
    "torch.trapezoid(singles, dx=0.5, dim=0)",
    "torch.cumulative_trapezoid(singles)",
    "torch.cumulative_trapezoid(singles, torch.tensor([1.0, 2.0, 4.0]))",
    "torch.diff(ints, 5)",
    "torch.diff(ints, axis=0)",
]

SMOOTH = [
    "torch.diff(a, 2)",
    "torch.trapezoid(a, b)",
    "torch.cumulative_trapezoid(a, row)",
]

REFUSED = [
    "torch.trapezoid(torch.ones(()))",
    "torch.trapezoid(torch.ones(2, 3), torch.ones(2), dim=1)",
    "torch.trapezoid(torch.ones(2, 3), torch.ones(1))",
    "torch.cumulative_trapezoid(torch.ones(2, 3), torch.ones(1))",
    "torch.diff(scalar)",
    "torch.diff(a, -1)",
    "torch.diff([])",
]


@pytest.mark.parametrize("case", CASES)
def test_differences_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_differences_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_differences_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_places_of_more_dimensions_are_differenced_along_that_of_y():
    y, x = torch.ones(2, 2), torch.arange(32.0).view(2, 2, 2, 2, 2)
    assert torch.cumulative_trapezoid(y, x).shape == (2, 1, 2, 2, 2)
    with pytest.raises(RuntimeError, match="The size of tensor a .2. must match"):
        torch.trapezoid(torch.ones(2, 3), torch.ones(4, 2, 3))


def test_areas_of_16_bits_are_halved_when_they_are_summed():
    y = torch.tensor([1e-7, 1e-7, 2e-7], dtype=torch.float16)  # subnormal: 2, 2 and 3
    x = torch.arange(3.0).half()
    assert torch.trapezoid(y, x).item() == torch.tensor(4.5 * 2**-24).half().item()
    assert torch.trapezoid(y).item() == 5 * 2**-24  # 7 - 2.5: half of an even number
    assert torch.cumulative_trapezoid(y, x)[1] == torch.trapezoid(y, x)


def test_trapezoids_of_few_bits_are_summed_before_the_ends_are_halved():
    bytes_ = torch.tensor([200, 100, 150], dtype=torch.uint8)  # 200 + 150 wraps to 94
    assert torch.trapezoid(bytes_).item() == 200 + 100 + 150 - 94 / 2
    halves = torch.tensor([1.0, 0.0078125, 1.0], dtype=torch.bfloat16)
    assert torch.trapezoid(halves).item() == 1.0  # the sum is rounded to 2
    steps = torch.cumulative_trapezoid(bytes_)
    assert steps.tolist() == [22.0, 22.0 + 125.0]


def test_cumulative_trapezoids_of_nothing_are_nothing():
    assert torch.cumulative_trapezoid(torch.ones(2, 0)).shape == (2, 0)
