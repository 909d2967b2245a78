"""LAPACK's routines."""

import numpy as np
import pytest

from edutorch.ops.linalg import lapack
from tests.ops.cases import alike, refused

CASES = [
    "torch.linalg.svd(a.detach())[1]",
    "torch.svd(singles)",
    "torch.svd(torch.cat([a, b], 1).detach())",
    "torch.linalg.svd(torch.cat([a, b], 1).detach(), full_matrices=False)",
    "torch.linalg.svd(torch.cat([singles, singles * singles], 1), full_matrices=False)",
    "torch.svd(a.detach(), compute_uv=False)",
    "torch.svd(a.detach(), some=False)",
    "torch.linalg.svd(torch.cat([a, b], 1).detach())",
    "torch.linalg.svd(torch.cat([singles, b.float(), singles * singles], 1))",
    "torch.linalg.eig(torch.tensor([[2.0, 1.0], [1.0, 3.0]]))",
    "torch.linalg.eigvals(square.float())",
    "torch.linalg.eig(squares.detach())",
    "torch.linalg.eig(posdef.detach() - squares.detach())",
    "torch.linalg.eig(torch.zeros(0, 3, 3))",
    "torch.linalg.svd(torch.full((2, 2), float('inf')))",
]

REFUSED = [
    "torch.linalg.svd(torch.full((2, 2), float('nan')))",
    "torch.linalg.svdvals(torch.full((3, 2, 2), float('nan')))",
    "torch.linalg.eig(torch.full((2, 2), float('nan')))",
    "torch.linalg.pinv(torch.full((2, 2), float('nan')))",
    "torch.linalg.matrix_rank(torch.full((2, 2), float('nan')))",
    "torch.linalg.solve(torch.stack([torch.eye(2), torch.ones(2, 2)]), torch.ones(2))",
]


@pytest.mark.parametrize("case", CASES)
def test_signs_and_phases_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_matrices_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


@pytest.mark.parametrize("shape", [(2, 5), (3, 2, 7), (4, 9), (5, 5), (1, 3), (6, 4)])
@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("kind", [np.float32, np.float64, np.complex64])
def test_svd_of_any_shape_multiplies_to_its_matrix(shape, full, kind):
    x = np.random.default_rng(0).standard_normal(shape).astype(kind)
    u, s, vh = lapack.svd(x, full)
    k = s.shape[-1]
    y = u[..., :k] * s[..., None, :] @ vh[..., :k, :]
    assert u.dtype == kind
    np.testing.assert_allclose(y, x, atol=1e-5)
    one = vh @ vh.conj().swapaxes(-2, -1)
    np.testing.assert_allclose(
        one, np.broadcast_to(np.eye(one.shape[-1]), one.shape), atol=1e-5
    )


def test_svd_of_a_wide_singular_matrix_keeps_orthogonal_vectors():
    x = np.outer([1.0, 2.0, 3.0], np.arange(9.0))
    u, _s, vh = lapack.svd(x, False)
    np.testing.assert_allclose(u.T @ u, np.eye(3), atol=1e-12)
    np.testing.assert_allclose(vh @ vh.T, np.eye(3), atol=1e-12)


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.complex128])
def test_eig_of_any_kind_solves_its_equation(kind):
    x = np.random.default_rng(1).standard_normal((2, 5, 5)).astype(kind)
    w, v = lapack.eig(x)
    np.testing.assert_allclose(x @ v, v * w[..., None, :], atol=1e-5)


def test_singular_matrix_error_names_the_first_zero():
    *_, info = lapack.lu_factors(np.ones((3, 3)))
    assert info == 2
    y, info = lapack.solve(np.ones((2, 2)), np.eye(2))
    assert info == 2
    assert not np.isfinite(y).any()


def test_cholesky_when_a_row_has_nan_leaves_what_follows_as_it_was():
    a = np.array([[4.0, 2, 2], [2, np.nan, 1], [2, 1, 5]])
    y, order = lapack.cholesky(a)
    np.testing.assert_array_equal(y, [[2, 0, 0], [1, np.nan, 0], [1, 1, 5]])
    assert order == 2


def test_cholesky_when_an_earlier_minor_is_negative_tells_that_one():
    a = np.array([[4.0, 2, 2], [2, -3, 1], [2, np.nan, 5]])
    y, order = lapack.cholesky(a)
    np.testing.assert_array_equal(y[:2], [[2, 0, 0], [1, -4, 0]])
    assert order == 2


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(3, 2), (9, 4), (2, 5)])
def test_full_rank_squares_when_columns_are_equal_but_for_rounding_tells_the_first_zero(
    shape, dtype
):
    row = np.random.default_rng(0).standard_normal(shape[0])
    a = np.outer(row, np.ones(shape[1]) / 3).astype(dtype)
    _, zero = lapack.full_rank_least_squares(a, np.ones((shape[0], 1), dtype))
    assert zero == 2


def test_full_rank_squares_when_columns_nearly_agree_solves():
    a = np.array([[1.0, 1], [1, 1 + 1e-12], [1, 1]])
    y, zero = lapack.full_rank_least_squares(a, np.array([[2.0], [2], [2]]))
    assert zero == 0
    np.testing.assert_allclose(y.sum(), 2, rtol=1e-3)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64])
def test_singular_vectors_of_what_is_not_finite_are_not_looked_for(dtype):
    for wrong in (np.inf, -np.inf, np.nan):
        for part in (np.s_[0, 0], np.s_[:, 1], ...):
            x = np.ones((5, 3), dtype)
            x[part] = wrong
            with pytest.raises(np.linalg.LinAlgError):
                lapack.svd(x, True)
