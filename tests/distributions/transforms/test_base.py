"""What all transforms have."""

from __future__ import annotations

import pickle

import edutorch
from edutorch.distributions import AffineTransform, ExpTransform
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def inverses(torch):
    d = torch.distributions
    t = d.AffineTransform(1.0, torch.tensor([2.0, -4.0]))
    x, inverse = torch.tensor([3.0, 5.0]), t.inv
    return [
        repr(inverse), inverse(x), inverse.log_abs_det_jacobian(x, inverse(x)),
        inverse.sign, inverse.bijective, repr(inverse.domain), inverse.inv is t,
        inverse == d.AffineTransform(1.0, torch.tensor([2.0, -4.0])).inv, inverse == t,
        inverse != t.inv, inverse.forward_shape((3, 1)), inverse.inverse_shape((3, 1)),
        inverse.with_cache() is inverse, inverse.event_dim,
    ]  # fmt: skip


@programs.add
def equality(torch):
    d = torch.distributions
    return [
        d.ExpTransform() == d.ExpTransform(), d.ExpTransform() != d.ExpTransform(),
        d.ExpTransform() == d.TanhTransform(), d.TanhTransform() == 1,
        d.CorrCholeskyTransform() == d.CorrCholeskyTransform(),
        attempt(lambda: hash(d.ExpTransform())),
    ]  # fmt: skip


@programs.add
def refused(torch):
    d = torch.distributions

    class Mine(d.Transform):
        domain = codomain = d.constraints.real

        def __init__(self):
            super().__init__()

    x = torch.zeros(2)
    return [
        attempt(lambda: d.ExpTransform(cache_size=2)),
        attempt(lambda: Mine()(x)),
        attempt(lambda: Mine().inv(x)),
        attempt(lambda: Mine().log_abs_det_jacobian(x, x)),
        attempt(lambda: Mine().sign),
        attempt(lambda: Mine().with_cache())[:2],
        attempt(lambda: d.StickBreakingTransform().event_dim),
        attempt(lambda: d.CorrCholeskyTransform().event_dim),
    ]


test_base = programs.test()


def test_cache_gives_back_the_same_tensors():
    t, x = ExpTransform(cache_size=1), edutorch.rand(3)
    y = t(x)
    assert t(x) is y
    assert t.inv(y) is x
    assert t.inv(y + 0) is not x
    assert t.with_cache(1) is t
    assert t.with_cache(0)(x) is not t.with_cache(0)(x)


def test_pickled_transform_finds_its_inverse():
    t = AffineTransform(1.0, 2.0)
    assert t.inv.inv is t
    again = pickle.loads(pickle.dumps(t))
    assert again == t
    assert again.inv(edutorch.tensor(5.0)).item() == 2
