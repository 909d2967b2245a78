"""Transforms of vectors and matrices."""

from __future__ import annotations

from tests.programs import Programs, attempt

programs = Programs(__file__)


def round_trip(torch, t, x):
    """What a transform makes of x, on the way back, and what shapes become of it."""
    x = x.clone().requires_grad_()
    y = t(x)
    slope = torch.autograd.grad((y * y).sum(), x)
    return [
        repr(t), repr(t.domain), repr(t.codomain), t.bijective, y, t.inv(y), slope,
        attempt(lambda: t.log_abs_det_jacobian(x, y)), t.codomain.check(y).all(),
        t.forward_shape(x.shape), t.inverse_shape(y.shape),
        attempt(lambda: t.forward_shape(())), attempt(lambda: t.inverse_shape(())),
        t == type(t)() if "Reshape" not in repr(t) else None,
    ]  # fmt: skip


@programs.add
def of_vectors(torch):
    d, x = torch.distributions, torch.tensor([[0.5, -1.0, 2.0], [0.1, 0.2, 9.0]])
    kinds = [d.SoftmaxTransform, d.StickBreakingTransform, d.CorrCholeskyTransform]
    return [round_trip(torch, kind(), x.double()) for kind in kinds]


@programs.add
def of_matrices(torch):
    d = torch.distributions
    x = torch.tensor([[[0.5, -1.0], [0.1, 0.2]], [[1.0, 2.0], [3.0, -4.0]]])
    kinds = [d.LowerCholeskyTransform, d.PositiveDefiniteTransform]
    return [round_trip(torch, kind(), x.double()) for kind in kinds]


@programs.add
def of_shapes(torch):
    d, x = torch.distributions, torch.arange(12.0).reshape(2, 6)
    t = d.ReshapeTransform((6,), (3, 2))
    return [
        round_trip(torch, t, x), t.with_cache()(x),
        attempt(lambda: d.ReshapeTransform((2,), (3,))),
        attempt(lambda: t.forward_shape(torch.Size((5,)))),
        attempt(lambda: d.CorrCholeskyTransform().forward_shape((4,))),
        attempt(lambda: d.CorrCholeskyTransform().inverse_shape((4, 3))),
    ]  # fmt: skip


test_shapes = programs.test()
