"""einsum."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.einsum('ij,jk->ik', a, square)",
    "torch.einsum('ij,jk', a, square)",
    "torch.einsum('ji', a)",
    "torch.einsum('ij->', a)",
    "torch.einsum('ij->j', a)",
    "torch.einsum('ii', square)",
    "torch.einsum('ii->i', square)",
    "torch.einsum('i,i', row, row)",
    "torch.einsum('i,j->ij', row, a[0])",
    "torch.einsum('bij,bjk->bik', squares, posdef)",
    "torch.einsum('...ij,jk->...ik', squares, square)",
    "torch.einsum('...i,...j->...ij', row, a)",
    "torch.einsum('bij,bjk,k->bi', squares, posdef, row)",
    "torch.einsum(a, [0, 1], square, [1, 2], [0, 2])",
    "torch.einsum('i,i->i', row, torch.ones(1, dtype=torch.float64))",
    "torch.einsum('bii->b', squares)",
    "torch.einsum('...', a)",
    "torch.einsum('ik,j->ij', singles, torch.tensor([1 + 2j, 3j]))",
    "torch.einsum('ij,ij->ij', singles, singles.double())",
]

SMOOTH = [
    'torch.einsum("ij,jk->ik", a, square)',
    'torch.einsum("ii->i", square)',
    'torch.einsum("...i,...j->...ij", row, a)',
    'torch.einsum("bij,bjk,k->bi", squares, posdef, row)',
]

REFUSED = [
    'torch.einsum("ij,jk", a)',
    'torch.einsum("ij->k", a)',
    'torch.einsum("i->i", a)',
    'torch.einsum("ij,ij->ij", a, square)',
    'torch.einsum("ij->ii", a)',
    "torch.einsum(a, [0, 60])",
    "torch.einsum('ij')",
    "torch.einsum(None, a)",
    "torch.einsum('ij,jk', mask, mask.t())",
    "torch.einsum('...i,...i->...', torch.ones(5, 3), torch.ones(2, 3, 3))",
    "torch.einsum('ii,jj', torch.ones(2, 2), torch.ones(1, 3))",
    "torch.einsum('ii,ij->j', a, square)",
]


@pytest.mark.parametrize("case", CASES)
def test_einsums_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_einsums_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_einsums_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
