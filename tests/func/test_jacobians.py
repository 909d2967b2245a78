"""jacrev, jacfwd, hessian against PyTorch."""

from __future__ import annotations

import pytest

import edutorch
from edutorch import config
from tests.programs import Programs, attempt

programs = Programs(__file__)


def vector(torch, n=3):
    return torch.linspace(0.5, 1.5, n, dtype=torch.float64)


@programs.add
def both_ways_agree(torch):
    x = vector(torch)
    f = lambda x: torch.stack([x.sin() * x.sum(), x**2])
    return torch.func.jacrev(f)(x), torch.func.jacfwd(f)(x)


@programs.add
def several_arguments_and_results(torch):
    x, y = vector(torch), vector(torch, 2)
    f = lambda x, y: (x.sum() * y, {"a": x * y.prod()})
    found = []
    for jac in (torch.func.jacrev, torch.func.jacfwd):
        found += [jac(f)(x, y), jac(f, 1)(x, y), jac(f, (0, 1))(x, y)]
    return found


@programs.add
def matrices_and_numbers(torch):
    x = vector(torch, 4).reshape(2, 2)
    f = lambda x: (x @ x).sum(0)
    scalar = lambda x: x.sum() ** 2
    func = torch.func
    return func.jacrev(f)(x), func.jacfwd(f)(x), func.jacrev(scalar)(x.sum())


@programs.add
def more_results_and_chunks(torch):
    x = vector(torch)
    f = lambda x: (x**2, x + 1)
    func = torch.func
    return (
        func.jacrev(f, has_aux=True)(x),
        func.jacfwd(f, has_aux=True)(x),
        func.jacrev(lambda x: x**2, chunk_size=2)(x),
    )


@programs.add
def integers_and_complex_numbers(torch):
    x, func = vector(torch), torch.func
    f = lambda x: (x * x, x.int())
    z = lambda x: torch.complex(x, x)
    one = torch.ones(3, dtype=torch.float64)
    return [
        func.jacfwd(f)(x), func.jvp(f, (x,), (one,)), func.linearize(f, x)[1](one)[0],
        attempt(lambda: func.jacrev(f)(x)), attempt(lambda: func.vjp(f, x)),
        attempt(lambda: func.jacrev(z)(x)), attempt(lambda: func.jacfwd(z)(x)),
        attempt(lambda: func.jacrev(torch.abs)(z(x))),
        attempt(lambda: func.jacfwd(torch.abs)(z(x))),
        attempt(lambda: func.hessian(lambda x: z(x).sum())(x)),
        attempt(lambda: func.jacfwd(torch.abs)(x.int())),
        attempt(lambda: func.jvp(torch.abs, (x.int(),), (x.int(),))),
    ]  # fmt: skip


@programs.add
def second_derivatives(torch):
    x = vector(torch)
    f = lambda x: (x.exp() * x.sum()).prod()
    func = torch.func
    return (
        func.hessian(f)(x),
        func.jacrev(func.jacrev(f))(x),
        func.jacrev(func.jacfwd(f))(x),
        func.jacfwd(func.jacfwd(f))(x),
    )


@programs.add
def of_a_network_and_its_parameters(torch):
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh()).double()
    state = {k: v.detach() for k, v in net.named_parameters()}
    x = vector(torch)
    f = lambda p: torch.func.functional_call(net, p, (x,))
    return torch.func.jacrev(f)(state), torch.func.jacfwd(f)(state)


@programs.add
def in_batches(torch):
    x = torch.stack([vector(torch), vector(torch) * 2])
    f = lambda x: x.sin() * x.sum()
    func = torch.func
    return (
        torch.vmap(func.jacrev(f))(x),
        torch.vmap(func.jacfwd(f))(x),
        torch.vmap(func.hessian(lambda x: f(x).sum()))(x),
    )


@programs.add
def misuse_is_refused(torch):
    x, func = vector(torch), torch.func
    return [
        attempt(lambda: func.jacrev(lambda x: 3)(x)),
        attempt(lambda: func.jacfwd(lambda x: 3)(x)),
        attempt(lambda: func.jacrev(lambda x: x, argnums=3)(x)),
    ]


@programs.add
def random_numbers_are_refused_in_forward_mode(torch):
    def noisy(x):
        return x * torch.rand(3)

    x = vector(torch)
    return [
        attempt(lambda: torch.func.jacfwd(noisy)(x)),
        torch.func.jacfwd(noisy, randomness="same")(x).shape,
        attempt(lambda: torch.func.jacrev(noisy, argnums="a")(x)),
    ]


test_jacobians = programs.test()


@pytest.mark.parametrize("name", ["relu", "leaky_relu", "gelu", "silu", "tanh"])
def test_jacobian_of_many_outputs_is_that_of_each(name):
    x = edutorch.rand(4, 10, 10) - 0.5
    w = edutorch.rand(10, 400)
    f = lambda x: w @ getattr(edutorch.nn.functional, name)(x).flatten()
    slope = edutorch.autograd.functional.jacobian(
        lambda x: getattr(edutorch.nn.functional, name)(x).sum(), x
    )
    with config.kernels("fast"):
        found = edutorch.func.jacrev(f)(x)
    edutorch.testing.assert_close(found, w.view(10, 4, 10, 10) * slope)
