"""`hstack`, `vstack` and their kin."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.hstack([a, b])",
    "torch.hstack((row, row))",
    "torch.hstack([scalar, scalar])",
    "torch.vstack([a, b])",
    "torch.vstack([row, row])",
    "torch.row_stack([row, a])",
    "torch.dstack([a, b])",
    "torch.dstack([row, row])",
    "torch.column_stack([row, row])",
    "torch.column_stack([a, b])",
    "torch.atleast_1d(scalar)",
    "torch.atleast_1d(a)",
    "torch.atleast_2d(scalar)",
    "torch.atleast_2d(row)",
    "torch.atleast_2d(a) is a",
    "torch.atleast_3d(row)",
    "torch.atleast_3d(a)",
    "torch.atleast_2d(row, scalar)",
    "torch.atleast_1d([scalar, row])",
    "torch.block_diag(a, row, scalar)",
    "torch.block_diag(ints, singles)",
    "torch.hstack([singles, singles], out=torch.empty(2, 6))",
]

SMOOTH = [
    "torch.hstack([a, b]) ** 2",
    "torch.block_diag(a, row, scalar) ** 2",
    "torch.dstack([a, b]) ** 2",
]

REFUSED = [
    "torch.hstack([])",
    "torch.vstack([a, row[:2]])",
    "torch.hstack([a, row])",
    "torch.block_diag(seq)",
    "torch.vstack(a[0, 0]) if False else torch.vstack([])",
]


@pytest.mark.parametrize("case", CASES)
def test_stacked_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_stacked_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_stacked_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
