"""Transforms of single numbers."""

from __future__ import annotations

from tests.programs import Programs

programs = Programs(__file__)


def round_trip(torch, t, x):
    """What a transform makes of x, and on the way back."""
    x = x.clone().requires_grad_()
    y = t(x)
    stretch = t.log_abs_det_jacobian(x, y)
    gradients = torch.autograd.grad((stretch * y).sum(), x, allow_unused=True)
    return [
        repr(t), repr(t.domain), repr(t.codomain), t.bijective, t.sign, y, t.inv(y),
        stretch, gradients, t.forward_shape((3, 1)), t.inverse_shape((3, 1)),
        t.with_cache()(x), t == t.with_cache(),
    ]  # fmt: skip


@programs.add
def rising(torch):
    d = torch.distributions
    x = torch.tensor([-700.0, -2.0, 0.0, 0.3, 5.0, 40.0], dtype=torch.float64)
    kinds = [d.ExpTransform, d.SigmoidTransform, d.SoftplusTransform, d.TanhTransform]
    return [round_trip(torch, kind(), x) for kind in kinds]


@programs.add
def with_parameters(torch):
    d, x = torch.distributions, torch.tensor([[0.5, 2.0]], dtype=torch.float64)
    two = torch.tensor([2.0, -0.5], dtype=torch.float64)
    return [
        round_trip(torch, t, x)
        for t in (
            d.PowerTransform(2.0), d.PowerTransform(two), d.AffineTransform(1, -2),
            d.AffineTransform(two, two), d.AffineTransform(two, two, event_dim=1),
        )
    ]  # fmt: skip


@programs.add
def equal_parameters(torch):
    d, two = torch.distributions, torch.tensor([2.0, 2.0])
    affine, power = d.AffineTransform, d.PowerTransform
    return [
        affine(1, 2) == affine(1, 2), affine(1, 2) == affine(1, 3),
        affine(1, two) == affine(1, 2), affine(two, 1) == affine(1, 1),
        power(two) == power(2.0), power(two) == power(3.0), power(two) == affine(1, 2),
    ]  # fmt: skip


@programs.add
def absolute_value(torch):
    t, x = torch.distributions.AbsTransform(), torch.tensor([-2.0, 3.0])
    return [repr(t), t(x), t.inv(t(x)), t.bijective, repr(t.codomain)]


@programs.add
def cumulative_distribution(torch):
    d = torch.distributions
    t = d.CumulativeDistributionTransform(d.Laplace(0.5, 2.0))
    x = torch.tensor([-2.0, 0.4, 3.0])
    return [
        repr(t), repr(t.domain), repr(t.codomain), t.sign, t(x), t.inv(t(x)),
        t.log_abs_det_jacobian(x, t(x)), t.with_cache()(x),
    ]  # fmt: skip


test_elementwise = programs.test()
