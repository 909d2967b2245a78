"""Pseudoinverse, least squares and rank."""

import numpy as np
import pytest

import edutorch as torch
from edutorch.ops.linalg.pinv_lstsq import Lstsq
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "[y.stride() for y in torch.linalg.lstsq(positive.t().detach(), a.t().detach())]",
    "torch.linalg.lstsq(torch.cat([complexes.detach(), complexes.detach() * 2]), torch.ones(4, 2).to(torch.complex128)).residuals.stride()",
    "torch.linalg.matrix_rank(squares)",
    "torch.linalg.matrix_rank(torch.ones(3, 3))",
    "torch.linalg.matrix_rank(posdef, hermitian=True)",
    "torch.linalg.matrix_rank(a, 1.0)",
]

SMOOTH = [
    "torch.linalg.pinv(a)",
    "torch.linalg.pinv(a.t())",
    "torch.linalg.pinv(posdef[0] + posdef[0].t(), hermitian=True)",
    "torch.linalg.lstsq(a.t(), row).solution",
]

REFUSED = [
    "torch.linalg.lstsq(torch.ones(4), torch.ones(4))",
    "torch.linalg.lstsq(torch.ones(2, 3, 2), torch.ones(2))",
    "torch.linalg.lstsq(None, torch.ones(2))",
    'torch.linalg.lstsq(a, b, driver="x")',
    "torch.linalg.pinv(row)",
    "torch.linalg.pinv(None)",
    "torch.linalg.pinv(square.half())",
    "torch.linalg.pinv(a, hermitian=True)",
    "torch.linalg.pinv(a, rcond=0.1, rtol=0.1)",
    "torch.linalg.pinv(a, atol=torch.tensor(1j))",
    "torch.linalg.matrix_rank(row)",
    "torch.linalg.matrix_rank(ints)",
    "torch.linalg.matrix_rank(a, hermitian=True)",
    "torch.linalg.matrix_rank(a, tol=0.1, rtol=0.1)",
    "torch.linalg.lstsq(square, None)",
    "torch.linalg.lstsq(square, scalar)",
    "torch.linalg.lstsq(square, a)",
    "torch.linalg.lstsq(square, row[:2])",
    "torch.linalg.lstsq(square, square.float())",
    "torch.linalg.lstsq(ints, ints)",
    "torch.linalg.lstsq(torch.ones(3, 2), torch.ones(3, 1), driver='gels')",
    "torch.linalg.lstsq(torch.ones(2, 3, 2), torch.ones(2, 3, 1), driver='gels')",
    "torch.linalg.lstsq(squares, torch.ones(5, 3, 2).double())",
    "torch.linalg.lstsq(squares, square[:, :2])",
]


@pytest.mark.parametrize("case", CASES)
def test_pseudoinverses_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_pseudoinverses_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_pseudoinverses_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


COMPOSED = [
    "a.pinverse(1e-3)",
    "torch.linalg.pinv(squares)",
    "torch.linalg.pinv(a)",
    "torch.pinverse(a.t())",
    "torch.linalg.pinv(torch.ones(2, 3))",
    "torch.linalg.lstsq(a.t(), row).solution",
    "torch.linalg.lstsq(squares, posdef, driver='gelsd')[:3]",
    "torch.linalg.lstsq(a.t(), square, driver='gels').residuals",
    "torch.linalg.lstsq(squares, posdef).solution.stride()",
    "torch.linalg.lstsq(complexes, complexes)",
    "torch.linalg.matrix_rank(torch.full((2, 2), float('inf')))",
    "torch.linalg.lstsq(a.t(), square, rcond=0.9, driver='gels')",
    "torch.linalg.lstsq(a, b, driver='gelss')",
    "torch.linalg.lstsq(torch.zeros(3, 0), torch.ones(3, 2))",
    "torch.linalg.lstsq(squares, a.detach()).solution.shape",
    "torch.linalg.lstsq(square[None], posdef[0])",
    "torch.linalg.lstsq(square[None], posdef)",
    "torch.linalg.lstsq(square[None, None].expand(2, 1, 3, 3), posdef[None]).rank",
    "torch.linalg.lstsq(square, square[:, :0])",
]


@pytest.mark.parametrize("case", COMPOSED)
def test_composed_results_equal_pytorch_but_for_their_node(case):
    alike(__file__, case, nodes=False)


def test_least_squares_of_vectors_of_another_size_are_refused():
    with pytest.raises(RuntimeError, match="should match other"):
        torch.linalg.lstsq(torch.ones(2, 1, 4, 3), torch.ones(2, 4, 5))


def test_least_squares_by_singular_values_are_those_of_lapack():
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((2, 5, 3)), rng.standard_normal((2, 5, 2))
    op = Lstsq("gelsd", None)
    for got, wanted in zip(op.by_singular_values(a, b), op.forward(a, b), strict=True):
        np.testing.assert_allclose(got, wanted)


@pytest.mark.parametrize("driver", ["gels", "gelsy", "gelsd", "gelss"])
def test_residuals_have_a_history_where_they_are_empty(driver):
    a = torch.eye(3).requires_grad_()
    b = torch.ones(3, 2, requires_grad=True)
    found = torch.linalg.lstsq(a, b, driver=driver)
    assert found.residuals.shape == (0,)
    assert found.residuals.grad_fn is found.solution.grad_fn
    assert not found.singular_values.requires_grad
    (found.solution.sum() + found.residuals.sum()).backward()
    assert b.grad.tolist() == [[1, 1]] * 3


def test_a_complex_tolerance_is_refused_by_the_name_that_it_was_given():
    x, tolerance = torch.ones(2, 3), torch.ones((), dtype=torch.complex64)
    for word in ("rcond", "rtol", "atol"):
        with pytest.raises(RuntimeError, match=f"linalg.pinv: {word} tensor of compl"):
            torch.linalg.pinv(x, **{word: tolerance})
