"""Calls of functions on tensors, with which programs of several families begin.

`calls.txt` has a call in each line: the function, then its arguments, between bars. A
line that begins with ">" is a call of a function with `out=`. In arguments, `x(2, 3)`
means a tensor of normal numbers of that shape, `u(2, 3)` for one of numbers from 0
to 1, and `s(3, 3)` for a positive definite one.
"""

from __future__ import annotations

import functools
import random
from pathlib import Path
from typing import NamedTuple

__all__ = ["Call", "calls", "drawing"]


class Call(NamedTuple):
    """A function and the texts of its arguments."""

    function: str
    placed: list[str]
    named: dict[str, str]

    def text(self, *more: str) -> str:
        """The call, with more arguments at its end."""
        named = [f"{name}={value}" for name, value in self.named.items()]
        return f"{self.function}({', '.join([*self.placed, *named, *more])})"


@functools.cache
def calls(*, into_out: bool = False) -> dict[str, list[Call]]:
    """The calls of each function, or of those that take `out=`."""
    found: dict[str, list[Call]] = {}
    for line in Path(__file__).with_suffix(".txt").read_text().splitlines():
        if line.startswith(">") or not into_out:
            function, *arguments = line.removeprefix(">").split("|")
            split = [a.partition("=") for a in arguments]
            named = {k: v for k, equals, v in split if equals and k.isidentifier()}
            placed = arguments[: len(arguments) - len(named)]
            found.setdefault(function, []).append(Call(function, placed, named))
    return found


def drawing(rng: random.Random, dtype: str) -> list[str]:
    """The lines of a program that tell what `x`, `u` and `s` are."""
    seed = rng.randrange(1000)
    return [
        f"g, d = np.random.default_rng({seed}), torch.{dtype}",
        "x = lambda *n: torch.tensor(g.standard_normal(n) * 2).to(d)",
        "u = lambda *n: torch.tensor(g.random(n)).to(d)",
        "s = lambda *n: (lambda m: m @ m.mT.conj() + 3 * torch.eye(n[-1]).to(d))(x(*n))",
    ]
