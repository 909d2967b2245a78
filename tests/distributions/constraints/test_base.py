"""Constraints made of another, or of parameters."""

from __future__ import annotations

from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def dependent_constraints_cannot_be_checked(torch):
    c = torch.distributions.constraints
    return [
        c.is_dependent(c.dependent),
        c.is_dependent(c.dependent(is_discrete=True, event_dim=1)),
        c.is_dependent(c.real),
        attempt(lambda: c.dependent.check(torch.zeros(1))),
        attempt(lambda: c.real_vector.check(torch.tensor(1.0))),
    ]


@programs.add
def facts_of_dependent_ones_are_known_or_refused(torch):
    c = torch.distributions.constraints

    class Widths:
        @c.dependent_property(is_discrete=False, event_dim=1)
        def check_twice(self):
            return c.positive

        @c.dependent_property
        def untold(self):
            return c.positive

    return [
        [
            Widths.check_twice.is_discrete,
            Widths.check_twice.event_dim,
            repr(Widths().untold),
        ],
        attempt(lambda: Widths.untold.event_dim),
        attempt(lambda: c.dependent.is_discrete),
        c.dependent(event_dim=2).event_dim,
    ]


@programs.add
def made_of_another(torch):
    c = torch.distributions.constraints
    each = c.independent(c.positive, 1)
    mixed = c.MixtureSameFamilyConstraint(c.simplex)
    x = torch.tensor([[0.5, 0.5], [1.0, -1.0]])
    return [
        [repr(k), k.event_dim, k.is_discrete, k.check(x)] for k in (each, mixed)
    ] + [
        attempt(lambda: c.independent(1, 1)),
        attempt(lambda: c.independent(c.real, -1)),
        attempt(lambda: c.independent(c.real, 1.0)),
        attempt(lambda: c.MixtureSameFamilyConstraint(1)),
    ]


test_base = programs.test()
