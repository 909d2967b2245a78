"""Runs programs again, on the same numbers in double precision.

PyTorch computes some functions of 16-bit floats step by step in 16 bits: it adds up
gradients of weights that way, interpolates, or calls a library that does. In single
precision, sums that cancel leave little but roundings. A result that differs from
PyTorch's is right if it is that of double precision, rounded, or as near to it as
PyTorch's.
"""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import numpy as np

from tests.fuzz.differences import difference
from tests.fuzz.outcomes import Outcome, TensorValue, outcome
from tests.oracle import torch

__all__ = ["as_near", "excuse", "in_double"]

NARROW = re.compile(r"torch\.(b?float16|float32)")
# What is made of no tensor is computed in the dtype that is named.
WINDOW = re.compile(r"(window|windows\.\w+)\([^()]*\)")
LARGEST = {"torch.float16": 65504.0}  # beyond, infinity is the right rounding
NEGLIGIBLE = 100  # how many times smaller than PyTorch's largest an error is
MADE = re.compile(r"dtype=torch\.(?:b?float16|float32)(, requires_grad=True)?\)")


def in_double(text: str) -> str:
    """The program with its tensors converted to double as soon as they are made.

    Example:
        >>> in_double("x = torch.ones(2, dtype=torch.float16, requires_grad=True)")
        'x = torch.ones(2, dtype=torch.float16).double().requires_grad_()'
        >>> in_double("m = nn.ReLU().to(torch.float16); v = v.to(y.dtype)")
        'm = nn.ReLU().to(torch.float16).double(); v = v.to(torch.float16).double()'
        >>> in_double("torch.hann_window(3, dtype=torch.float32)")
        'torch.hann_window(3, dtype=torch.float64)'
    """
    found = NARROW.search(text)
    if found is None:
        return text
    text = WINDOW.sub(lambda made: NARROW.sub("torch.float64", made[0]), text)
    text = text.replace(".to(y.dtype)", f".to({found[0]})")
    text = re.sub(r"(\.to\(torch\.(b?float16|float32)\))", r"\1.double()", text)
    return MADE.sub(_converted, text)


def _converted(made: re.Match[str]) -> str:
    kind, leaf = made[0].partition(")")[0].partition(",")[0], made[1]
    return f"{kind}).double()" + ".requires_grad_()" * bool(leaf)


def excuse(expected: Outcome, got: Outcome, text: str) -> str:
    """The kind of difference to ignore: "value" if double precision confirms it."""
    if got.error is not None or not NARROW.search(text):
        return ""
    return "value" if as_near(expected, got, in_double(text)) else ""


def as_near(expected: Outcome, got: Outcome, wide: str) -> bool:
    """Whether numbers are those of double precision, or as near to it as PyTorch's.

    Args:
        expected: what PyTorch gave.
        got: what edutorch gave.
        wide: the program in double precision.
    """
    exact = outcome(wide, torch, {})
    if exact.error is not None:
        return False
    exact.value = _as_dtypes_of(got.value, exact.value)
    if not difference(exact, got)[0]:
        return True
    return not difference(
        exact, Outcome(_nearer(exact.value, expected.value, got.value))
    )[0]


def _nearer(exact: Any, expected: Any, got: Any) -> Any:
    """The exact value for each number that is as near to it as PyTorch's number is.

    Errors are compared with PyTorch's for the same number, or are negligible beside its
    largest in the tensor: powers in 16 bits may overflow in one number alone. Where
    PyTorch's intermediate results overflow, whatever is left is as near. Rounding at every step leaves little of a gradient whose parts nearly cancel.
    """
    if difference(Outcome(exact), Outcome(got))[0] != "value":
        return got
    if isinstance(exact, list):
        parts = zip(exact, expected, got, strict=True)
        return [_nearer(*three) for three in parts]
    if not isinstance(exact, TensorValue) or exact.values.dtype.kind not in "fc":
        return got
    errors = abs(expected.values - exact.values)
    largest = errors[np.isfinite(errors)].max(initial=0)
    with np.errstate(invalid="ignore"):
        near = abs(got.values - exact.values) <= np.fmax(errors, largest / NEGLIGIBLE)
    overflown = np.isfinite(exact.values) & ~np.isfinite(expected.values)
    fits = abs(exact.values) <= LARGEST.get(exact.dtype, np.inf)
    near |= overflown & (fits | ~np.isfinite(got.values))
    values = np.where(near, exact.values, got.values)
    return dataclasses.replace(got, values=values)


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
