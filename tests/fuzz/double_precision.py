"""Runs 16-bit programs again, on the same numbers in double precision.

PyTorch rounds to 16 bits at every step of some functions, such as sums of gradients of
weights, interpolation, and those that it calls from other libraries. A result that
differs from PyTorch's is right if it is the rounded result of double precision.
"""

from __future__ import annotations

import re
from typing import Any

from tests.fuzz.differences import difference
from tests.fuzz.outcomes import Outcome, TensorValue, outcome
from tests.oracle import torch

__all__ = ["excuse", "in_double"]

HALF = re.compile(r"torch\.(b?float16)")
MADE = re.compile(r"dtype=torch\.b?float16(, requires_grad=True)?\)")


def in_double(text: str) -> str:
    """The program with its 16-bit tensors converted to double as soon as they are made.

    Example:
        >>> in_double("x = torch.ones(2, dtype=torch.float16, requires_grad=True)")
        'x = torch.ones(2, dtype=torch.float16).double().requires_grad_()'
        >>> in_double("m = nn.ReLU().to(torch.float16); v = v.to(y.dtype)")
        'm = nn.ReLU().to(torch.float16).double(); v = v.to(torch.float16).double()'
    """
    found = HALF.search(text)
    if found is None:
        return text
    text = text.replace(".to(y.dtype)", f".to({found[0]})")
    text = re.sub(r"(\.to\(torch\.b?float16\))", r"\1.double()", text)
    return MADE.sub(_converted, text)


def _converted(made: re.Match[str]) -> str:
    kind, leaf = made[0].partition(")")[0].partition(",")[0], made[1]
    return f"{kind}).double()" + ".requires_grad_()" * bool(leaf)


def excuse(expected: Outcome, got: Outcome, text: str) -> str:
    """The kind of difference to ignore: "value" if double precision confirms it."""
    if got.error is not None or not HALF.search(text):
        return ""
    exact = outcome(in_double(text), torch, {})
    if exact.error is not None:
        return ""
    exact.value = _as_dtypes_of(got.value, exact.value)
    return "" if difference(exact, got)[0] else "value"


def _as_dtypes_of(like: Any, value: Any) -> Any:
    """A described value with the dtypes of another, where both have tensors."""
    if isinstance(value, TensorValue) and isinstance(like, TensorValue):
        value.dtype = like.dtype
    elif isinstance(value, list) and isinstance(like, list):
        for part, other in zip(value, like, strict=False):
            _as_dtypes_of(other, part)
    elif isinstance(value, dict) and isinstance(like, dict):
        for key in value.keys() & like.keys():
            _as_dtypes_of(like[key], value[key])
    return value
