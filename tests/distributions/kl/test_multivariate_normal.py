"""Divergences of normal vectors."""

from __future__ import annotations

from tests.programs import Programs, attempt

programs = Programs(__file__)


def vectors(torch, n):
    """Normal vectors of n entries, with full and with low-rank covariances."""
    d = torch.distributions
    one = torch.ones(n, dtype=torch.float64)
    root = one.diag() + 0.5 * one.expand(n, n).tril(-1)
    factor = torch.arange(2.0 * n).double().reshape(n, 2) / n
    return [
        d.MultivariateNormal(0 * one.expand(3, n), scale_tril=root),
        d.MultivariateNormal(one, scale_tril=2 * root),
        d.LowRankMultivariateNormal(0 * one.expand(3, n), factor, one),
        d.LowRankMultivariateNormal(one, 2 * factor, one / 3),
    ]


@programs.add
def divergences(torch):
    kl, found = torch.distributions.kl_divergence, vectors(torch, 2)
    return [kl(p, q) for p in found for q in found]


@programs.add
def other_sizes_are_refused(torch):
    kl = torch.distributions.kl_divergence
    few, many = vectors(torch, 2), vectors(torch, 3)
    return [attempt(lambda p=p, q=q: kl(p, q)) for p in few for q in many]


test_normals = programs.test()
