"""Transforms made of others."""

from __future__ import annotations

from tests.programs import Programs, attempt

programs = Programs(__file__)


def round_trip(t, x):
    """What a transform makes of x, and on the way back."""
    y = t(x)
    return [
        repr(t.domain), repr(t.codomain), t.domain.event_dim, t.codomain.event_dim,
        t.bijective, y, t.inv(y), t.log_abs_det_jacobian(x, y),
        t.with_cache()(x), t.with_cache(0) is t,
    ]  # fmt: skip


@programs.add
def composed(torch):
    d, x = torch.distributions, torch.tensor([[0.5, -1.0], [0.1, 0.2]])
    exp, stick = d.ExpTransform(), d.StickBreakingTransform()
    both = d.ComposeTransform([exp, stick])
    rows = d.ComposeTransform([d.AffineTransform(0.0, 2.0, event_dim=2), exp])
    falling = d.ComposeTransform([exp, d.AffineTransform(1.0, -2.0)])
    return [round_trip(t, x) for t in (both, rows, falling, d.identity_transform)] + [
        repr(both), repr(both.inv), both.inv.inv is both, falling.sign,
        both.forward_shape((4, 2)), both.inverse_shape((4, 3)),
        both == d.ComposeTransform([exp, stick]), both == exp,
        repr(d.ComposeTransform([])),
    ]  # fmt: skip


@programs.add
def independent(torch):
    d, x = torch.distributions, torch.tensor([[0.5, -1.0], [0.1, 0.2]])
    t = d.IndependentTransform(d.ExpTransform(), 1)
    return [
        round_trip(t, x), repr(t), t.sign, t.forward_shape((3,)), t.inverse_shape((3,)),
        attempt(lambda: t(torch.tensor(1.0))), attempt(lambda: t.inv(torch.tensor(1.0))),
    ]  # fmt: skip


@programs.add
def side_by_side(torch):
    d, x = torch.distributions, torch.tensor([[0.5, -1.0, 0.3], [0.1, 0.2, 2.0]])
    exp, affine = d.ExpTransform(), d.AffineTransform(1.0, 2.0)
    t = d.CatTransform([exp, affine], dim=-1, lengths=[1, 2])
    first = d.CatTransform([exp, affine])
    wide = d.IndependentTransform(affine, 1)
    events = d.CatTransform([exp, wide], dim=-1, lengths=[1, 2])
    return [
        round_trip(t, x)[2:], round_trip(first, x)[2:], round_trip(events, x)[2:], t.length, t.event_dim,
        t.domain.check(x), repr(t), attempt(lambda: t(x.T)),
        attempt(lambda: t.inv(x.T)), attempt(lambda: t(torch.tensor(1.0))),
        attempt(lambda: t.log_abs_det_jacobian(x, x.T)),
        attempt(lambda: d.CatTransform([1])),
        attempt(lambda: d.CatTransform([exp], lengths=[1, 2])),
    ]  # fmt: skip


@programs.add
def stacked(torch):
    d, x = torch.distributions, torch.tensor([[0.5, -1.0], [0.1, 0.2]])
    t = d.StackTransform([d.ExpTransform(), d.identity_transform], dim=1)
    return [
        round_trip(t, x)[2:], t.codomain.check(t(x)), repr(t), attempt(lambda: t(x[:, :1])),
        attempt(lambda: t.inv(x[:, :1])), attempt(lambda: t(torch.zeros(2))),
        attempt(lambda: d.StackTransform([1])),
    ]  # fmt: skip


test_made_of_others = programs.test()
