"""The Kullback-Leibler divergence."""

from __future__ import annotations

import pytest

import edutorch
from edutorch.distributions import Normal, Poisson, kl_divergence, register_kl
from tests.programs import Programs, attempt

programs = Programs(__file__)


def pairs(torch):
    """Two distributions of every type with a formula."""
    d, t = torch.distributions, torch.tensor
    p, q = t([[0.2, 0.8], [0.0, 1.0]]), t([[0.5, 0.5], [1.0, 0.0]])
    root, wide = t([[1.0, 0.0], [0.5, 2.0]]), t([[2.0, 0.0], [0.1, 1.0]])
    return [
        [d.Bernoulli(p), d.Bernoulli(q)],
        [d.Binomial(3, p), d.Binomial(3, q)],
        [d.Binomial(4, p), d.Binomial(3, q)],
        [d.Categorical(p), d.Categorical(q)],
        [d.OneHotCategorical(p), d.OneHotCategorical(q)],
        [d.Exponential(1.0), d.Exponential(t([0.5, 2.0]))],
        [d.Geometric(t([0.2, 0.8])), d.Geometric(0.5)],
        [d.Laplace(0.0, 1.0), d.Laplace(t([1.0, -2.0]), 2.0)],
        [d.Normal(0.0, 1.0), d.Normal(t([1.0, -2.0]), 2.0)],
        [d.Poisson(2.0), d.Poisson(t([1.0, 3.0]))],
        [d.Uniform(0.0, 1.0), d.Uniform(t([-1.0, 0.5]), 2.0)],
        [
            d.MultivariateNormal(torch.zeros(3, 2), scale_tril=root),
            d.MultivariateNormal(torch.ones(2), scale_tril=wide),
        ],
        [
            d.Independent(d.Normal(torch.zeros(2, 3), 1.0), 1),
            d.Independent(d.Normal(torch.ones(2, 3), 2.0), 1),
        ],
    ]


@programs.add
def divergences(torch):
    kl = torch.distributions.kl_divergence
    return [attempt(lambda p=p, q=q: kl(p, q)) for p, q in pairs(torch)]


@programs.add
def more_trials_are_refused(torch):
    d = torch.distributions
    p = torch.tensor(0.5)
    found = attempt(lambda: d.kl_divergence(d.Binomial(1, p), d.Binomial(2, p)))
    return found[:2]


test_kl = programs.test()


def test_divergence_without_a_formula_is_refused():
    with pytest.raises(NotImplementedError, match=r"No KL\(p \|\| q\) is implemented"):
        kl_divergence(Normal(0.0, 1.0), Poisson(1.0))


def test_nearest_formula_is_taken(monkeypatch):
    monkeypatch.setattr(edutorch.distributions.kl, "_formulas", {})

    class Mine(Normal):
        pass

    register_kl(Normal, Normal)(lambda p, q: "base")
    register_kl(Mine, Normal)(lambda p, q: "mine")
    assert kl_divergence(Mine(0.0, 1.0), Mine(0.0, 1.0)) == "mine"
    assert kl_divergence(Normal(0.0, 1.0), Mine(0.0, 1.0)) == "base"


def test_formula_for_what_is_no_distribution_is_refused():
    with pytest.raises(TypeError, match="Expected type_q to be a Distribution"):
        register_kl(Normal, int)
