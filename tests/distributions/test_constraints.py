"""What values may be."""

from __future__ import annotations

from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def checked_values(torch):
    c = torch.distributions.constraints
    x = torch.tensor([-1.0, 0.0, 0.5, 1.0, 3.0, float("nan")])
    single = [
        c.boolean, c.nonnegative_integer, c.positive_integer, c.real, c.positive,
        c.nonnegative, c.unit_interval, c.integer_interval(0, 1), c.interval(0, 1),
        c.half_open_interval(0.0, 1.0), c.less_than(1), c.greater_than(0.5),
        c.greater_than_eq(0.5),
    ]  # fmt: skip
    return [[repr(k), k.is_discrete, k.event_dim, k.check(x)] for k in single]


@programs.add
def checked_events(torch):
    c = torch.distributions.constraints
    rows = torch.tensor([[0.5, 0.5], [1.0, 1.0], [0.0, 1.0], [-1.0, 2.0]])
    events = [c.simplex, c.one_hot, c.multinomial(1), c.real_vector]
    matrices = torch.tensor([[[1.0, 0.0], [2.0, 1.0]], [[2.0, 1.0], [1.0, 2.0]]])
    square = [c.lower_cholesky, c.positive_definite]
    return [
        [[repr(k), k.event_dim, k.check(rows)] for k in events],
        [[repr(k), k.event_dim, [k.check(m) for m in matrices]] for k in square],
    ]


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


test_constraints = programs.test()
