"""User Functions inside vmap, against PyTorch."""

from __future__ import annotations

from tests.programs import Programs, attempt

programs = Programs(__file__)


def cube(torch, **more):
    def setup(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 3 * x**2 * g

    parts = {
        "forward": lambda x: x**3, "setup_context": setup, "backward": backward, **more
    }  # fmt: skip
    made = {k: staticmethod(v) if callable(v) else v for k, v in parts.items()}
    return type("Cube", (torch.autograd.Function,), made).apply


def rows(torch):
    return torch.linspace(0, 1, 6, dtype=torch.float64).reshape(2, 3)


@programs.add
def without_a_rule_it_is_refused(torch):
    return attempt(lambda: torch.vmap(cube(torch))(rows(torch)))


@programs.add
def with_two_rules_it_is_refused(torch):
    rule = lambda info, in_dims, x: (x, 0)
    both = cube(torch, generate_vmap_rule=True, vmap=rule)
    return attempt(lambda: torch.vmap(both)(rows(torch)))


@programs.add
def a_generated_rule(torch):
    f = cube(torch, generate_vmap_rule=True)
    x = rows(torch)
    return torch.vmap(f)(x), torch.vmap(torch.func.grad(lambda x: f(x).sum()))(x)


@programs.add
def a_rule_of_its_own(torch):
    seen = []

    def rule(info, in_dims, x):
        seen.append([info.batch_size, info.randomness, in_dims, tuple(x.shape)])
        return x * 10, in_dims[0]

    f = cube(torch, vmap=rule)
    x = rows(torch)
    nested = torch.vmap(torch.vmap(f))(x)
    return torch.vmap(f)(x), torch.vmap(f, in_dims=1, out_dims=1)(x), nested, seen[0]


@programs.add
def errors_of_a_rule_are_the_programs(torch):
    def rule(info, in_dims, x):
        raise KeyError("mine")

    nested = torch.func.vmap(cube(torch, vmap=rule))
    return [
        attempt(lambda: nested(rows(torch))),
        attempt(lambda: torch.func.vmap(nested)(rows(torch)[None])),
    ]


@programs.add
def rules_return_results_and_their_dimensions(torch):
    def run(answer):
        rule = lambda info, in_dims, x: answer(x)
        return attempt(lambda: torch.func.vmap(cube(torch, vmap=rule))(rows(torch)))

    return [
        run(lambda x: x * 2),
        run(lambda x: [x * 2, 0]),
        run(lambda x: (x * 2, 0, 1)),
        run(lambda x: ((x * 2, x), (0,))),
        run(lambda x: (x * 2, (0,))),
        run(lambda x: (x * 2, 5)),
        run(lambda x: ((x * 2, x), 0)),
        run(lambda x: ({"a": x * 2}, {"a": 0})),
    ]


test_custom = programs.test()
