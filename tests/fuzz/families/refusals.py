"""Calls of functions with one thing wrong: a dtype, a shape, a dimension, a type."""

from __future__ import annotations

import random
import re

from tests.fuzz.calls import Call, calls, drawing

__all__ = ["SCALE", "program"]

SCALE = 20

DTYPES = (
    "float32", "float64", "int64", "int32", "uint8", "bool", "float16", "bfloat16",
    "complex64", "complex128",
)  # fmt: skip
SHAPES = (
    "x()", "x(0)", "x(1)", "x(3)", "x(2, 3)", "x(7, 1)", "x(0, 3)", "x(2, 0)",
    "x(2, 3, 4)", "x(1, 1, 1, 1)", "x(2, 2, 2, 2, 2)",
)  # fmt: skip
FOR_NUMBERS = (
    "-1", "0", "1", "2", "7", "-9", "None", "2.5", "-0.5", "True", "'a'", "(1,)", "()",
    "[0, 0]", "x()", "x(2)", "torch.tensor(1)", "1j", "float('nan')", "np.int64(1)",
)  # fmt: skip
FOR_TEXTS = ("'bogus'", "''", "None", "1", "x(2)")
FOR_TENSORS = (
    "None",
    "1",
    "2.5",
    "True",
    "'a'",
    "[1.0]",
    "np.ones(2)",
    "(x(2),)",
    "1j",
)
FOR_SIZES = (
    "()", "(0,)", "(0, 0)", "(-1,)", "(-2, 3)", "(9,)", "(1, 2, 3, 4, 5, 6)", "None", "2",
    "[1.5]", "(0, 1)", "x(2)", "('a',)", "(None,)", "[-3, 2]",
)  # fmt: skip
# Memory that nobody wrote, and what PyTorch reads out of bounds.
LEFT_OUT = re.compile(
    r"empty|resize|lu_unpack|lu_solve|ldl_solve|embedding_bag|rand|dropout|ormqr"
)


def program(rng: random.Random) -> str:
    """A program of one call."""
    table = calls()
    while True:
        function = rng.choice(sorted(table))
        if not LEFT_OUT.search(function):
            break
    call = broken(rng, rng.choice(table[function]))
    dtype = "float32" if rng.random() < 0.6 else rng.choice(DTYPES)
    return "\n".join([*drawing(rng, dtype), f"result = {call.text()}"])


def broken(rng: random.Random, call: Call) -> Call:
    """The call with one of its arguments changed."""
    placed, named = list(call.placed), dict(call.named)
    places: list[int | str] = [*range(len(placed)), *named]
    if not places:
        return call
    at = rng.choice(places)
    if isinstance(at, int):
        placed[at] = changed(rng, placed[at])
    else:
        named[at] = changed(rng, named[at])
    return Call(call.function, placed, named)


def changed(rng: random.Random, text: str) -> str:
    """Another text for an argument, of its kind or not."""
    if re.match(r"[xus]\(", text):
        form = rng.random()
        if form < 0.4:
            return f"{text}.to(torch.{rng.choice(DTYPES)})"
        if form < 0.8:
            return rng.choice(SHAPES)
        return rng.choice(FOR_TENSORS)
    if text.startswith("torch.tensor("):
        form = rng.random()
        if form < 0.4:
            return f"{text}.to(torch.{rng.choice(DTYPES)})"
        if form < 0.6:
            return f"({text} + {rng.choice([1, 5, -7])})"
        return rng.choice(SHAPES + FOR_TENSORS)
    if text[0] in "([":
        return rng.choice(FOR_SIZES)
    if text[0] in "'\"":
        return rng.choice(FOR_TEXTS)
    return rng.choice(FOR_NUMBERS)
