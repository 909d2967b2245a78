"""Cholesky, QR and LU."""

import pytest

import edutorch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.linalg.cholesky(complexes @ complexes.mH + torch.eye(2))",
    "torch.linalg.cholesky(complexes @ complexes.mH + torch.eye(2), upper=True)",
    "torch.linalg.cholesky(posdef)",
    "torch.linalg.cholesky(posdef, upper=True).detach()",
]

SMOOTH = [
    "torch.linalg.cholesky(posdef[0] + posdef[0].t())",
    "torch.linalg.qr(squares)",
    "torch.linalg.qr(a.t())",
    "torch.linalg.qr(a)",
    "torch.cholesky_solve(row[:, None], torch.linalg.cholesky(posdef[0] + posdef[0].t()))",
    "torch.cholesky_inverse(torch.linalg.cholesky(posdef[0] + posdef[0].t()))",
    "torch.linalg.qr(complexes[:, :1] @ torch.ones(1, 2, dtype=complexes.dtype) + complexes)",
    "torch.linalg.qr(torch.cat([complexes, complexes @ complexes], 1))",
]

REFUSED = [
    "torch.linalg.qr(row)",
    "torch.qr(row)",
    "torch.linalg.cholesky(-posdef)",
    "torch.linalg.cholesky(a)",
    'torch.linalg.qr(square, "x")',
    "torch.linalg.cholesky(None)",
    "torch.linalg.cholesky(square.half())",
    "torch.linalg.cholesky(ints[:, :2])",
    "torch.cholesky(ints[:, :2])",
    "torch.cholesky('x')",
    "torch.linalg.qr(2)",
    "torch.linalg.qr(square.half())",
    "torch.linalg.qr(ints)",
    "torch.qr(None)",
    "torch.cholesky_solve(row, square)",
    "torch.cholesky_solve(square, row)",
    "torch.cholesky_solve(square, a)",
    "torch.cholesky_solve(a, square)",
    "torch.cholesky_solve(square, square.float())",
    "torch.cholesky_solve(ints[:, :2], ints[:, :2])",
    "torch.cholesky_solve(square, None)",
    "torch.cholesky_inverse(ints[:, :2])",
    "torch.cholesky_inverse(None)",
    "torch.cholesky_inverse(torch.tensor([[1.0, 0.0], [3.0, 0.0]]))",
    "torch.cholesky_solve(torch.ones(5, 3, 2).double(), squares)",
]


@pytest.mark.parametrize("case", CASES)
def test_factorizations_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_factorings_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_factorings_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


@pytest.mark.parametrize("upper", [False, True])
def test_forward_derivative_of_cholesky_inverse_equals_differences(upper):
    # PyTorch's own differs from differences, though its gradient does not.
    x = edutorch.tensor([[2.0, 0.0], [1.0, 3.0]], dtype=edutorch.float64)
    t = edutorch.tensor([[0.5, 0.0], [-1.0, 2.0]], dtype=edutorch.float64)
    x, t = (x.mT, t.mT) if upper else (x, t)

    def inverse(x):
        return edutorch.cholesky_inverse(x, upper=upper)

    _, found = edutorch.func.jvp(inverse, (x,), (t,))
    expected = (inverse(x + 1e-6 * t) - inverse(x - 1e-6 * t)) / 2e-6
    edutorch.testing.assert_close(found, expected)


COMPOSED = [
    "abs(torch.qr(a.t())[1])",
    "abs(torch.linalg.qr(a)[1])",
    "abs(torch.linalg.qr(squares.detach(), 'r')[1])",
    "torch.cholesky_solve(row[:, None], torch.linalg.cholesky(posdef[0]))",
    "torch.cholesky_inverse(torch.linalg.cholesky(posdef))",
    "torch.cholesky(posdef[0], upper=True)",
    "torch.linalg.cholesky(posdef[0] + square.tril(-1), upper=True)",
    "torch.linalg.cholesky(posdef, upper=True)",
    "torch.linalg.cholesky(input=posdef).stride()",
    "torch.linalg.cholesky(posdef, upper=True).stride()",
    "[y.stride() for y in torch.linalg.qr(A=a)]",
    "torch.linalg.qr(squares, 'r')[1].stride()",
    "torch.cholesky_solve(input=posdef, input2=square, upper=True)",
    "torch.cholesky_solve(posdef, square).stride()",
    "torch.cholesky_inverse(square, upper=True)",
]


@pytest.mark.parametrize("case", COMPOSED)
def test_composed_factorings_equal_pytorch_but_for_their_node(case):
    alike(__file__, case, nodes=False)
