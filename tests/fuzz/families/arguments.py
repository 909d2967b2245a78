"""Right calls, written in other ways: by name or position, in other sizes and dtypes.

Each has the names of the nodes that its results come from, and the gradients of its
tensors. Sizes are replaced by 0 or 1 wherever they occur, so that most calls stay right
and have little or nothing to compute.
"""

from __future__ import annotations

import inspect
import random
import re
from functools import cache
from pkgutil import resolve_name

from tests.fuzz.calls import Call, calls, drawing
from tests.fuzz.families.refusals import LEFT_OUT
from tests.oracle import torch

__all__ = ["DTYPES", "LEAVES", "LOSS", "RESULTS", "SCALE", "program"]

SCALE = 20
DTYPES = (
    "float32",
    "float64",
    "float16",
    "bfloat16",
    "complex64",
    "complex128",
    "int64",
)
# Decompositions, whose bases are free, and whose gradients are large.
FREE = re.compile(
    r"svd|eig|qr|lstsq|pinv|lu|lobpcg|ldl|cond|geqrf|matrix_(rank|exp)|pca"
)
LEAVES = re.compile(r"\b[xus]\((?:\d+(?:, )?)*\)")
RESULTS = (
    "ys = [t for t in (y if isinstance(y, (tuple, list)) else [y]) "
    "if torch.is_tensor(t) and t.requires_grad]"
)
LOSS = (
    "loss = lambda ts: sum(((t.real + t.imag if t.is_complex() else t).double() * "
    "(torch.arange(t.numel()) % 3 - 0.6).reshape(t.shape)).sum() for t in ts)"
)


def program(rng: random.Random) -> str:
    """A call, and the gradients of what went into it."""
    table = calls()
    while True:
        function = rng.choice(sorted(table))
        if not (LEFT_OUT.search(function) or FREE.search(function)):
            break
    call = moved(rng, rng.choice(table[function]))
    text = resized(rng, call.text()) if rng.random() < 0.5 else call.text()
    lines = drawing(rng, "float32" if rng.random() < 0.4 else rng.choice(DTYPES))
    lines += ["ls = []", "leaf = lambda t: ls.append(t) or (t.requires_grad_() if d.is_floating_point | d.is_complex else t)"]  # fmt: skip
    text = LEAVES.sub(r"leaf(\g<0>)", text)
    lines += [
        f"y = {text}", LOSS, RESULTS,
        "result = y, [t.grad_fn.name() for t in ys], torch.autograd.grad(loss(ys), ls, allow_unused=True) if ys else 0",
    ]  # fmt: skip
    return "\n".join(lines)


def moved(rng: random.Random, call: Call) -> Call:
    """The call with some arguments given by name, or some names left out."""
    names, placed, named = (
        parameters(call.function),
        list(call.placed),
        dict(call.named),
    )
    form = rng.random()
    if form < 0.35 and len(placed) <= len(names):
        keep = rng.randrange(len(placed) + 1)
        both = dict(zip(names[keep:], placed[keep:], strict=False))
        return Call(call.function, placed[:keep], {**both, **named})
    if form < 0.5:
        while len(placed) < len(names) and names[len(placed)] in named:
            placed.append(named.pop(names[len(placed)]))
    return Call(call.function, placed, named)


@cache
def parameters(function: str) -> tuple[str, ...]:
    """The names of a function's arguments in their order, as far as they are known."""
    path = function.replace("F.", "torch.nn.functional.", 1)
    try:
        found = inspect.signature(resolve_name(path)).parameters.values()
    except ValueError:  # compiled: the names are those of its schema
        schemas = torch._C._jit_get_schemas_for_operator(f"aten::{_compiled(path)}")
        placed = [a.name for s in schemas[:1] for a in s.arguments if not a.kwarg_only]
        return tuple("input" if name == "self" else name for name in placed)
    return tuple(p.name for p in found if p.kind is p.POSITIONAL_OR_KEYWORD)


def _compiled(path: str) -> str:
    """The name of a compiled function: `linalg_inv` of `torch.linalg.inv`."""
    _, *parts = path.split(".")
    return "_".join(p for p in parts if p not in ("nn", "functional"))


def resized(rng: random.Random, text: str) -> str:
    """The call with one size 0 or 1 in each of its tensors."""
    sizes = sorted(
        set(re.findall(r"\d+", " ".join(re.findall(r"\b[xus]\(([\d, ]*)\)", text))))
    )
    if not sizes:
        return text
    old, new = rng.choice(sizes), rng.choice(["0", "0", "1"])
    return re.sub(
        r"\b[xus]\([\d, ]*\)", lambda m: re.sub(rf"\b{old}\b", new, m[0]), text
    )
