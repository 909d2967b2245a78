"""Inverses, linear equations and determinants."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.inverse(q)",
    "torch.linalg.inv(Q)",
    "torch.det(q)",
    "torch.linalg.det(Q)",
    "torch.slogdet(q)",
    "torch.linalg.slogdet(Q)",
    "torch.linalg.slogdet(z)",
    "torch.linalg.det(z)",
    "torch.linalg.matrix_power(Q, 0).detach()",
]

SMOOTH = [
    "torch.inverse(q)",
    "torch.linalg.solve(q, r)",
    "torch.linalg.solve(Q, h)",
    "torch.det(q)",
    "torch.linalg.slogdet(q)[1]",
    "torch.linalg.inv(z)",
    "torch.linalg.solve_triangular(q, h[0], upper=True)",
    "torch.matrix_power(q, 3)",
    "torch.linalg.slogdet(z)[0]",
]

REFUSED = [
    "torch.linalg.solve_triangular(q, a, upper=True)",
    "torch.linalg.solve_triangular(q, r, upper=True)",
    "torch.linalg.solve_triangular(q, h[0][:, :2], upper=True, left=False)",
    "torch.triangular_solve(a, q)",
    "torch.linalg.inv(a)",
    "torch.linalg.inv(torch.zeros(2, 2))",
    "torch.linalg.inv(r)",
    "torch.det(k)",
    "torch.linalg.solve(torch.ones(2, 2), torch.ones(2))",
    "torch.linalg.inv(torch.stack([torch.eye(2), torch.ones(2, 2)]))",
    "torch.linalg.solve(q, a)",
]


@pytest.mark.parametrize("case", CASES)
def test_inverses_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_inverses_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_inverses_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


COMPOSED = [
    "torch.linalg.solve(q, r)",
    "torch.linalg.solve(Q, h)",
    "torch.linalg.solve(Q, h, left=False)",
    "torch.logdet(h)",
    "torch.logdet(-h[0])",
    "torch.matrix_power(q, 5)",
    "torch.matrix_power(Q, -2)",
    "torch.triangular_solve(h[0], q)",
    "torch.triangular_solve(h[0], q, upper=False, transpose=True)",
    "torch.linalg.solve_triangular(q, h[0], upper=False, unitriangular=True)",
    "torch.linalg.solve_triangular(q, h[0], upper=True, left=False)",
]


@pytest.mark.parametrize("case", COMPOSED)
def test_composed_inverses_equal_pytorch_but_for_their_node(case):
    alike(__file__, case, nodes=False)


def test_det_of_a_singular_matrix_has_its_cofactors_as_gradient():
    alike(__file__, "torch.det(q * torch.tensor([1.0, 1.0, 0.0]))", nodes=False)
