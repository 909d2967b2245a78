"""LU."""

import pytest

import edutorch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.linalg.lu_factor_ex(squares)",
    "torch.linalg.lu_factor_ex(torch.ones(2, 2))",
    "torch.lu(square)",
    "torch.lu(torch.ones(2, 2), get_infos=True)",
    "type(torch.ones(2, 2).lu(get_infos=True)).__name__",
    "a.lu()",
    "torch.linalg.lu_factor(squares)",
    "torch.linalg.lu_factor(a.t())",
    "torch.linalg.lu_factor(a)",
    "torch.linalg.lu_factor(torch.ones(0, 0))",
    "torch.linalg.lu_factor_ex(torch.ones(2, 0, 3))",
    "torch.linalg.lu(torch.zeros(0, 3), pivot=False)",
    "torch.linalg.lu_factor(torch.zeros(2, 0, 3), pivot=False)",
]

SMOOTH = [
    "torch.linalg.lu_factor(square)[0]",
    "torch.linalg.lu_factor(a.t())[0]",
    "torch.linalg.lu_factor(a)[0]",
    "torch.linalg.lu(square)[1]",
]

COMPOSED = [
    "torch.linalg.lu(squares)",
    "torch.linalg.lu(a.t())",
    "torch.lu_unpack(*torch.linalg.lu_factor(squares))",
    "torch.linalg.lu_solve(*torch.linalg.lu_factor(square), row[:, None])",
    "torch.linalg.lu_solve(*torch.linalg.lu_factor(square), row[None], left=False)",
    "torch.linalg.lu_solve(*torch.linalg.lu_factor(square), posdef[0], adjoint=True)",
    "torch.lu_solve(row[:, None], *torch.linalg.lu_factor(square))",
    "[y.stride() for y in torch.linalg.lu_factor(squares)]",
    "[y.stride() for y in torch.linalg.lu_factor_ex(a)]",
    "torch.linalg.lu_solve(*torch.linalg.lu_factor(square), posdef, adjoint=True).stride()",
    "torch.linalg.lu_solve(*torch.linalg.lu_factor(square), posdef, left=False).stride()",
    "torch.lu_solve(input=posdef, LU_data=square, LU_pivots=torch.tensor([1, 2, 3], dtype=torch.int32))",
    "torch.linalg.lu(torch.ones(0, 3))",
]

REFUSED = [
    "torch.linalg.lu_factor(torch.ones(2, 2))",
    "torch.linalg.lu_factor_ex(torch.ones(3, 2, 2), check_errors=True)",
    "torch.linalg.lu_factor(square, pivot=False)",
    "torch.linalg.lu(square, pivot=False)",
    "torch.lu(square, pivot=False)",
    "torch.linalg.lu_factor(row)",
    "torch.linalg.lu(row)",
    "torch.linalg.lu_factor(None)",
    "torch.linalg.lu_factor(ints)",
    "torch.linalg.lu_factor(square.half())",
    "torch.linalg.lu_factor_ex([1.0])",
    "torch.linalg.lu(2)",
    "torch.lu_unpack(square, None)",
    "f = torch.linalg.lu_factor(square); torch.linalg.lu_solve(*f, row)",
    "f = torch.linalg.lu_factor(square); torch.linalg.lu_solve(*f, a)",
    "f = torch.linalg.lu_factor(square); torch.linalg.lu_solve(*f, square.float())",
    "f = torch.linalg.lu_factor(square); torch.linalg.lu_solve(f[0], f[1].long(), square)",
    "f = torch.linalg.lu_factor(square); torch.linalg.lu_solve(f[0], f[1][:2], square)",
    "f = torch.linalg.lu_factor(square); torch.linalg.lu_solve(f[0][:2], f[1], a)",
    "f = torch.linalg.lu_factor(square); torch.linalg.lu_solve(*f, None)",
    "f = torch.linalg.lu_factor(square); torch.linalg.lu_solve(*f, a.mT, left=False)",
    "torch.lu_solve(None, square, square)",
    "f = torch.linalg.lu_factor(squares); torch.linalg.lu_solve(*f, torch.ones(5, 3, 2).double())",
    "torch.linalg.lu_factor_ex(torch.ones(3), pivot=False)",
    "torch.linalg.lu_factor(torch.ones(2, 2).half(), pivot=False)",
]


@pytest.mark.parametrize("case", REFUSED)
def test_lu_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)


@pytest.mark.parametrize("case", CASES)
def test_lu_equals_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_lu_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", COMPOSED)
def test_composed_lu_equals_pytorch_but_for_its_node(case):
    alike(__file__, case, nodes=False)


def test_unpacking_other_pivots_is_refused_as_by_pytorch():
    refused(__file__, "torch.lu_unpack(square, torch.ones(3, dtype=torch.int64))")


def test_unpacked_factors_lie_row_by_row_in_memory():
    packed, pivots = edutorch.linalg.lu_factor(edutorch.rand(3, 4, 2))
    assert packed.stride() == (8, 1, 4)
    _, low, high = edutorch.lu_unpack(packed, pivots)
    assert (low.stride(), high.stride()) == ((8, 2, 1), (4, 2, 1))
