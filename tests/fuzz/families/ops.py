"""Operations in any dtype and order of memory: their values and gradients, twice."""

from __future__ import annotations

import math
import random
import re

from tests.fuzz.double_precision import excuse
from tests.fuzz.families.transforms import ROUNDINGS, distance
from tests.fuzz.outcomes import Outcome, outcome
from tests.fuzz.samples import Text, draw
from tests.oracle import torch

__all__ = ["SCALE", "excuses", "program"]

SCALE = 20  # decompositions and long sums, in single precision
ELEMENTS = re.compile(r"\.copy_\((torch\.tensor\(.*?, dtype=torch\.(\w+)\))\)")
ROUNDING = {
    "bfloat16": 8e-3, "float16": 1e-3, "float32": 2e-7, "complex64": 2e-7,
    "float64": 4e-16, "complex128": 4e-16,
}  # fmt: skip

STRIDED = re.compile(r"empty_strided\(\(([\d, ]*)\), \(([\d, ]*)\)")
# Memory that nobody wrote; random streams of other shapes; bases that are free.
LEFT_OUT = re.compile(
    r"empty|resize|eig|svd|lstsq|pinv|ldl|lu_|householder|geqrf|ormqr|lowrank|qr\("
    r"|lobpcg|fft|to_sparse|matrix_norm|linalg\.cond|linalg\.norm|nuc|_int\b"
)
LOSS = (
    "loss = lambda ts: sum(((t.real + t.imag if t.is_complex() else t).double() * "
    "(torch.arange(t.numel()) % 3 - 0.6).reshape(t.shape)).sum() for t in ts "
    "if t.numel())"
)
RESULTS = (
    "ys = [t for t in (y if isinstance(y, (tuple, list)) else [y]) "
    "if torch.is_tensor(t) and t.requires_grad and t.numel()]"
)
FIRST = "gs = torch.autograd.grad(loss(ys), [{}], allow_unused=True{}) if ys else []"
SECOND = (
    "hs = [g for g in gs if g is not None and g.requires_grad and g.numel()]\n"
    "hs = torch.autograd.grad(loss(hs), [{}], allow_unused=True) if hs else []"
)


def program(rng: random.Random) -> str:
    """A call of an operation, of most with first or second derivatives."""
    while True:
        text = Text(rng, "cpu", grad=rng.random() < 0.75)
        call, lines = draw(rng, text)
        if not (LEFT_OUT.search(call) or _reads_gaps(call, lines)):
            break
    lines = [*lines, f"y = {call}"]
    if not text.leaves:
        return "\n".join([*lines, "result = [y]"])
    leaves, twice = ", ".join(text.leaves), rng.random() < 0.5
    lines += [LOSS, RESULTS]
    lines.append(FIRST.format(leaves, ", create_graph=True" * twice))
    if twice:
        lines.append(SECOND.format(leaves))
    return "\n".join([*lines, f"result = [y, gs{', hs' * twice}]"])


def _reads_gaps(call: str, lines: list[str]) -> bool:
    """Whether a call may read memory between elements, which nobody wrote."""
    return "as_strided" in call and any(map(_has_gaps, lines))


def _has_gaps(line: str) -> bool:
    made = STRIDED.search(line)
    if made is None:
        return False
    shape, strides = ([int(n) for n in made[i].split(",") if n.strip()] for i in (1, 2))
    reach = sum((n - 1) * s for n, s in zip(shape, strides, strict=True)) + 1
    return reach > math.prod(shape)


def excuses(expected: Outcome, got: Outcome, text: str) -> str:
    """The kinds of difference that count for nothing, as a regular expression.

    Values may differ as PyTorch's own do when operands are moved by a rounding: a sum
    that cancels is nothing but roundings.
    """
    if got.error is not None or expected.error is not None:
        return ""
    moved = outcome(ELEMENTS.sub(_moved, text), torch, {})
    allowed = ROUNDINGS * distance(expected.value, moved.value)
    if distance(expected.value, got.value) <= allowed:
        return "value"
    return excuse(expected, got, text)


def _moved(made: re.Match[str]) -> str:
    step = ROUNDING.get(made[2])
    return made[0] if step is None else f".copy_({made[1]} * {1 + step!r})"
