"""Householder's reflections."""

import pytest

import edutorch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.geqrf(square.detach())",
    "torch.geqrf(a.detach())",
    "torch.geqrf(positive.mT.detach())",
]

COMPOSED = [
    "torch.linalg.householder_product(square, row * 0.3)",
    "torch.orgqr(squares, torch.stack([row, row + 1]))",
    "torch.linalg.householder_product(complexes, complexes[0])",
    "torch.ormqr(posdef, torch.stack([row, row]), squares)",
    "torch.ormqr(square, row, a, left=False)",
    "torch.ormqr(square, row, square, transpose=True)",
    "torch.ormqr(complexes, complexes[1], complexes, transpose=True)",
    "torch.ormqr(a.mT, a[0, :2], square, left=False, transpose=True)",
    "square.orgqr(row)",
    "square.ormqr(row, square)",
    "torch.linalg.householder_product(input=square, tau=row).stride()",
    "torch.linalg.householder_product(square.detach(), row[:0]).requires_grad",
    "torch.ormqr(square, input2=row, input3=square).stride()",
    "torch.ormqr(square, row, a, left=False).stride()",
    "[y.stride() for y in torch.geqrf(a.detach())]",
]

SMOOTH = [
    "torch.orgqr(square, row)",
    "torch.ormqr(square, row, square)",
    "torch.ormqr(complexes, complexes[1], complexes, True, True)",
    "torch.linalg.householder_product(complexes, complexes[0])",
]

REFUSED = [
    "torch.geqrf(row)",
    "torch.orgqr(a, row)",
    "torch.orgqr(a.mT, row)",
    "torch.orgqr(row, row)",
    "torch.orgqr(squares, row)",
    "torch.orgqr(square, row.float())",
    "torch.ormqr(square, row, a)",
    "torch.ormqr(square, row, row)",
    "torch.ormqr(row, row, square)",
    "torch.ormqr(square, row, posdef)",
    "torch.ormqr(square, row[:2], square)",
    "torch.ormqr(square, row, square.float())",
    "torch.ormqr(square, row.float(), square)",
    "torch.ormqr(square, a, square)",
    "torch.ormqr(squares, torch.stack([row, row]), square[None])",
    "torch.geqrf(ints)",
    "torch.geqrf(square.half())",
    "torch.geqrf(None)",
    "torch.linalg.householder_product(ints.t(), ints[:, 0])",
    "torch.linalg.householder_product(square, None)",
    "torch.orgqr(None, row)",
    "torch.ormqr(square, row, None)",
    "torch.geqrf(square)[0].sum().backward()",
    "torch.geqrf(complexes)",
]


@pytest.mark.parametrize("case", CASES)
def test_reflections_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", COMPOSED)
def test_composed_reflections_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_reflections_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_reflections_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_products_on_the_meta_device_lie_column_by_column():
    a, tau = edutorch.ones(2, 2, device="meta"), edutorch.ones(2, device="meta")
    x = edutorch.ones(5, 2, device="meta")
    assert edutorch.ormqr(a, tau, x, left=False).stride() == (1, 5)
