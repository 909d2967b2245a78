"""Divergences of two distributions of one type."""

from __future__ import annotations

from tests.programs import Programs, attempt

programs = Programs(__file__)


def pairs(torch):
    """Two distributions of every type with a formula."""
    d, t = torch.distributions, torch.tensor
    p, q = t([[0.2, 0.8], [0.0, 1.0]]), t([[0.5, 0.5], [1.0, 0.0]])
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
        [d.Beta(t([0.5, 2.0]), 1.0), d.Beta(2.0, t([3.0, 0.1]))],
        [d.Cauchy(0.0, 1.0), d.Cauchy(t([1.0, 0.0]), t([2.0, 1.0]))],
        [d.ContinuousBernoulli(t([0.2, 0.5])), d.ContinuousBernoulli(t([0.3, 0.9]))],
        [d.Dirichlet(t([[0.5, 2.0]])), d.Dirichlet(t([[2.0, 3.0], [0.1, 9.0]]))],
        [d.Gamma(t([0.5, 2.0]), 1.0), d.Gamma(2.0, t([3.0, 0.1]))],
        [d.Chi2(t([0.5, 2.0])), d.Chi2(2.0)],
        [d.Gumbel(t([0.5, 2.0]), 1.0), d.Gumbel(2.0, t([3.0, 0.5]))],
        [d.HalfNormal(t([0.5, 2.0])), d.HalfNormal(1.0)],
        [d.LogNormal(t([0.5, 2.0]), 1.0), d.LogNormal(2.0, t([3.0, 0.5]))],
        [d.Pareto(t([0.5, 2.0]), 1.0), d.Pareto(1.0, t([3.0, 0.5]))],
        [d.Wishart(3.0, torch.eye(2)), d.Wishart(t([4.0, 5.0]), 2 * torch.eye(2))],
        [d.HalfCauchy(1.0), d.HalfCauchy(2.0)],
        [d.LogNormal(0.0, 1.0), d.HalfNormal(2.0)],
        [d.Weibull(1.0, 1.0), d.LogNormal(0.0, 1.0)],
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


test_same = programs.test()
