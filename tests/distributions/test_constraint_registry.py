"""From constraints to transforms."""

from __future__ import annotations

from tests.programs import Programs, attempt

programs = Programs(__file__)


def everything(torch):
    c = torch.distributions.constraints
    return [
        c.real, c.positive, c.nonnegative, c.greater_than(2.0), c.greater_than_eq(1.0),
        c.less_than(0.5), c.unit_interval, c.interval(-1.0, 2.0),
        c.half_open_interval(torch.tensor([0.0]), 3.0), c.real_vector, c.simplex,
        c.independent(c.positive, 1), c.corr_cholesky, c.stack([c.real, c.positive], 1),
        c.cat([c.real, c.positive], -1, [1, 2]), c.lower_cholesky, c.positive_definite,
        c.positive_semidefinite, c.boolean, c.dependent, c.interval(0, 1),
    ]  # fmt: skip


@programs.add
def transforms_of_constraints(torch):
    d, found = torch.distributions, []
    for constraint in everything(torch):
        for registry in (d.biject_to, d.transform_to):
            transform = attempt(lambda c=constraint, r=registry: r(c))
            found.append(repr(transform))
            inputs = torch.ones(2, 2), torch.ones(2, 3)
            found += [attempt(lambda t=transform, x=x: t(x))[:3] for x in inputs]
    return [f if isinstance(f, str) or "raised" not in f else f[:1] for f in found]


@programs.add
def registering(torch):
    d = torch.distributions
    registry = d.constraint_registry.ConstraintRegistry()

    @registry.register(d.constraints.boolean)
    def made(constraint):
        return d.identity_transform

    registry.register(type(d.constraints.one_hot), made)
    return [
        registry(d.constraints.boolean) is d.identity_transform,
        registry(d.constraints.one_hot) is d.identity_transform,
        attempt(lambda: registry(d.constraints.real)),
        attempt(lambda: registry.register(int, made)),
        attempt(lambda: registry.register(1, made)),
    ]


test_constraint_registry = programs.test()
