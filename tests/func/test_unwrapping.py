"""Values visible inside function transforms, compared with PyTorch."""

from __future__ import annotations

from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def the_batch_behind_a_sample(torch):
    seen = []

    def f(x):
        seen.append(tuple(torch.func.debug_unwrap(x).shape))
        return x

    x = torch.ones(2, 3)
    torch.vmap(f)(x)
    return seen, torch.func.debug_unwrap(x) is x


@programs.add
def functions_without_mutations_have_the_same_results(torch):
    def f(x):
        y = x.clone()
        y[0].mul_(3)
        x.add_(1)
        return y

    found = []
    for remove in ("mutations", "mutations_and_views"):
        x = torch.ones(2)
        found += [torch.func.functionalize(f, remove=remove)(x), x]
    other = attempt(lambda: torch.func.functionalize(f, remove="z")(torch.ones(2)))
    return found, other


test_unwrapping = programs.test()
