"""Products over chosen dimensions, and distances."""

import pytest

import edutorch as torch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.tensordot(squares.bool(), squares.bool().mT, [[0, 1, 2]] * 2)",
    "torch.tensordot(squares.half(), squares.half().mT, [[0, 1, 2]] * 2)",
    "torch.tensordot(squares, squares, [[0, 1, 2]] * 2)",
    "torch.cross(squares[:, 0], squares[:, 1], dim=1)",
    "torch.cross(row, a[0], dim=0)",
    "torch.cross(a, row.expand(2, 3), dim=1)",
    "torch.cross(ints, ints2, dim=1)",
    "torch.cross(square, square.t(), 0).stride()",
]

SMOOTH = [
    "torch.tensordot(square, square.t().cos(), 2)",
    "torch.cross(a, b, dim=1)",
    "torch.kron(a, row)",
    "torch.tensordot(squares, square, 2)",
    "torch.cdist(a, b)",
    "torch.cdist(a, b, 3.0)",
]

REFUSED = [
    "torch.tensordot(squares.bool(), squares.bool(), [[0, 1, 2]] * 2)",
    "torch.linalg.cross(torch.ones(5, 3).bool(), torch.ones(5, 3))",
    "torch.cross(a, b, dim=0)",
    "torch.tensordot(a, b, 1)",
    "torch.cdist(row, a)",
    "torch.cdist(torch.ones(5, 5, 2), torch.ones(2, 2, 2), 2.0, "
    "'use_mm_for_euclid_dist')",
    "torch.tensordot(a, b, -1)",
    "torch.cdist(a, square[:, :2])",
    "torch.kron(None, a)",
    "torch.cross(None, a)",
    "torch.cdist(singles, a)",
    "torch.cdist(a, b, float('nan'))",
    "torch.cdist(a, b, compute_mode='x')",
    "torch.tensordot(a, b, dims=([0], [0, 1]))",
    "torch.tensordot(a, b, dims='a')",
    "torch.cross(scalar, scalar, 0)",
]


@pytest.mark.parametrize("case", CASES)
def test_contractions_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_contractions_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_contractions_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


COMPOSED = [
    "torch.kron(a, row)",
    "torch.kron(ints, ints2)",
    "torch.tensordot(squares, square)",
    "torch.tensordot(a, b, dims=([0], [0]))",
    "torch.tensordot(a, b, 0)",
    "torch.tensordot(squares, a, dims=([2], [1]))",
    "torch.cdist(a, b)",
    "torch.cdist(squares, square, 1.0)",
    "torch.cdist(a, b, 0.0)",
    "torch.cdist(a, b, float('inf'))",
    "torch.cdist(a, a, 1.5)",
]


@pytest.mark.parametrize("case", COMPOSED)
def test_composed_contractions_equal_pytorch(case):
    alike(__file__, case)


def test_kronecker_product_lies_in_memory_as_its_operands():
    a = torch.arange(15.0).reshape(5, 3).t()
    b = torch.arange(6.0).reshape(3, 2).t()
    y = torch.kron(a, b)
    assert y.stride() == (1, 6)
    assert y.equal(torch.kron(a.contiguous(), b.contiguous()))
    with pytest.raises(RuntimeError, match="view size is not compatible"):
        torch.kron(a, torch.ones(2, 2))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_distances_in_16_bits_exist_where_pytorch_multiplies_matrices(dtype):
    x = torch.tensor([[0.0, 0.0], [3.0, 4.0]], dtype=dtype)
    found = torch.cdist(x, x, compute_mode="use_mm_for_euclid_dist")
    assert found.dtype is dtype and found.tolist() == [[0, 5], [5, 0]]
    with pytest.raises(NotImplementedError, match="cdist"):
        torch.cdist(x, x)
