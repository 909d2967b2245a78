"""Inverses, powers and linear equations."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.inverse(q)",
    "torch.linalg.inv(Q)",
    "torch.linalg.inv(A=q)",
    "torch.inverse(input=q)",
    "torch.linalg.inv(Q).stride()",
    "torch.linalg.inv(torch.zeros(2, 0, 0))",
    "torch.linalg.matrix_power(Q, 0).detach()",
]

SMOOTH = [
    "torch.inverse(q)",
    "torch.linalg.solve(q, r)",
    "torch.linalg.solve(Q, h)",
    "torch.linalg.inv(z)",
    "torch.matrix_power(q, 3)",
]

REFUSED = [
    "torch.linalg.inv(a)",
    "torch.linalg.inv(torch.zeros(2, 2))",
    "torch.linalg.inv(r)",
    "torch.linalg.solve(torch.ones(2, 2), torch.ones(2))",
    "torch.linalg.inv(torch.stack([torch.eye(2), torch.ones(2, 2)]))",
    "torch.linalg.solve(q, a)",
    "torch.linalg.solve(q.half(), q.half())",
    "torch.linalg.solve(None, q)",
    "torch.linalg.solve(q, None)",
    "torch.linalg.inv([1.0])",
    "torch.inverse(2)",
    "torch.linalg.inv(q.half())",
    "torch.linalg.matrix_power(q, 2.0)",
    "torch.linalg.matrix_power(None, 2)",
    "torch.linalg.matrix_power(r, 2)",
    "torch.linalg.matrix_power(torch.ones(2, 2).long(), -1)",
    "torch.linalg.inv(q.detach(), out=torch.empty(3, 3))",
    "torch.linalg.slogdet(q.detach(), out=(torch.empty(()), torch.empty(())))",
    "torch.linalg.solve(Q, torch.ones(5, 3, 2).double())",
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
    "torch.matrix_power(q, 5)",
    "torch.matrix_power(Q, -2)",
    "torch.matrix_power(k @ k.t(), 3)",
    "torch.matrix_power(q.half(), 2)",
    "torch.matrix_power(q, 0).requires_grad",
    "torch.linalg.solve(Q, h).stride()",
    "torch.linalg.solve(Q, h, left=False).stride()",
    "torch.linalg.solve(Q, r).stride()",
    "torch.linalg.solve(Q, a).stride()",
]


@pytest.mark.parametrize("case", COMPOSED)
def test_composed_inverses_equal_pytorch_but_for_their_node(case):
    alike(__file__, case, nodes=False)
