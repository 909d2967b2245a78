"""Products and powers of vectors, chains of products."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.vander(mask[0])",
    "torch.vander(uint8s[0], 0)",
    "torch.linalg.cross(squares, squares[:, :1])",
    "torch.linalg.diagonal(squares)",
]

SMOOTH = [
    "torch.linalg.vecdot(a, b)",
    "torch.linalg.multi_dot([a, square, posdef[0]])",
    "torch.linalg.vander(row)",
]

REFUSED = [
    "torch.vander(a)",
    "torch.vander(row, -1)",
    "torch.vander(None)",
    "torch.vander(row, 'x')",
    "torch.linalg.multi_dot([a])",
    "torch.linalg.multi_dot(a)",
    "torch.linalg.multi_dot([1.0, 2.0])",
    "torch.linalg.multi_dot([a, b])",
    "torch.linalg.multi_dot([a, square.float()])",
    "torch.linalg.multi_dot([squares, square])",
    "torch.linalg.multi_dot([a, squares, square])",
    "torch.linalg.multi_dot([a, square, row[:2]])",
    "torch.linalg.vander(None)",
    "torch.linalg.vander(mask)",
    "torch.linalg.vander(row.half())",
    "torch.linalg.vander(scalar)",
    "torch.linalg.vander(row, N=1)",
    "torch.linalg.vander(row, N=2.0)",
    "torch.linalg.vecdot(ints, ints)",
    "torch.linalg.vecdot(row, row.float())",
    "torch.linalg.vecdot(1.0, row)",
    "torch.linalg.cross(row, row.float())",
    "torch.linalg.cross(mask, mask)",
    "torch.linalg.cross(row[:2], row[:2])",
    "torch.linalg.cross(None, row)",
    "torch.linalg.diagonal(1)",
    "torch.linalg.multi_dot([singles, singles.t() + 1j])",
]

COMPOSED = [
    "torch.vander(row.detach())",
    "torch.vander(row.detach(), 2, increasing=True)",
    "torch.vander(torch.tensor([1, 2]), 0)",
    "torch.linalg.multi_dot([a, square, posdef[0], row])",
    "torch.linalg.multi_dot([row, square])",
    "torch.linalg.vecdot(a, b)",
    "torch.linalg.vecdot(complexes, complexes, dim=0)",
    "torch.linalg.vander(row, N=2)",
    "torch.linalg.vander(uint8s)",
    "torch.linalg.vander(torch.tensor([2, 3], dtype=torch.int32), N=4)",
]


@pytest.mark.parametrize("case", CASES)
def test_vectors_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_vectors_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_vectors_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


@pytest.mark.parametrize("case", COMPOSED)
def test_composed_vectors_equal_pytorch(case):
    alike(__file__, case)
