"""Distributions of transformed samples."""

from __future__ import annotations

from tests.distributions.queries import query_all
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def of_numbers(torch):
    d = torch.distributions
    steps = [d.ExpTransform(), d.AffineTransform(torch.tensor([1.0, 2.0]), -2.0)]
    return query_all(
        torch, lambda: d.TransformedDistribution(d.Normal(0.0, 1.0), steps)
    )


@programs.add
def of_vectors(torch):
    d = torch.distributions
    base = d.Normal(torch.zeros(2, 3), 1.0)
    steps = d.StickBreakingTransform()
    return query_all(torch, lambda: d.TransformedDistribution(base, steps))


@programs.add
def events_of_the_base_stay_events(torch):
    d = torch.distributions
    base = d.MultivariateNormal(torch.zeros(2), torch.eye(2))
    return [
        query_all(torch, lambda: d.TransformedDistribution(base, d.ExpTransform())),
        repr(d.TransformedDistribution(base, []).support),
        d.TransformedDistribution(base, [d.ReshapeTransform((2,), (2, 1))]).event_shape,
    ]


@programs.add
def refused(torch):
    d, base = torch.distributions, torch.distributions.Normal(0.0, 1.0)
    made = d.TransformedDistribution
    return [
        attempt(lambda: made(base, 1)),
        attempt(lambda: made(d.Normal(torch.zeros(3), 1.0), d.CatTransform(
            [d.ExpTransform(), d.CorrCholeskyTransform()], dim=-1, lengths=[1, 2]))),
        attempt(lambda: made(base, [1])),
        attempt(lambda: made(base, d.StickBreakingTransform())),
        attempt(lambda: made(d.Exponential(1.0), d.ExpTransform()).cdf(
            torch.tensor(-1.0)))[:2],
    ]  # fmt: skip


@programs.add
def cached_steps_give_exact_densities(torch):
    d = torch.distributions
    y = d.TransformedDistribution(d.Normal(0.0, 1.0), d.TanhTransform(cache_size=1))
    x = y.rsample((4,))
    return y.log_prob(x)


test_transformed_distribution = programs.test()
