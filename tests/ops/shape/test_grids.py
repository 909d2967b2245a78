"""Grids and products of vectors."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.meshgrid(r, r, indexing='ij')",
    "torch.meshgrid(r, s, indexing='ij')",
    "torch.meshgrid([r, r], indexing='ij')",
    "torch.cartesian_prod(r, r)",
    "torch.cartesian_prod(r)",
]

# PyTorch builds these of other operations: its nodes have other names.
OTHER_NODES = [
    "torch.meshgrid(r, r[:2], indexing='xy')",
    "torch.meshgrid(r, indexing='xy')",
    "torch.meshgrid(r, r[:2], r, indexing='xy')",
    "torch.combinations(r)",
    "torch.combinations(r, 2, True)",
    "torch.combinations(r, 3)",
    "torch.combinations(r, 0)",
]

SMOOTH = [
    'torch.stack(torch.meshgrid(r, r ** 2, indexing="ij"))',
    "torch.cartesian_prod(r, r) ** 2",
    "torch.combinations(r) ** 2",
]

REFUSED = [
    "torch.meshgrid()",
    "torch.meshgrid(r, f[0])",
    "torch.meshgrid(r, r, indexing='zz')",
    "torch.cartesian_prod(a)",
    "torch.combinations(a)",
    "torch.combinations(r, -1)",
]


@pytest.mark.parametrize("case", CASES)
def test_grids_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", OTHER_NODES)
def test_grids_equal_pytorch_but_for_nodes(case):
    alike(__file__, case, nodes=False)


@pytest.mark.parametrize("case", SMOOTH)
def test_grids_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_grids_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
