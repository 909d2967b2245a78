"""Divergences of normal vectors, with full and with low-rank covariances."""

from __future__ import annotations

from itertools import product
from typing import Any

from ...linalg import solve_triangular
from ...ops import diag_embed
from ...tensor.tensor import Tensor
from ..lowrank_multivariate_normal import LowRankMultivariateNormal
from ..multivariate_normal import MultivariateNormal, half_log_det, mahalanobis
from .registry import register_kl

__all__: list[str] = []


def _normal_vectors(p: Any, q: Any) -> Tensor:
    """½ (ln |Σq| - ln |Σp| + tr(Σq⁻¹ Σp) + dᵀ Σq⁻¹ d - n), d = μq - μp."""
    if p.event_shape != q.event_shape:
        raise ValueError(
            f"KL-divergence between two {_called(p, q)}Multivariate Normals with"
            f"{' ' * 26}different event shapes cannot be computed"
        )
    trace = sum(_squares(q, root) for root in _roots(p))
    volumes = _log_det(q) - _log_det(p)
    return 0.5 * (volumes + trace + _distance(q, q.loc - p.loc) - p.event_shape[0])


def _low_rank(p: Any) -> bool:
    return isinstance(p, LowRankMultivariateNormal)


def _called(p: Any, q: Any) -> str:
    return ("", "(Low Rank) ", "Low Rank ")[_low_rank(p) + _low_rank(q)]


def _log_det(p: Any) -> Tensor:
    found: Tensor = p._log_det() if _low_rank(p) else 2 * half_log_det(p._root)
    return found


def _distance(q: Any, x: Tensor) -> Tensor:
    found: Tensor = q._distance(x) if _low_rank(q) else mahalanobis(q._root, x)
    return found


def _roots(p: Any) -> list[Tensor]:
    """Matrices R with Σ R Rᵀ = Σp."""
    return [p._factor, diag_embed(p._diagonal.sqrt())] if _low_rank(p) else [p._root]


def _squares(q: Any, root: Tensor) -> Tensor:
    """tr(Rᵀ Σq⁻¹ R)."""
    if not _low_rank(q):
        return solve_triangular(q._root, root, upper=False).pow(2).sum((-2, -1))
    diagonal_term = root * q._diagonal.rsqrt().unsqueeze(-1)
    return diagonal_term.pow(2).sum((-2, -1)) - (q._common() @ root).pow(2).sum(
        (-2, -1)
    )


for _types in product((MultivariateNormal, LowRankMultivariateNormal), repeat=2):
    register_kl(*_types)(_normal_vectors)
