"""What absolute values of symmetric distributions share."""

from __future__ import annotations

from tests.programs import Programs

programs = Programs(__file__)


@programs.add
def twice_the_density_and_nothing_below(torch):
    d, x = torch.distributions, torch.tensor([-1.0, 0.0, 2.0])
    made = [
        d.HalfNormal(2.0, validate_args=False),
        d.HalfCauchy(2.0, validate_args=False),
    ]
    return [[h.log_prob(x), h.cdf(x), h.icdf(h.cdf(x)), h.entropy()] for h in made]


test_halves = programs.test()
