"""Householder's reflections."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.geqrf(q.detach())",
    "torch.geqrf(a.detach())",
    "torch.geqrf(p.mT.detach())",
]

COMPOSED = [
    "torch.linalg.householder_product(q, r * 0.3)",
    "torch.orgqr(Q, torch.stack([r, r + 1]))",
    "torch.linalg.householder_product(z, z[0])",
    "torch.ormqr(h, torch.stack([r, r]), Q)",
    "torch.ormqr(q, r, a, left=False)",
    "torch.ormqr(q, r, q, transpose=True)",
    "torch.ormqr(z, z[1], z, transpose=True)",
    "torch.ormqr(a.mT, a[0, :2], q, left=False, transpose=True)",
    "q.orgqr(r)",
    "q.ormqr(r, q)",
    "torch.linalg.householder_product(input=q, tau=r).stride()",
    "torch.ormqr(q, input2=r, input3=q).stride()",
    "torch.ormqr(q, r, a, left=False).stride()",
    "[y.stride() for y in torch.geqrf(a.detach())]",
]

SMOOTH = [
    "torch.orgqr(q, r)",
    "torch.ormqr(q, r, q)",
    "torch.ormqr(z, z[1], z, True, True)",
    "torch.linalg.householder_product(z, z[0])",
]

REFUSED = [
    "torch.geqrf(r)",
    "torch.orgqr(a, r)",
    "torch.orgqr(a.mT, r)",
    "torch.orgqr(r, r)",
    "torch.orgqr(Q, r)",
    "torch.orgqr(q, r.float())",
    "torch.ormqr(q, r, a)",
    "torch.ormqr(q, r, r)",
    "torch.ormqr(r, r, q)",
    "torch.ormqr(q, r, h)",
    "torch.ormqr(q, r[:2], q)",
    "torch.ormqr(q, r, q.float())",
    "torch.ormqr(q, r.float(), q)",
    "torch.ormqr(q, a, q)",
    "torch.ormqr(Q, torch.stack([r, r]), q[None])",
    "torch.geqrf(k)",
    "torch.geqrf(q.half())",
    "torch.geqrf(None)",
    "torch.linalg.householder_product(k.t(), k[:, 0])",
    "torch.linalg.householder_product(q, None)",
    "torch.orgqr(None, r)",
    "torch.ormqr(q, r, None)",
]


@pytest.mark.parametrize("case", CASES)
def test_reflections_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", COMPOSED)
def test_composed_reflections_equal_pytorch_but_for_their_node(case):
    alike(__file__, case, nodes=False)


@pytest.mark.parametrize("case", SMOOTH)
def test_reflections_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_reflections_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
