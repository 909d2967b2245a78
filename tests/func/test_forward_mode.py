"""jvp and linearize against PyTorch."""

from __future__ import annotations

import pytest

import edutorch
from tests.programs import Programs, attempt

programs = Programs(__file__)


def vector(torch, n=3):
    return torch.linspace(0.5, 1.5, n, dtype=torch.float64)


@programs.add
def jacobians_times_columns(torch):
    x, t = vector(torch), vector(torch).flip(0)
    f = lambda x, y: (x.sin() * y, (x @ y).exp())
    return torch.func.jvp(f, (x, x * 2), (t, t * 3))


@programs.add
def gradients_of_changes_in_place_in_a_dual_level(torch):
    x, dual = vector(torch), torch.autograd.forward_ad
    f = lambda x: (x.clone().mul_(2).sin_() * x).sum()
    with dual.dual_level():
        moved = dual.make_dual(x, x.cos())
        return list(dual.unpack_dual(torch.func.grad(f)(moved)))


@programs.add
def shapes_that_do_not_join_are_told_with_the_batch(torch):
    x, vmap = torch.ones(3, 4, 2), torch.func.vmap
    return [
        attempt(lambda: vmap(lambda x: torch.cat([x, torch.ones(2, 3)]))(x)),
        attempt(lambda: vmap(lambda x: torch.cat([x, torch.ones(2)]))(x)),
        attempt(
            lambda: vmap(vmap(lambda x: torch.cat([x, torch.ones(3, 3)])))(x[None])
        ),
        attempt(lambda: vmap(lambda x: torch.stack([x, torch.ones(2, 3)]))(x)),
    ]


@programs.add
def forward_over_reverse_and_reverse_over_forward(torch):
    x, t = vector(torch), vector(torch).flip(0)
    f = lambda x: (x**3).sum()
    func = torch.func
    one = func.jvp(func.grad(f), (x,), (t,))
    other = func.grad(lambda x: func.jvp(f, (x,), (t,))[1])(x)
    both = func.jvp(lambda x: func.jvp(lambda x: x**3, (x,), (t,))[1], (x,), (t,))
    return one, other, both


@programs.add
def results_that_do_not_depend(torch):
    x, jvp = vector(torch), torch.func.jvp
    constant = lambda x: torch.ones(2)
    strict = attempt(lambda: jvp(constant, (x,), (x,), strict=True))
    return jvp(constant, (x,), (x,)), strict


@programs.add
def more_results(torch):
    x = vector(torch)
    return torch.func.jvp(lambda x: (x**2, x + 1), (x,), (x,), has_aux=True)


@programs.add
def in_place_changes_and_views(torch):
    def f(x):
        y = x.clone()
        y[0].mul_(3)
        y[1:] *= y[:1]
        return y

    x = vector(torch)
    return torch.func.jvp(f, (x,), (x.cos(),))


@programs.add
def inputs_may_change_in_place(torch):
    x, t = vector(torch), vector(torch)
    zero = torch.func.jvp(lambda x: x.zero_(), (x.clone(),), (t.clone(),))
    return zero, torch.func.jvp(lambda x: x.exp_(), (x.clone(),), (t.clone(),))


@programs.add
def a_linear_function_for_many_tangents(torch):
    x = vector(torch)
    y, push = torch.func.linearize(lambda x: x.sin() * 2, x)
    return y, push(x), push(x * 2), attempt(lambda: push(torch.ones(5)))


@programs.add
def misuse_is_refused(torch):
    x, jvp = vector(torch), torch.func.jvp
    return [
        attempt(lambda: jvp(torch.sin, x, x)),
        attempt(lambda: jvp(torch.sin, (x,), (torch.ones(5),))),
        attempt(lambda: jvp(lambda x: 3, (x,), (x,))),
    ]


@programs.add
def a_function_with_its_own_jvp(torch):
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return x**3

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_forward(*inputs)
            ctx.save_for_backward(*inputs)

        @staticmethod
        def jvp(ctx, t):
            return 30 * t

    x = vector(torch)
    return torch.func.jvp(Cube.apply, (x,), (x,))


@programs.add
def misfits_are_refused_in_words_of_trees(torch):
    x = vector(torch)
    _, push = torch.func.linearize(lambda x: x * x, x)
    return [
        attempt(lambda: torch.func.jvp(torch.sin, (x,), (x, x))),
        attempt(lambda: torch.func.jvp(torch.sin, (), ())),
        attempt(lambda: torch.func.jvp(torch.sin, (3,), (x,))),
        attempt(lambda: push(x, x)),
    ]


test_forward = programs.test()

OPS = [
    lambda x: x.softmax(0).log(), lambda x: x.cumsum(0).prod(), lambda x: x.norm() ** 3,
    lambda x: (x[:, None] @ x[None] + E).det() + x.max(), lambda x: x.sort()[0].cumprod(0),
    lambda x: edutorch.cat([x.tanh(), x[:2]]).var(), lambda x: x.relu().gather(0, IDX),
    lambda x: edutorch.linalg.inv(edutorch.diag(x) + E), lambda x: x.logsumexp(0),
    lambda x: edutorch.nn.functional.layer_norm(x, (3,)), lambda x: x.erf().atan2(x),
    lambda x: edutorch.nn.functional.conv1d(x[None, None], x[:2][None, None]),
]  # fmt: skip
IDX, E = edutorch.tensor([2, 0]), edutorch.eye(3, dtype=edutorch.float64)


@pytest.mark.parametrize("f", OPS)
def test_jvp_equals_differences(f):
    x, t = vector(edutorch), edutorch.tensor([0.3, -0.2, 0.5], dtype=edutorch.float64)
    _, moved = edutorch.func.jvp(f, (x,), (t,))
    eps = 1e-6
    expected = (f(x + eps * t) - f(x - eps * t)) / (2 * eps)
    assert edutorch.allclose(moved, expected, atol=1e-7)
