"""Sets of numbers and of vectors."""

from __future__ import annotations

from tests.programs import Programs

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
    return [[repr(k), k.event_dim, k.check(rows)] for k in events]


test_values = programs.test()
