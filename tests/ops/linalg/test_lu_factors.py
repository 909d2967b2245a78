"""LU."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.linalg.lu_factor_ex(Q)",
    "torch.linalg.lu_factor_ex(torch.ones(2, 2))",
    "torch.lu(q)",
    "torch.lu(torch.ones(2, 2), get_infos=True)",
    "a.lu()",
    "torch.linalg.lu_factor(Q)",
    "torch.linalg.lu_factor(a.t())",
    "torch.linalg.lu_factor(a)",
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
]

REFUSED = [
    "torch.linalg.lu_factor(torch.ones(2, 2))",
    "torch.linalg.lu_factor_ex(torch.ones(3, 2, 2), check_errors=True)",
    "torch.linalg.lu_factor(q, pivot=False)",
    "torch.linalg.lu(q, pivot=False)",
    "torch.lu(q, pivot=False)",
    "torch.linalg.lu_factor(r)",
    "torch.linalg.lu(r)",
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
