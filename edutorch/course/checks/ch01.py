"""Chapter 1: tensors and NumPy sharing."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

import numpy as np

from edutorch.course.answer_calls import record_calls
from edutorch.course.compare_functions import compare_functions
from edutorch.course.exercise import Exercise

from .ch01_same_buffers import grade_same_buffer
from .ch01_shape_rules import (
    BROADCAST_MISTAKES,
    BROADCAST_RULE,
    BROADCAST_SHOWN,
    STANDARD_MISTAKES,
    STANDARD_SHOWN,
    STRIDE_MISTAKES,
    STRIDE_SHOWN,
    check_refusals,
    fresh_broadcast,
    fresh_numbers,
    fresh_shape,
    right_broadcast,
    right_standard,
    right_strides,
)
from .ch01_window_views import grade_windows
from .modules import refuse, watched_methods

__all__ = ["EXERCISES"]

BROADCASTS: Final = (
    "broadcast_shapes", "broadcast_tensors", "expand", "__add__", "add",
)  # fmt: skip
NUMPY_BROADCASTS: Final = ("broadcast_shapes", "broadcast_arrays", "broadcast_to")


def strides_of(answer: Any) -> None:
    """01.1: the strides of a contiguous tensor, from its shape."""
    compare_functions(
        answer,
        "strides_of",
        right=right_strides,
        shown=STRIDE_SHOWN,
        fresh=fresh_shape,
        rule="stride[d] = product of the sizes to the right of d",
        mistakes=STRIDE_MISTAKES,
        forbidden=("stride",),
        returns="integers",
    )


def broadcast_shape(answer: Any) -> None:
    """01.2: the shape that two shapes broadcast to."""
    with (
        record_calls() as recorded,
        watched_methods(np, *NUMPY_BROADCASTS) as used,
        suppress(Exception),
    ):
        answer((3, 1), (4,))
    if not recorded.any_of(BROADCASTS):  # the library calls NumPy's
        refuse(used, "np.{}", "the rule, written out by you")
    compare_functions(
        answer,
        "broadcast_shape",
        right=right_broadcast,
        shown=BROADCAST_SHOWN,
        fresh=fresh_broadcast,
        rule=BROADCAST_RULE,
        mistakes=BROADCAST_MISTAKES,
        returns="integers",
        forbidden=BROADCASTS,
    )
    check_refusals(answer)


def same_buffer(answer: Any) -> None:
    """01.3: whether two tensors share a buffer."""
    grade_same_buffer(answer)


def windows(answer: Any) -> None:
    """01.4: all k x k windows of an image, as a view with other strides."""
    grade_windows(answer)


def standardize(answer: Any) -> None:
    """01.5: fix a function that modifies its argument."""
    compare_functions(
        answer,
        "standardize",
        right=right_standard,
        shown=STANDARD_SHOWN,
        fresh=fresh_numbers,
        rule="y = (x - mean(x)) / std(x), and x is not changed",
        mistakes=STANDARD_MISTAKES,
        returns="tensor",
        dtypes=("float32", "float64"),
        tolerance=1e-4,
    )


EXERCISES = (
    Exercise(
        "01.1",
        "strides of a contiguous tensor",
        1,
        (
            "Begin with the last dimension: its stride is 1.",
            "Walk from the last size to the first; multiply as you go.",
            (
                "for size in reversed(shape): put the step into a list, then "
                "step *= max(size, 1). At the end reverse the list."
            ),
        ),
        strides_of,
    ),
    Exercise(
        "01.2",
        "the shape of a broadcast",
        2,
        (
            "Write one shape below the other, aligned on the right.",
            "Pad the shorter shape with 1s on the left, then go through both at once.",
            "Sizes p and q: if p == 1 take q; if q == 1 or p == q take p; else raise.",
        ),
        broadcast_shape,
    ),
    Exercise(
        "01.3",
        "do two tensors share a buffer?",
        1,
        (
            "Compare the storages themselves, not what the tensors show of them.",
            "x.untyped_storage() is the storage; every view of x has the same one.",
            (
                "Two storages are the same if their addresses are: "
                "untyped_storage().data_ptr()."
            ),
        ),
        same_buffer,
    ),
    Exercise(
        "01.4",
        "all windows of an image, by strides",
        2,
        (
            "torch.as_strided(x, size, stride) takes one stride for each size: four.",
            "One step down is as long between windows as inside one: x.stride(0).",
            (
                "size is (h - k + 1, w - k + 1, k, k); with down, right = x.stride() "
                "the strides are (down, right, down, right)."
            ),
        ),
        windows,
    ),
    Exercise(
        "01.5",
        "repair the function that changes x",
        1,
        (
            "Which two lines of `careless` write into the buffer of x?",
            "x -= m writes into x's buffer; x - m makes a new one.",
            "Give each intermediate value a new name, or write one expression.",
        ),
        standardize,
    ),
)
