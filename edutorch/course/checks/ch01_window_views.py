"""All windows of an image as a view: runs an answer, compares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from edutorch.course.compare import call_text, expect, need_function, need_tensor
from edutorch.course.failure import CheckFailed
from edutorch.course.random_cases import Draw, draws
from edutorch.ops.create import arange

__all__ = ["grade_windows"]

Array = npt.NDArray[Any]

RULE = "y[i, j, u, v] = x[i + u, j + v]"
SHARE = "as_strided is a view of the same memory; nothing is copied"


def grade_windows(answer: Any) -> None:
    """Check the elements, and that they lie in the memory of the image.

    Raises:
        CheckFailed: numbers differ, are not in a tensor, or were copied.
    """
    answer = need_function(answer, "windows")
    for x, k in _cases():
        array = x.numpy()
        right = np.lib.stride_tricks.sliding_window_view(np.array(array), (k, k))
        got = expect(
            answer, x, k, want=right, rule=RULE, wrong=_mistakes(array, k, right)
        )
        called = call_text(answer, (x, k), {})
        need_tensor(got, called=called, rule=SHARE)
        if not np.shares_memory(got.detach().numpy(), array):
            raise CheckFailed(
                "the numbers are right, but they were copied",
                called=called,
                rule=SHARE,
                mistake=_copied(answer, x, k),
            )


def _cases() -> Iterator[tuple[Any, int]]:
    wide = arange(20.0).reshape(4, 5)
    yield arange(16.0).reshape(4, 4), 2
    yield arange(9.0).reshape(3, 3), 2
    yield wide, 2
    yield wide, 3
    yield wide.t(), 2
    yield wide[1:, 2:], 2
    yield wide[::2], 2
    yield wide, 1
    yield arange(16.0).reshape(4, 4), 4
    for draw in draws(6, ("float32", "float64", "int64")):
        yield _drawn(draw)


def _drawn(draw: Draw) -> tuple[Any, int]:
    """A random view of a larger image, and a window that fits."""
    h, w = draw.size(4, 7), draw.size(4, 7)
    x = arange(float(h * w)).reshape(h, w)[draw.size(0, 1) :, draw.size(0, 2) :]
    x = x.t() if draw.choice((True, False)) else x
    return x, draw.size(1, min(x.shape))


def _copied(answer: Any, x: Any, k: int) -> str:
    """Why the answer copies: always, or only views that are not contiguous."""
    plain = x.clone().reshape(x.shape).contiguous()
    shares = np.shares_memory(answer(plain, k).detach().numpy(), plain.numpy())
    if shares and not x.is_contiguous():
        return "contiguous() and reshape copy a view like this one: use x.stride()"
    return "clone, stack and indexing by lists copy"


def _mistakes(x: Array, k: int, right: Array) -> dict[str, Any]:
    """The results of known mistakes."""
    h, w = x.shape
    down, across = (s // x.itemsize for s in x.strides)
    base = np.asarray(x.base if x.base is not None else x).reshape(-1)
    first = (x.__array_interface__["data"][0] - base.ctypes.data) // x.itemsize
    walk = {
        "the two strides were taken in the wrong order": (across, down) * 2,
        "x need not be contiguous: use x.stride()": (w, 1, w, 1),
        "a window's rows are as far apart as the image's: not k": (down, across, k, 1),
        "a row is w numbers long, not h: use x.stride()": (h, 1, h, 1),
        "windows overlap: they begin one step apart, not k": (
            k * down, k * across, down, across,
        ),
        "a step along the first dimension is a row, not a whole window": (
            down, down, across, across,
        ),
    }  # fmt: skip
    wrong = {
        words: _walked(base, first, right.shape, strides)
        for words, strides in walk.items()
    }
    begin = "a view may begin later in memory: without an offset as_strided keeps it"
    if first:
        wrong[begin] = _walked(base, 0, right.shape, (down, across) * 2)
    swapped = "windows and positions inside them are swapped"
    wrong[swapped] = right.transpose(2, 3, 0, 1)
    wrong["rows and columns inside a window are swapped"] = right.swapaxes(2, 3)
    wrong["the count of windows is h - k + 1: the first one counts, too"] = right[
        : h - k, : w - k
    ]
    wrong["the count of windows is w - k + 1 as well: one column is missing"] = right[
        :, : w - k
    ]
    wrong["the count of windows is h - k + 1 as well: one row is missing"] = right[
        : h - k
    ]
    n = min(right.shape[:2])
    wrong["the image need not be square: w - k + 1 windows in a row"] = right[:n, :n]
    if (h, w) != (k, k) and k != 2 and min(h, w) > 1:
        two = np.lib.stride_tricks.sliding_window_view(np.array(x), (2, 2))
        wrong["k is what the caller says, not always 2"] = two
    wrong["windows overlap: these are side by side"] = right[::k, ::k]
    wrong["the windows have the shape (rows, columns, k, k)"] = right.reshape(-1, k, k)
    return wrong


def _walked(
    base: Array, first: int, shape: Sequence[int], strides: Sequence[int]
) -> Array:
    """The result of wrong strides; offsets wrap around, so they stay in memory."""
    places = np.full(shape, first)
    for d, (size, stride) in enumerate(zip(shape, strides, strict=True)):
        steps = np.arange(size).reshape((-1,) + (1,) * (len(shape) - 1 - d))
        places = places + steps * stride
    return base[places % base.size]
