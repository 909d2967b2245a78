"""A few extreme eigenvalues, by iteration."""

import numpy as np
import pytest

import edutorch as torch
from edutorch.autograd import gradcheck, gradgradcheck


@pytest.fixture
def matrix():
    x = np.random.default_rng(0).standard_normal((12, 12))
    return torch.from_numpy(x @ x.T + np.eye(12))


@pytest.mark.parametrize("largest", [True, False])
@pytest.mark.parametrize("method", ["ortho", "basic"])
def test_lobpcg_finds_the_extreme_eigenvalues(matrix, largest, method):
    torch.manual_seed(0)
    w, v = torch.lobpcg(matrix, 3, largest=largest, method=method)
    every = torch.linalg.eigvalsh(matrix)
    wanted = every.flip(0)[:3] if largest else every[:3]
    assert torch.allclose(w, wanted, rtol=1e-6)
    assert torch.allclose(matrix @ v, v * w, atol=1e-4)
    assert torch.allclose(v.T @ v, torch.eye(3).double(), atol=1e-8)


def test_lobpcg_of_two_matrices_solves_their_equation(matrix):
    torch.manual_seed(0)
    B = torch.diag(torch.arange(1.0, 13.0).double())
    w, v = torch.lobpcg(matrix, 2, B, n=4, tol=1e-10)
    assert torch.allclose(matrix @ v, B @ v * w, atol=1e-6)
    assert torch.allclose(v.T @ B @ v, torch.eye(2).double(), atol=1e-8)


def test_lobpcg_of_a_batch_and_single_precision_keep_shape_and_dtype(matrix):
    torch.manual_seed(0)
    w, v = torch.lobpcg(matrix.float().expand(2, 12, 12), 2)
    assert w.shape == (2, 2)
    assert v.shape == (2, 12, 2)
    assert w.dtype is torch.float32


def test_lobpcg_begins_with_given_vectors_and_shows_its_steps(matrix):
    steps = []
    X = torch.linalg.eigh(matrix)[1][:, -2:].flip(1)
    torch.lobpcg(matrix, X=X, tracker=lambda state: steps.append(state.E[0]))
    assert len(steps) == 1  # converged before the first step


def test_lobpcg_stops_when_the_tracker_says_so(matrix):
    def stop(state):
        state.bvars["force_stop"] = state.ivars["istep"] == 2

    torch.manual_seed(0)
    torch.lobpcg(matrix, 2, tracker=stop, tol=1e-15, niter=-1)


def test_lobpcg_has_first_and_second_derivatives(matrix):
    def eigenvalues(x):
        torch.manual_seed(0)
        w, v = torch.lobpcg(x, 2)
        return w, abs(v)

    x = matrix[:6, :6].clone().requires_grad_()
    assert gradcheck(eigenvalues, [x])
    assert gradgradcheck(eigenvalues, [x])


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda x: torch.lobpcg(x, 5), ValueError),
        (lambda x: torch.lobpcg(x[:2], 1), AssertionError),
    ],
)
def test_lobpcg_refuses_what_it_cannot_do(matrix, call, error):
    with pytest.raises(error, match=r"LOBPCG|square|lobpcg"):
        call(matrix)


@pytest.mark.parametrize("layout", [torch.sparse_coo, torch.sparse_csr])
def test_lobpcg_of_sparse_matrices_is_that_of_dense_ones(matrix, layout):
    torch.manual_seed(0)
    w, v = torch.lobpcg(matrix.to_sparse(layout=layout), 2)
    assert torch.allclose(w, torch.linalg.eigvalsh(matrix).flip(0)[:2])
    assert torch.allclose(matrix @ v, v * w, atol=1e-4)


def test_lobpcg_of_two_matrices_has_derivatives(matrix):
    def eigenvalues(x):
        torch.manual_seed(0)
        B = torch.diag(torch.arange(1.0, 13.0).double())
        return torch.lobpcg(x @ x.T, 2, B, tol=1e-12)[0]

    assert gradcheck(eigenvalues, (matrix.requires_grad_(),))


def test_lobpcg_passes_its_state_to_the_tracker(matrix):
    seen = []
    torch.lobpcg(matrix, 2, n=3, tracker=seen.append, tol=0.1)
    state = seen[0]
    assert state.iparams == {"m": 12, "n": 3, "k": 2, "niter": 1000}
    assert (state.fparams, state.bparams) == ({"tol": 0.1}, {"largest": True})
    assert state.fvars["A_norm"] == pytest.approx(float(matrix.norm()))
