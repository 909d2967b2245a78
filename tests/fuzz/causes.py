"""Why results differ: tests of the causes that entries of `known/` name.

Each runs a program once more, under one library or both, on numbers that are others or
more precise. An entry that names a cause excuses only what the test confirms.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.fuzz.differences import TOLERANCE, difference
from tests.fuzz.double_precision import as_near
from tests.fuzz.families.transforms import ROUNDINGS, distance
from tests.fuzz.outcomes import Outcome, TensorValue, outcome
from tests.fuzz.reverse_mode import by_reverse_mode
from tests.oracle import torch

import edutorch  # isort: skip

__all__ = ["CAUSES", "causes"]

LEAF = re.compile(r"\bleaf\((?=[xus]\()")
DRAWN = re.compile(r"np\.random\.(?=default_rng\(\d+\)\.(uniform|normal))")
ELEMENTS = re.compile(r"\.copy_\((torch\.tensor\(.*?, dtype=torch\.\w+\))\)")
SHAPES = "(t|transpose|swapaxes|swapdims|as_strided|squeeze|unsqueeze)"
IN_PLACE = re.compile(rf"\b(\w+)\.{SHAPES}_\(")
UNRECORDED = re.compile(
    rf"exec\('with torch\.no_grad\(\): ((\w+)\.{SHAPES}_\(.*?\))'\)"
)
LENGTH, VERSION, NODE = 13, 3, 10  # of what a program tells of a view; places in it
STEPS = (
    ("float64", 4e-16), ("complex128", 4e-16), ("bfloat16", 2**-7), ("float16", 2**-10),
)  # fmt: skip
NEAR = 1e-7  # relative to the largest number, of derivatives of derivatives
REAL = re.compile(r", torch\.(b?float16|float32)\n.*\.to\(d\)")
# What is written to a view: an operand, or the value of an assignment.
OPERAND = re.compile(
    r"((?<!set)_\((?:0,i,|\(i,\),)?|[+*\]-]=)((?:b|v\d)(?:\[[\w:,.-]*\])*)(?=[;),\n])"
)
FILLED = re.compile(
    r"(torch\.empty_strided\(.*?, dtype=torch\.\w+)\)"
    r"(\.copy_\(torch\.tensor\(.*?, dtype=torch\.\w+\)\))"
)
RANGE = "np.arange(np.prod("


def rounding(text: str, expected: Outcome, got: Outcome) -> bool:
    """PyTorch's own values differ as much when operands are moved by roundings."""
    step = 1 + next((e for name, e in STEPS if name in text), 2e-7)
    moved = LEAF.sub(f"leaf({step!r} * ", text)
    moved = ELEMENTS.sub(rf".copy_(\1 * {step!r})", moved)
    moved = DRAWN.sub(f"{step!r} * np.random.", moved)
    far = distance(expected.value, outcome(moved, torch, {}).value)
    return distance(expected.value, got.value) <= ROUNDINGS * far < math.inf


def cancelled(text: str, expected: Outcome, got: Outcome) -> bool:
    """Only a few roundings of 1 differ, and PyTorch's own values differ as much."""
    least = 1e-14 if "float64" in text or "complex128" in text else 5e-6
    near = distance(expected.value, got.value) <= least
    return near and rounding(text, expected, got)


def line_search(text: str, expected: Outcome, got: Outcome) -> bool:
    """PyTorch's own parameters come to differ as much when their last digits do.

    Near a minimum, a search along a line interpolates between losses that are equal but
    for roundings: these decide where it goes on.
    """
    step = 1.2e-7 if "float32" in text or "complex64" in text else 2e-16
    moved = (
        text.replace("(shape)).to(dtype)", f"(shape)).to(dtype) * {1 + k * step!r}")
        for k in (*range(-8, 0), *range(1, 9))
    )
    far = max(distance(expected.value, outcome(m, torch, {}).value) for m in moved)
    return distance(expected.value, got.value) <= 2 * far < math.inf


def beside_one(text: str, expected: Outcome, got: Outcome) -> bool:
    """All that differs would be lost by adding 1."""
    lost = 2e-16 if "float64" in text else 2e-7
    return distance(expected.value, got.value) <= lost


def double_precision(text: str, expected: Outcome, got: Outcome) -> bool:
    """Every number is that of double precision, or as near to it as PyTorch's is."""
    wide = text.replace(".to(d)", ".to(d).double()")
    return bool(REAL.search(text)) and as_near(expected, got, wide)


def not_finite(text: str, expected: Outcome, got: Outcome) -> bool:
    """Only infinities and nans differ."""
    both = expected.value, got.value
    return not difference(*(Outcome(_finite(*pair)) for pair in (both, both[::-1])))[0]


def zeros(text: str, expected: Outcome, got: Outcome) -> bool:
    """The libraries agree where no number is 0, so that no 0 has a sign."""
    moved = text.replace(RANGE, f".37 + {RANGE}")
    both = (outcome(moved, library, {}) for library in (torch, edutorch))
    return moved != text and not difference(*both)[0]


def overlap(text: str, expected: Outcome, got: Outcome) -> bool:
    """The libraries agree where no elements share memory, and none is read and written."""
    for strides, window in (("((3,2),(2,1))", "(0,2,2)"), ("((3,1),(1,1))", "(0,1,1)")):
        apart = text.replace(".unfold(0,2,1)", f".unfold{window}")
        apart = apart.replace("((3,2),(1,1))", strides)
        apart = OPERAND.sub(r"\1\2.clone()", apart)
        left, right = (outcome(apart, library, {}) for library in (torch, edutorch))
        if left.error is None and apart != text and not difference(left, right)[0]:
            return True
    return False


def contiguous(text: str, expected: Outcome, got: Outcome) -> bool:
    """edutorch's result is PyTorch's for a copy in which no elements share memory."""
    apart = re.sub(r"\.expand\((n, m|\([\d, ]+\))\)", r"\g<0>.contiguous()", text)
    return apart != text and not difference(outcome(apart, torch, {}), got)[0]


def drawn_in_rows(text: str, expected: Outcome, got: Outcome) -> bool:
    """The libraries agree where random numbers are drawn for row-major tensors.

    They are drawn in memory order, in which results may differ (see "memory order").
    """
    rows = re.sub(r"F\.dropout\((\w+), ", r"F.dropout(\1.contiguous(), ", text)
    both = (outcome(rows, library, {}) for library in (torch, edutorch))
    return rows != text and not difference(*both)[0]


def last_digits(text: str, expected: Outcome, got: Outcome) -> bool:
    """Only the last digits of 16-bit floats differ, whatever dtype they are told in."""
    return not difference(expected, got, least=TOLERANCE["torch.bfloat16"])[0]


def versions(text: str, expected: Outcome, got: Outcome) -> bool:
    """Only counts of changes differ, and the nodes that are made anew by them."""
    both = (Outcome(_without_versions(o.value)) for o in (expected, got))
    return not difference(*both)[0]


def reverse(text: str, expected: Outcome, got: Outcome) -> bool:
    """edutorch's derivatives are those of PyTorch's reverse mode, sample by sample."""
    if "fn = torch.func" not in text:
        return False
    right = by_reverse_mode(text)
    size = 1 + distance(right.value, _zeroed(right.value))
    return distance(right.value, got.value) <= NEAR * size


def squeezed(text: str, expected: Outcome, got: Outcome) -> bool:
    """edutorch's result is PyTorch's where strides leave out the dimension."""
    as_strided = r"\1.as_strided_(\1.shape[1:], \1.stride()[1:])"
    apart = re.sub(r"\b(\w+)\.squeeze_\(0\)", as_strided, text)
    return apart != text and not difference(outcome(apart, torch, {}), got)[0]


def transposed(text: str, expected: Outcome, got: Outcome) -> bool:
    """edutorch's gradients are PyTorch's where nothing is transposed in place.

    The gradient of a leaf that was transposed itself is transposed, too.
    """
    apart = UNRECORDED.sub(r"\1", text)
    if "b = x;" in text:
        steps = IN_PLACE.finditer(apart)
        calls = [apart[m.start(2) :].partition(")")[0] for m in steps if m[1] == "b"]
        for call in calls:
            turned = f"result[-1][0].{call.replace('_(', '(', 1)})"
            apart += f"\nresult[-1] = [{turned}, *result[-1][1:]]"
    moved = outcome(IN_PLACE.sub(r"\1 = \1.\2(", apart), torch, {})
    if not (isinstance(moved.value, list) and isinstance(got.value, list)):
        return False
    return not difference(Outcome(moved.value[-1]), Outcome(got.value[-1]))[0]


def _without_versions(value: Any) -> Any:
    """What a program of views tells, without counts of changes and names of nodes."""
    if not isinstance(value, list):
        return value
    if len(value) == LENGTH and isinstance(value[0], TensorValue):
        return [part for k, part in enumerate(value) if k not in (VERSION, NODE)]
    return [_without_versions(part) for part in value]


def _zeroed(x: Any) -> Any:
    """A described value with 0 for each number."""
    if isinstance(x, list):
        return [_zeroed(part) for part in x]
    if not isinstance(x, TensorValue):
        return x
    return TensorValue(x.dtype, x.shape, x.layout, x.requires_grad, x.values * 0)


def _finite(x: Any, other: Any) -> Any:
    """A described value with 0 wherever it or another one is not finite."""
    if isinstance(x, list) and isinstance(other, list) and len(x) == len(other):
        return [_finite(*pair) for pair in zip(x, other, strict=True)]
    if not isinstance(x, TensorValue) or not isinstance(other, TensorValue):
        return x
    if x.shape != other.shape or x.values.dtype.kind not in "fc":
        return x
    finite = np.isfinite(x.values) & np.isfinite(other.values)
    values = np.where(finite, x.values, 0)
    return TensorValue(x.dtype, x.shape, x.layout, x.requires_grad, values)


def memory_order(text: str, expected: Outcome, got: Outcome) -> bool:
    """Only the order of results in memory differs, where that of operands does.

    The libraries agree about operands that lie row by row, and edutorch's rule of
    elementwise results, which it follows on the meta device, gives PyTorch's order.
    """
    if expected.error is not None or got.error is not None:
        return False
    rows = FILLED.sub(r"\1)\2.contiguous()", text)
    there = FILLED.sub(r"\1, device='meta')", text).replace("y.device.type", "'cpu'")
    both = (outcome(rows, library, {}) for library in (torch, edutorch))
    agree = rows != text and not difference(*both)[0]
    return agree and not difference(expected, outcome(there, edutorch, {}))[0]


Test = Callable[[str, Outcome, Outcome], bool]
# By kinds of difference.
CAUSES: dict[str, dict[str, Test]] = {
    "value": {
        "beside one": beside_one, "rounding": rounding, "not finite": not_finite,
        "double precision": double_precision, "contiguous": contiguous,
        "cancelled": cancelled, "zeros": zeros, "reverse": reverse, "versions": versions, "overlap": overlap,
        "squeezed": squeezed, "drawn in rows": drawn_in_rows,
        "last digits": last_digits,
        "line search": line_search,
    },
    "shape": {"reverse": reverse, "transposed": transposed},
    "message": {"memory order": memory_order},
    "accepted": {"transposed": transposed, "reverse": reverse},
}  # fmt: skip


def causes(text: str, kind: str, names: Callable[[Any], dict[str, Any]]) -> list[str]:
    """The causes that explain how two libraries differ.

    Args:
        text: a program in which they do.
        kind: how.
        names: what its family defines for the programs of a library.
    """
    tests = CAUSES.get(kind, {})
    if not tests:
        return []
    expected = outcome(text, torch, names(torch))
    got = outcome(text, edutorch, names(edutorch))
    return [name for name, test in tests.items() if test(text, expected, got)]
