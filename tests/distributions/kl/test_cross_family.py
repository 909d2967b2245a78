"""Divergences of distributions of different types."""

from __future__ import annotations

from tests.programs import Programs, attempt

programs = Programs(__file__)


def singles(torch):
    """Distributions of numbers, three of each type."""
    d, t = torch.distributions, torch.tensor
    x, y = t([0.5, 0.9, 3.0]), t([0.6, 1.2, 2.5])
    return {
        "Bernoulli": d.Bernoulli(x / 4),
        "Beta": d.Beta(x, y),
        "Binomial": d.Binomial(3, x / 4),
        "ContinuousBernoulli": d.ContinuousBernoulli(x / 6),
        "Exponential": d.Exponential(x),
        "Gamma": d.Gamma(x, y),
        "Gumbel": d.Gumbel(x, y),
        "Laplace": d.Laplace(x, y),
        "Normal": d.Normal(x, y),
        "Pareto": d.Pareto(x, y),
        "Poisson": d.Poisson(x),
        "Uniform": d.Uniform(t([0.1, -0.5, 0.2]), t([0.9, 0.8, 4.0])),
        "wide Uniform": d.Uniform(-0.5, 2.0),
        "HalfNormal": d.HalfNormal(x),
        "Chi2": d.Chi2(x),
    }


@programs.add
def divergences(torch):
    kl, found = torch.distributions.kl_divergence, singles(torch)
    return {
        f"{p}, {q}": attempt(lambda p=p, q=q: kl(found[p], found[q]))
        for p in found
        for q in found
        if p != q and {p, q} != {"Uniform", "wide Uniform"}
    }


test_crossed = programs.test()
