"""Functions with all their options: sizes, numbers, modes, reductions, dtypes.

Each line of `options.txt` is a call in which braces hold the alternatives of one
argument, between bars. The first is the common one. Arguments are those of
`tests/fuzz/calls.py`, and `v(2, 3)` for numbers from 0 to 1 without a gradient. Results
are compared with first derivatives, and in part with second ones. If operands lie row by
row, so are the names of the nodes, which tell of copies and views else.
"""

from __future__ import annotations

import functools
import random
import re
from pathlib import Path

from tests.fuzz.calls import drawing
from tests.fuzz.double_precision import excuse
from tests.fuzz.families.arguments import DTYPES, LEAVES, LOSS, RESULTS

__all__ = ["SCALE", "excuses", "program"]

SCALE = 20
excuses = excuse

# How operands lie in memory.
LAYOUTS = (
    "t.mT.contiguous().mT if t.ndim > 1 else t",
    "torch.stack([t, t], -1)[..., 0]",
    "t.to(memory_format=torch.channels_last) if t.ndim == 4 else t",
    "t.permute(*range(t.ndim)[::-1]).contiguous().permute(*range(t.ndim)[::-1])",
)
LEAF = (
    "leaf = lambda t: ls.append(lay(t).detach()) or (ls[-1].requires_grad_() "
    "if d.is_floating_point or d.is_complex else ls[-1])"
)
FIRST = (
    "gs = torch.autograd.grad(loss(ys), ls, create_graph={}, allow_unused=True) "
    "if ys else ()"
)
SECOND = [
    "zs = [t for t in gs if t is not None and t.requires_grad]",
    "hs = torch.autograd.grad(loss(zs), ls, allow_unused=True) if zs else ()",
]


def program(rng: random.Random) -> str:
    """A call, and derivatives of its results."""
    call = filled(rng, rng.choice(templates()))
    call = LEAVES.sub(r"leaf(\g<0>)", call)
    layout = "t" if rng.random() < 0.6 else rng.choice(LAYOUTS)
    lines = drawing(rng, "float32" if rng.random() < 0.6 else rng.choice(DTYPES))
    lines += ["v = u", "ls = []", f"lay = lambda t: {layout}", LEAF]
    lines += [f"torch.manual_seed(0); y = {call}", LOSS, RESULTS]
    twice = rng.random() < 0.3
    lines += [FIRST.format(twice), *(SECOND if twice else [])]
    names = "[t.grad_fn.name() for t in ys]" if layout == "t" else "0"
    told = f"y, {names}, gs" + (", hs" if twice else "")
    return "\n".join([*lines, f"result = {told}"])


@functools.cache
def templates() -> list[str]:
    """The lines of `options.txt`."""
    return (Path(__file__).parents[1] / "options.txt").read_text().splitlines()


def filled(rng: random.Random, template: str) -> str:
    """The call with one alternative in place of each pair of braces."""

    def choose(braces: re.Match[str]) -> str:
        first, *others = braces[1].split("|")
        return first if not others or rng.random() < 0.5 else rng.choice(others)

    return re.sub(r"\{([^{}]*)\}", choose, template)
