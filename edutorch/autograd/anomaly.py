"""Anomaly detection: the line that ran a failing op, and the origin of a nan.

While it is enabled, every recorded op stores the stack trace of its forward call and
whether its result was finite. When backward fails or produces a nan, the error names
the line of the node, and the first op of the forward, or the first step of backward,
that produced a non-finite value.
"""

from __future__ import annotations

import traceback
from typing import Any

import numpy as np

from ..callers import HOME
from ..errors import shown_file
from ..tensor.tensor import Tensor
from . import modes as _m
from .modes import modes
from .node import Op

__all__ = ["check_gradients", "explain_error", "note_node", "record_forward"]


def record_forward(op: Op, out: Tensor) -> None:
    """Record which line ran an op, and whether its result is finite."""
    op.trace = traceback.extract_stack()[:-3]
    if _m.anomaly_check_nan and not _is_finite(out._data):
        op.nonfinite = True


def _is_finite(array: Any) -> bool:
    array = getattr(array, "values", array)  # the stored values of a sparse array
    return array.dtype.kind not in "fc" or bool(np.isfinite(array).all())


def check_gradients(node: Op, results: tuple[Any, ...]) -> None:
    """Reject nan in the gradients that a node has computed, and record infinities.

    Raises:
        RuntimeError: for nan, unless only lines are to be remembered.
    """
    if not _m.anomaly_check_nan:
        return
    for nr, g in enumerate(results):
        array = g._data if isinstance(g, Tensor) else g
        if array is None or _is_finite(array):
            continue
        if np.isnan(array).any():
            error = RuntimeError(
                f"Function '{node.name()}' returned nan values in its {nr}th output."
            )
            raise explain_error(node, error)
        if modes.task.overflowed is None:
            modes.task.overflowed = node


def note_node(error: Exception, node: Op) -> None:
    """Add a note on the node whose backward fails."""
    error.add_note(f"  in the backward of {node.describe()} ({node.name()})")


def explain_error(node: Op, error: Exception) -> Exception:
    """The error to raise when a node fails, with a note that names the node.

    If a saved tensor has changed its shape since, a formula fails with an error of
    NumPy's; PyTorch raises a RuntimeError.
    """
    foreign = isinstance(error, (ValueError, TypeError, IndexError))
    if (
        foreign
        and not node.user_defined
        and error.args
        and _is_numpy_shape_error(str(error))
    ):
        error = RuntimeError(
            f"Function {node.name()} cannot compute a gradient, as what it saved has "
            f"other shapes than in the forward: {error}"
        )
    if not getattr(error, "__notes__", None):
        note_node(error, node)
    if node.trace is None:
        return error
    error.add_note(f"  forward ran at {_user_line(node)}")
    if _m.anomaly_check_nan:
        first = _first_nonfinite(node)
        overflowed = modes.task.overflowed
        if first is not None:
            error.add_note(
                f"  first value that is not finite: the result of {first.describe()}, "
                f"made at {_user_line(first)}"
            )
        elif overflowed is not None and overflowed is not node:
            error.add_note(
                "  first gradient that is not finite: from the backward of "
                f"{overflowed.describe()}, whose forward ran at "
                f"{_user_line(overflowed)}"
            )
    return error


NUMPYS = (
    "broadcast", "reshape array", "No matching definition", "shape mismatch", "matmul",
    "mismatch in its core dimension", "is out of bounds for array of dimension",
    "zip() argument", "axes don't match", "boolean array index", "tuple index out of",
    "values to unpack",
)  # fmt: skip


def _is_numpy_shape_error(text: str) -> bool:
    """Whether a message is one of NumPy's about shapes that do not match."""
    return any(words in text for words in NUMPYS)


def _first_nonfinite(node: Op) -> Op | None:
    """The oldest op above a node, or itself, whose result was not finite."""
    found: list[Op] = []
    stack, seen = [node], {id(node)}
    while stack:
        op = stack.pop()
        if op.nonfinite:
            found.append(op)
        for edge in op.edges:
            if edge is not None and edge.is_op and id(edge) not in seen:
                seen.add(id(edge))
                stack.append(edge)
    return min(found, key=lambda op: op.seq, default=None)


def _user_line(op: Op) -> str:
    """The innermost line outside the library in the call stack of an op."""
    trace = op.trace or ()
    outside = [f for f in trace if not f.filename.startswith(HOME)]
    if not trace:
        return "an unknown line"
    where = outside[-1] if outside else trace[-1]
    file = shown_file(where.filename)
    return f"{file}:{where.lineno}, in {where.name}: {where.line}"
