"""Constraints of pieces."""

from __future__ import annotations

from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def checked_pieces(torch):
    c = torch.distributions.constraints
    x = torch.tensor([[0.5, -0.5, 2.0], [1.0, 1.0, -1.0]])
    cat = c.cat([c.positive, c.boolean], dim=-1, lengths=[2, 1])
    first = c.cat([c.positive, c.real])
    stack = c.stack([c.positive, c.real, c.less_than(0.0)], dim=1)
    return [[k.check(x), k.is_discrete, k.event_dim] for k in (cat, first, stack)] + [
        c.stack([c.simplex, c.real_vector], dim=-1).event_dim,
        attempt(lambda: c.cat([1])),
        attempt(lambda: c.stack([1])),
        attempt(lambda: c.cat([c.real], lengths=[1, 2])),
        attempt(lambda: stack.check(x[0])),
    ]


test_pieces = programs.test()
