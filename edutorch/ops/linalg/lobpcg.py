"""A few extreme eigenvalues of large symmetric matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...tensor.tensor import Tensor, wrap
from ..argument_checks import need_tensors
from ..registration import composite
from ..sampling import randn
from ..shape.flip_roll import flip
from ..shape.joining import stack
from ..sparse.validation import is_sparse_array
from .cholesky_qr import linalg_cholesky
from .eigen import eigh
from .triangular_solve import solve_triangular

__all__ = ["lobpcg"]


class Lobpcg:
    """The state of the iteration, which callbacks can read.

    Each step looks for the best combinations of three blocks of vectors: the present
    ones X, the residuals W (preconditioned), and the directions P of the last step.
    """

    def __init__(self, A: Any, B: Any, iK: Any, X: Any, params: dict[str, Any]) -> None:
        self.A, self.B, self.iK = A, B, iK
        self.iparams = {"m": A.shape[0], **{p: params[p] for p in ("n", "k", "niter")}}
        self.fparams = {"tol": params["tol"]}
        self.bparams = {"largest": params["largest"]}
        self.ivars: dict[str, int] = {"istep": 0, "converged_count": 0}
        self.bvars = {"force_stop": False}
        self.fvars = {
            "A_norm": _frobenius_norm(A),
            "B_norm": 1.0 if B is None else _frobenius_norm(B),
        }
        self.tvars: dict[str, Any] = {}
        self.directions = X[:, :0]
        self.combine(X, X.shape[1])

    def combine(self, S: Any, old: int) -> None:
        """The best eigenvectors in the span of S, by the Rayleigh-Ritz method."""
        S = _orthonormal_basis(S, self.B)
        w, c = np.linalg.eigh(S.T @ (self.A @ S))
        n = self.iparams["n"]
        chosen = np.arange(len(w))[::-1][:n] if self.bparams["largest"] else slice(n)
        w, c = w[chosen], c[:, chosen]
        self.S, self.E, self.X = S, w, S @ c
        self.directions = S[:, old:] @ c[old:]
        BX = self.X if self.B is None else self.B @ self.X
        self.R = self.A @ self.X - BX * w
        size = self.fvars["A_norm"] + np.abs(w) * np.linalg.norm(BX)
        error = np.linalg.norm(self.R, axis=0) / (size * np.linalg.norm(self.X, axis=0))
        self.tvars["rerr"] = error
        self.ivars["converged_count"] = int((error < self.fparams["tol"]).sum())

    def run(self, tracker: Any) -> None:
        """Iterate until all eigenpairs have converged, or for `niter` steps."""
        while not self.bvars["force_stop"]:
            self.ivars["istep"] += 1
            if tracker is not None:
                tracker(self)
            done = self.ivars["converged_count"] >= self.iparams["k"]
            if done or self.ivars["istep"] == self.iparams["niter"]:
                return
            W = self.R if self.iK is None else self.iK @ self.R
            blocks = np.concatenate([self.X, W, self.directions], 1)
            self.combine(blocks[:, : len(self.A)], self.X.shape[1])


def _frobenius_norm(A: Any) -> float:
    """The Frobenius norm of a dense or sparse matrix."""
    return float(np.linalg.norm(A.unique().values if is_sparse_array(A) else A))


def _orthonormal_basis(S: Any, B: Any) -> Any:
    """A basis of the column span that is orthonormal in the product defined by B."""
    size = np.linalg.norm(S, axis=0)
    S = S[:, size > 0] / size[size > 0]
    for _ in range(2):  # twice, because of rounding
        gram = S.T @ (S if B is None else B @ S)
        w, v = np.linalg.eigh(gram)
        significant = w > w[-1] * np.finfo(S.dtype).eps * len(w)
        if significant.all():
            low = np.linalg.cholesky(gram)  # keeps the order of the columns
            S = np.linalg.solve(low, S.T).T
        else:
            S = S @ (v[:, significant] / np.sqrt(w[significant]))[:, ::-1]
    return S


@composite
def lobpcg(
    A: Tensor,
    k: int | None = None,
    B: Tensor | None = None,
    X: Tensor | None = None,
    n: int | None = None,
    iK: Tensor | None = None,
    niter: int | None = None,
    tol: float | None = None,
    largest: bool | None = None,
    method: str | None = None,
    tracker: Any = None,
    ortho_iparams: dict[str, int] | None = None,
    ortho_fparams: dict[str, float] | None = None,
    ortho_bparams: dict[str, bool] | None = None,
) -> tuple[Tensor, Tensor]:
    """The `k` largest (or smallest) eigenvalues and eigenvectors, by iteration.

    Math: A x = λ B x. Each step takes the best combinations of the vectors, their
          residuals and the last directions
          ∂L/∂A: as of `torch.linalg.eigh`; for it all eigenvectors are computed, and
          the found ones taken from them
    Shape: (*, m, m) -> (*, k), (*, m, k)

    Args:
        A: symmetric; sparse or dense.
        B: symmetric and positive definite; 1 if not given.
        X: (m, n), where to begin; random if not given.
        n: the number of vectors to improve together; k if not given.
        iK: a preconditioner, about the inverse of A.
        niter: the maximal number of steps, 1000 if not given; unlimited if -1.
        tol: the tolerance of residuals; by default the root of the dtype's precision.
        largest: whether to compute the largest (the default) or the smallest.
        method: "ortho" or "basic"; both take the same steps here.
        tracker: called at each step with the state of the iteration.
        ortho_iparams, ortho_fparams, ortho_bparams: fine-tuning of PyTorch's
            orthogonalisation, which is not needed here.

    Raises:
        AssertionError: if A is not square.
        ValueError: for fewer than 3 k rows.

    Reference: Knyazev, 2001

    Example:
        >>> import edutorch as torch
        >>> _ = torch.manual_seed(0)
        >>> A = torch.diag(torch.arange(1.0, 10.0))
        >>> torch.lobpcg(A, k=2)[0]
        tensor([9.0000, 8.0000])
    """
    need_tensors("lobpcg", A=A)
    if A.shape[-2] != A.shape[-1]:
        raise AssertionError(f"A must be square, got shape {A.shape}")
    if k is None:
        k = 1 if X is None else X.shape[-1]
    m = A.shape[-1]
    if m < 3 * k:
        raise ValueError(
            f"LOBPCG algorithm is not applicable when the number of A rows (={m}) is "
            f"smaller than 3 x the number of requested eigenpairs (={k})"
        )
    n = (k if n is None else n) if X is None else X.shape[-1]
    params = {
        "k": k, "n": n, "niter": 1000 if niter is None else niter,
        "tol": np.finfo(A._data.dtype).eps ** 0.5 if tol is None or tol <= 0 else tol,
        "largest": largest is None or largest,
    }  # fmt: skip
    if A.ndim > 2:
        batch = A.shape[:-2]
        parts = [
            _lobpcg_of_one_matrix(
                a,
                _batch_entry(B, i),
                _batch_entry(X, i),
                _batch_entry(iK, i),
                params,
                tracker,
            )
            for i, a in enumerate(A.reshape(-1, m, m))
        ]
        w, v = (stack(list(y)) for y in zip(*parts, strict=True))
        return w.reshape(*batch, k), v.reshape(*batch, m, k)
    return _lobpcg_of_one_matrix(A, B, X, iK, params, tracker)


def _batch_entry(x: Any, i: int) -> Any:
    """Matrix i of a batch; a single matrix serves for all."""
    if x is None or x.ndim == 2:
        return x
    return x.reshape(-1, *x.shape[-2:])[i]


def _lobpcg_of_one_matrix(
    A: Tensor, B: Any, X: Any, iK: Any, params: dict[str, Any], tracker: Any
) -> tuple[Tensor, Tensor]:
    """The eigenpairs of one matrix."""
    k = params["k"]
    if X is None:
        X = randn(A.shape[-1], params["n"], dtype=A.dtype, device=A.device)
    a, b, preconditioner = (None if x is None else x._data for x in (A, B, iK))
    state = Lobpcg(a, b, preconditioner, X._data, params)
    state.run(tracker)
    if not A.requires_grad:
        return wrap(state.E[:k]), wrap(state.X[:, :k])
    w, v = _all_eigenpairs(A.to_dense(), B)
    if params["largest"]:
        w, v = flip(w, (0,)), flip(v, (1,))
    w, v = w[:k], v[:, :k]
    sign = np.sign((state.X[:, :k] * v._data).sum(0))  # as the iteration found them
    return w, v * wrap(sign)


def _all_eigenpairs(A: Tensor, B: Tensor | None) -> tuple[Tensor, Tensor]:
    """All eigenpairs, for gradients; with B = L Lᵀ, those of L⁻¹ A L⁻ᵀ."""
    A = (A + A.mT) / 2
    if B is None:
        w, v = eigh(A)
        return w, v
    low = linalg_cholesky(B.to_dense())
    half = solve_triangular(low, A, upper=False)
    w, u = eigh(solve_triangular(low, half.mT, upper=False))
    return w, solve_triangular(low.mT, u, upper=True)
