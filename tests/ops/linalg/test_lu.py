"""LU."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.linalg.lu_factor_ex(Q)",
    "torch.linalg.lu_factor_ex(torch.ones(2, 2))",
    "torch.lu(q)",
    "torch.lu(torch.ones(2, 2), get_infos=True)",
    "type(torch.ones(2, 2).lu(get_infos=True)).__name__",
    "a.lu()",
    "torch.linalg.lu_factor(Q)",
    "torch.linalg.lu_factor(a.t())",
    "torch.linalg.lu_factor(a)",
    "torch.linalg.lu_factor(torch.ones(0, 0))",
    "torch.linalg.lu_factor_ex(torch.ones(2, 0, 3))",
]

SMOOTH = [
    "torch.linalg.lu_factor(q)[0]",
    "torch.linalg.lu_factor(a.t())[0]",
    "torch.linalg.lu_factor(a)[0]",
    "torch.linalg.lu(q)[1]",
]

COMPOSED = [
    "torch.linalg.lu(Q)",
    "torch.linalg.lu(a.t())",
    "torch.lu_unpack(*torch.linalg.lu_factor(Q))",
    "torch.linalg.lu_solve(*torch.linalg.lu_factor(q), r[:, None])",
    "torch.linalg.lu_solve(*torch.linalg.lu_factor(q), r[None], left=False)",
    "torch.linalg.lu_solve(*torch.linalg.lu_factor(q), h[0], adjoint=True)",
    "torch.lu_solve(r[:, None], *torch.linalg.lu_factor(q))",
    "[y.stride() for y in torch.linalg.lu_factor(Q)]",
    "[y.stride() for y in torch.linalg.lu_factor_ex(a)]",
    "torch.linalg.lu_solve(*torch.linalg.lu_factor(q), h, adjoint=True).stride()",
    "torch.linalg.lu_solve(*torch.linalg.lu_factor(q), h, left=False).stride()",
    "torch.lu_solve(input=h, LU_data=q, LU_pivots=torch.tensor([1, 2, 3], dtype=torch.int32))",
    "torch.linalg.lu(torch.ones(0, 3))",
]

REFUSED = [
    "torch.linalg.lu_factor(torch.ones(2, 2))",
    "torch.linalg.lu_factor_ex(torch.ones(3, 2, 2), check_errors=True)",
    "torch.linalg.lu_factor(q, pivot=False)",
    "torch.linalg.lu(q, pivot=False)",
    "torch.lu(q, pivot=False)",
    "torch.linalg.lu_factor(r)",
    "torch.linalg.lu(r)",
    "torch.linalg.lu_factor(None)",
    "torch.linalg.lu_factor(k)",
    "torch.linalg.lu_factor(q.half())",
    "torch.linalg.lu_factor_ex([1.0])",
    "torch.linalg.lu(2)",
    "torch.lu_unpack(q, None)",
    "f = torch.linalg.lu_factor(q); torch.linalg.lu_solve(*f, r)",
    "f = torch.linalg.lu_factor(q); torch.linalg.lu_solve(*f, a)",
    "f = torch.linalg.lu_factor(q); torch.linalg.lu_solve(*f, q.float())",
    "f = torch.linalg.lu_factor(q); torch.linalg.lu_solve(f[0], f[1].long(), q)",
    "f = torch.linalg.lu_factor(q); torch.linalg.lu_solve(f[0], f[1][:2], q)",
    "f = torch.linalg.lu_factor(q); torch.linalg.lu_solve(f[0][:2], f[1], a)",
    "f = torch.linalg.lu_factor(q); torch.linalg.lu_solve(*f, None)",
    "f = torch.linalg.lu_factor(q); torch.linalg.lu_solve(*f, a.mT, left=False)",
    "torch.lu_solve(None, q, q)",
    "f = torch.linalg.lu_factor(Q); torch.linalg.lu_solve(*f, torch.ones(5, 3, 2).double())",
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
    refused(__file__, "torch.lu_unpack(q, torch.ones(3, dtype=torch.int64))")
