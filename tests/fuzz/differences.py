"""Where two outcomes differ, and how grave that is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from tests.fuzz.outcomes import Outcome, TensorValue

__all__ = ["REFUSALS", "TOLERANCE", "WRONG", "coarsest", "difference"]

# From the gravest kind on. Wrong results and lost processes fail a run; refusals, where
# only one library raises, or another class or other words, are counted; so are
# processes that are lost though edutorch alone lives through the program ("lost").
WRONG = ("crash", "hang", "value", "dtype", "shape", "requires_grad", "structure")
REFUSALS = ("refused", "accepted", "exception", "message")

# Allowed relative to the largest finite element of the expected tensor: some roundings
# of each dtype, in sums that are added in another order.
TOLERANCE = {
    "torch.float64": 1e-9, "torch.complex128": 1e-9,
    "torch.float32": 2e-5, "torch.complex64": 2e-5,
    "torch.float16": 3e-3, "torch.complex32": 3e-3, "torch.bfloat16": 2.4e-2,
    "torch.float8_e4m3fn": 0.13, "torch.float8_e5m2": 0.26,
}  # fmt: skip

# Below the normal numbers of each dtype, the order of products decides what is left; of
# float16, whose subnormal numbers are not small, one rounding may choose.
SUBNORMAL = {
    "torch.float16": 2.0**-24, "torch.float32": 2.0**-126, "torch.complex64": 2.0**-126,
    "torch.float64": 2.0**-1022, "torch.complex128": 2.0**-1022,
}  # fmt: skip

MIXED = {
    "float32": r"float32|\.double\(\)",
    "complex64": "complex64",
    "float16": "float16",
    "bfloat16": "bfloat16",
}


def coarsest(text: str) -> float:
    """The tolerance of the least precise dtype in a program.

    A part of its results is computed in that precision; 0 where all are of one.

    Example:
        >>> coarsest("F.mse_loss(torch.ones(2).double(), torch.ones(2))")
        2e-05
        >>> coarsest("torch.ones(2, dtype=torch.float64)")
        0
    """
    if not re.search(r"float64|complex128|\.double\(\)", text):
        return 0
    found = [kind for kind, words in MIXED.items() if re.search(words, text)]
    return max((TOLERANCE[f"torch.{kind}"] for kind in found), default=0)


def difference(
    expected: Outcome, got: Outcome, scale: float = 1, least: float = 0
) -> tuple[str, str]:
    """The gravest kind of difference ("" for none) and where it is.

    Args:
        expected: what PyTorch gave.
        got: what edutorch gave.
        scale: multiplies the tolerance of the values.
        least: the tolerance of those that would have a smaller one.
    """
    if expected.error is not None and got.error is not None:
        if type(expected.error).__name__ != type(got.error).__name__:
            return "exception", "another class"
        return ("", "") if expected.message == got.message else ("message", "")
    if got.error is not None:
        return "refused", "PyTorch gives a result"
    if expected.error is not None:
        return "accepted", "PyTorch refuses"
    found = sorted(_differences(expected.value, got.value, "result", (scale, least)))
    return found[0][1:] if found else ("", "")


def _differences(
    x: Any, y: Any, path: str, scale: tuple[float, float]
) -> Iterator[tuple[int, str, str]]:
    """Rank, kind and place of each difference of two described values."""
    kind = ""
    if type(x) is not type(y):
        kind = "structure"
    elif isinstance(x, (list, dict)):
        keys = range(len(x)) if isinstance(x, list) else x
        if len(x) == len(y) and (isinstance(x, list) or list(x) == list(y)):
            for key in keys:
                yield from _differences(x[key], y[key], f"{path}[{key!r}]", scale)
        else:
            kind = "structure"
    elif isinstance(x, TensorValue):
        kind = _tensor_kind(x, y, scale)
    elif isinstance(x, (float, complex)):
        kind = "" if _near(np.array(x), np.array(y), 1e-5 * scale[0]) else "value"
    elif x != y:  # of texts: names of nodes, representations
        kind = "message" if isinstance(x, str) else "value"
    if kind:
        yield (*WRONG, "message").index(kind), kind, path


def _tensor_kind(x: TensorValue, y: TensorValue, scale: tuple[float, float]) -> str:
    """How two tensors differ, in one word."""
    if x.dtype != y.dtype:
        return "dtype"
    if x.shape != y.shape or x.layout != y.layout:
        return "shape"
    if x.requires_grad != y.requires_grad:
        return "requires_grad"
    own = TOLERANCE.get(x.dtype, 0)
    tolerance = max(own, own and scale[1]) * scale[0]
    least = SUBNORMAL.get(x.dtype, 0.0)
    return "" if _near(x.values, y.values, tolerance, least) else "value"


def _near(x: Any, y: Any, tolerance: float, least: float = 0.0) -> bool:
    """Equal in every nan and infinity, near in every finite element.

    Differences up to `least` are roundings, however small the numbers are.
    """
    if x.shape != y.shape:  # one has no values to show, as on the meta device
        return False
    if tolerance == 0 or not x.size or x.dtype.kind not in "fc":
        return bool(np.array_equal(x, y))
    finite = np.isfinite(x)
    if not _alike(x[~finite], y[~finite]):
        return False
    wide = complex if x.dtype.kind == "c" else float
    x, y = x[finite].astype(wide), y[finite].astype(wide)
    if not (x.size and np.isfinite(y).all()):
        return not x.size
    # Beside infinities, finite elements may be what is left of terms that cancel.
    size = min(abs(x).max(), 1.0) if finite.all() else 1.0
    allowed = tolerance * (abs(x) + size)
    return bool((abs(x - y) <= np.maximum(allowed, least)).all())


def _alike(x: Any, y: Any) -> bool:
    """Equal infinities and nans; of complex numbers, nan in either part is nan."""
    if x.dtype.kind == "c":
        x, y = (np.where(np.isnan(v), np.nan, v) for v in (x, y))
    return bool(np.array_equal(x, y, equal_nan=True))
