"""Grids and products of vectors."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.meshgrid(row, row, indexing='ij')",
    "torch.meshgrid(row, scalar, indexing='ij')",
    "torch.meshgrid([row, row], indexing='ij')",
    "torch.cartesian_prod(row, row)",
    "torch.cartesian_prod(row)",
]

# PyTorch builds these of other operations: its nodes have other names.
OTHER_NODES = [
    "torch.meshgrid(row, row[:2], indexing='xy')",
    "torch.meshgrid(row, indexing='xy')",
    "torch.meshgrid(row, row[:2], row, indexing='xy')",
    "torch.combinations(row)",
    "torch.combinations(row, 2, True)",
    "torch.combinations(row, 3)",
    "torch.combinations(row, 0)",
]

SMOOTH = [
    'torch.stack(torch.meshgrid(row, row ** 2, indexing="ij"))',
    "torch.cartesian_prod(row, row) ** 2",
    "torch.combinations(row) ** 2",
]

REFUSED = [
    "torch.meshgrid()",
    "torch.meshgrid(row, singles[0])",
    "torch.meshgrid(row, row, indexing='zz')",
    "torch.cartesian_prod(a)",
    "torch.combinations(a)",
    "torch.combinations(row, -1)",
]


@pytest.mark.parametrize("case", CASES)
def test_grids_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", OTHER_NODES)
def test_grids_equal_pytorch_with_nodes(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_grids_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_grids_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
