"""einsum."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.einsum('ij,jk->ik', a, q)",
    "torch.einsum('ij,jk', a, q)",
    "torch.einsum('ji', a)",
    "torch.einsum('ij->', a)",
    "torch.einsum('ij->j', a)",
    "torch.einsum('ii', q)",
    "torch.einsum('ii->i', q)",
    "torch.einsum('i,i', r, r)",
    "torch.einsum('i,j->ij', r, a[0])",
    "torch.einsum('bij,bjk->bik', Q, h)",
    "torch.einsum('...ij,jk->...ik', Q, q)",
    "torch.einsum('...i,...j->...ij', r, a)",
    "torch.einsum('bij,bjk,k->bi', Q, h, r)",
    "torch.einsum(a, [0, 1], q, [1, 2], [0, 2])",
    "torch.einsum('i,i->i', r, torch.ones(1, dtype=torch.float64))",
    "torch.einsum('bii->b', Q)",
    "torch.einsum('...', a)",
    "torch.einsum('ik,j->ij', f, torch.tensor([1 + 2j, 3j]))",
    "torch.einsum('ij,ij->ij', f, f.double())",
]

SMOOTH = [
    'torch.einsum("ij,jk->ik", a, q)',
    'torch.einsum("ii->i", q)',
    'torch.einsum("...i,...j->...ij", r, a)',
    'torch.einsum("bij,bjk,k->bi", Q, h, r)',
]

REFUSED = [
    'torch.einsum("ij,jk", a)',
    'torch.einsum("ij->k", a)',
    'torch.einsum("i->i", a)',
    'torch.einsum("ij,ij->ij", a, q)',
    'torch.einsum("ij->ii", a)',
    "torch.einsum(a, [0, 60])",
    "torch.einsum('ij')",
    "torch.einsum(None, a)",
    "torch.einsum('ij,jk', m, m.t())",
]


@pytest.mark.parametrize("case", CASES)
def test_einsums_equal_pytorch(case):
    alike(__file__, case, nodes=False)


@pytest.mark.parametrize("case", SMOOTH)
def test_einsums_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_einsums_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
