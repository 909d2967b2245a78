"""rearrange against PyTorch."""

from __future__ import annotations

from tests.programs import Programs, attempt

programs = Programs(__file__)


def cube(torch):
    return torch.arange(24).reshape(2, 3, 4)


@programs.add
def patterns(torch):
    x, to = cube(torch), torch.func.rearrange
    return [
        to(x, "a b c -> c (a b)"), to(x, "a b (c d) -> d a (b c)", c=2),
        to(x, "... c -> c ..."), to(x, "a b c -> a b c 1"), to(x[None], "1 a b c -> a b c"),
        to(x, "a ... -> a (...)"), to(x, "a b c -> () a b c"),
        to([x, x], "n a b c -> a n b c"), to(x, "a b (c d) -> a b c d", c=2, d=2),
    ]  # fmt: skip


@programs.add
def patterns_that_do_not_fit(torch):
    x, to = cube(torch), torch.func.rearrange
    wrong = [
        "a b c -> a b c d", "a b c a -> a b c", "a b -> a b", "a b c",
        "a b c -> a ((b c))", "a b 4 -> a b",
    ]  # fmt: skip
    found = [attempt(lambda text=text: to(x, text)) for text in wrong]
    return found, attempt(lambda: to(x, "a b c -> a b c", d=3))


test_einops = programs.test()
