"""The half-normal distribution."""

from __future__ import annotations

from tests.distributions.ask import asked, slopes
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def parameters(torch):
    d = torch.distributions
    return asked(torch, lambda: d.HalfNormal(torch.tensor([0.5, 5.0])))


@programs.add
def more_parameters(torch):
    d = torch.distributions
    return asked(torch, lambda: d.HalfNormal(1.0))


@programs.add
def derivatives(torch):
    d = torch.distributions
    return slopes(torch, d.HalfNormal, [0.5, 5.0])


@programs.add
def refused(torch):
    d = torch.distributions
    return [
        attempt(lambda: d.HalfNormal(-1.0)),
    ]


test_half_normal = programs.test()
