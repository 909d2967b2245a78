"""grad, grad_and_value, vjp against PyTorch."""

from __future__ import annotations

from tests.programs import Programs, attempt

programs = Programs(__file__)


def vector(torch, n=3):
    return torch.linspace(0.5, 1.5, n, dtype=torch.float64)


@programs.add
def gradients_nest(torch):
    f = lambda x: (x**3 * x.sin()).sum()
    grad, x = torch.func.grad, vector(torch)
    second = grad(lambda x: grad(f)(x).sum())(x)
    third = grad(lambda x: grad(lambda x: grad(f)(x).sum())(x).sum())(x)
    return grad(f)(x), second, third, second.requires_grad


@programs.add
def arguments_are_chosen(torch):
    f = lambda x, y: (x * y**2).sum()
    grad, x = torch.func.grad, vector(torch)
    return grad(f, 1)(x, x), grad(f, (0, 1))(x, 2 * x), grad(f, (-1,))(x, x)


@programs.add
def containers_and_more_results(torch):
    f = lambda d: ((d["a"] * d["b"][0]).sum(), d["a"] * 2)
    x = vector(torch)
    given = {"a": x, "b": (x * 2,)}
    both = torch.func.grad_and_value(f, has_aux=True)(given)
    return torch.func.grad(f, has_aux=True)(given), both


@programs.add
def what_is_closed_over_stays_differentiable(torch):
    w = vector(torch).requires_grad_()
    x = vector(torch)
    g = torch.func.grad(lambda x: (x * x * w).sum())(x)
    h = torch.func.grad(lambda x: (x * x).sum())(x)
    (gw,) = torch.autograd.grad(g.sum(), w)
    return g.detach(), gw, g.requires_grad, h.requires_grad


@programs.add
def inside_no_grad_the_outside_records_nothing(torch):
    x = vector(torch).requires_grad_()
    with torch.no_grad():
        g = torch.func.grad(lambda x: (x**3).sum())(x)
    inner = torch.func.grad(lambda x: (x.detach() * x).sum())(x)
    return g, g.requires_grad, inner.detach(), inner.requires_grad


@programs.add
def the_graph_of_the_user_goes_on(torch):
    x = vector(torch).requires_grad_()
    y = x * 2
    g = torch.func.grad(lambda v: (v**3).sum())(y)
    return torch.autograd.grad(g.sum(), x)


@programs.add
def rows_times_the_jacobian(torch):
    x = vector(torch)
    y, vector_jacobian_product = torch.func.vjp(lambda x: (x.sin(), {"a": x**2}), x)
    return (
        y,
        vector_jacobian_product((x, {"a": x})),
        vector_jacobian_product((x * 0, {"a": x})),
    )


@programs.add
def rows_and_more_results(torch):
    x = vector(torch)
    y, vector_jacobian_product, aux = torch.func.vjp(
        lambda x, z: (x * z, x), x, x, has_aux=True
    )
    return y, vector_jacobian_product(x), aux


@programs.add
def derivatives_of_rows(torch):
    x = vector(torch)

    def f(x):
        _, vector_jacobian_product = torch.func.vjp(lambda x: x**3, x)
        return vector_jacobian_product(x)[0].sum()

    return torch.func.grad(f)(x)


@programs.add
def misuse_is_refused(torch):
    grad, vjp, x = torch.func.grad, torch.func.vjp, vector(torch)
    return [
        attempt(lambda: grad(lambda x: x)(x)),
        attempt(lambda: grad(lambda x: 3)(x)),
        attempt(lambda: grad(lambda x: x.sum(), has_aux=True)(x)),
        attempt(lambda: grad(lambda x: x.sum(), argnums=1)(x)),
        attempt(lambda: grad(lambda x: x.sum(), argnums=(0, 0))(x)),
        attempt(lambda: grad(lambda x: x.sum())(3.0)),
        attempt(lambda: vjp(lambda x: 2, x)),
        attempt(lambda: vjp(lambda x: x * 2, x)[1](torch.ones(5))),
    ]


@programs.add
def constants_have_zero_gradients(torch):
    x = vector(torch)
    return torch.func.grad(lambda x: torch.ones(()))(x), torch.func.vjp(
        lambda x: torch.ones(2), x
    )[1](torch.ones(2))


@programs.add
def inputs_may_not_change_in_place(torch):
    x = torch.ones(2)
    change, of_view = lambda x: x.add_(1).sum(), lambda x: x.view(2).exp_().sum()

    def unrecorded(x):
        with torch.no_grad():
            x.mul_(2)
        return (x**2).sum()

    grad = torch.func.grad
    return [
        attempt(lambda: grad(change)(x.clone())),
        attempt(lambda: torch.func.vjp(change, x.clone())[0]),
        attempt(lambda: torch.func.jacrev(change)(x.clone())),
        attempt(lambda: torch.vmap(grad(change))(torch.ones(2, 2))),
        attempt(lambda: grad(of_view)(x.clone())),
        grad(unrecorded)(x.clone()),
        grad(lambda x: x.clone().add_(1).pow(2).sum())(x),
    ]


test_derivatives = programs.test()
