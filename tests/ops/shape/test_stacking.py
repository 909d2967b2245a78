"""`hstack`, `vstack` and their kin."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.hstack([a, b])",
    "torch.hstack((r, r))",
    "torch.hstack([s, s])",
    "torch.vstack([a, b])",
    "torch.vstack([r, r])",
    "torch.row_stack([r, a])",
    "torch.dstack([a, b])",
    "torch.dstack([r, r])",
    "torch.column_stack([r, r])",
    "torch.column_stack([a, b])",
    "torch.atleast_1d(s)",
    "torch.atleast_1d(a)",
    "torch.atleast_2d(s)",
    "torch.atleast_2d(r)",
    "torch.atleast_2d(a) is a",
    "torch.atleast_3d(r)",
    "torch.atleast_3d(a)",
    "torch.atleast_2d(r, s)",
    "torch.atleast_1d([s, r])",
    "torch.block_diag(a, r, s)",
    "torch.block_diag(k, f)",
    "torch.hstack([f, f], out=torch.empty(2, 6))",
]

SMOOTH = [
    "torch.hstack([a, b]) ** 2",
    "torch.block_diag(a, r, s) ** 2",
    "torch.dstack([a, b]) ** 2",
]

REFUSED = [
    "torch.hstack([])",
    "torch.vstack([a, r[:2]])",
    "torch.hstack([a, r])",
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
