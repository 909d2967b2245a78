"""Chapter 1: tensors and NumPy sharing."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from edutorch.course.compare import (
    call,
    call_text,
    expect,
    expect_error,
    need_bool,
    need_function,
    need_tensor,
)
from edutorch.course.exercise import Exercise
from edutorch.course.failure import CheckFailed
from edutorch.ops.create import arange, from_numpy, tensor

__all__ = ["EXERCISES"]

Shape = tuple[int, ...]


def strides_of(answer: Any) -> None:
    """01.1: the strides of a contiguous tensor, from its shape."""
    answer = need_function(answer, "strides_of")
    for shape in ((2, 3, 4), (5,), (7, 2), (4, 1, 3, 2), ()):
        right = tuple(prod(shape[d + 1 :]) for d in range(len(shape)))
        expect(
            answer,
            shape,
            want=right,
            rule="stride[d] = product of the sizes to the right of d",
            wrong={
                "strides count elements, not bytes": tuple(4 * s for s in right),
                "the sizes to the LEFT were multiplied: that is column order": tuple(
                    prod(shape[:d]) for d in range(len(shape))
                ),
                "the dimension's own size belongs to the stride of the one before": (
                    tuple(prod(shape[d:]) for d in range(len(shape)))
                ),
                "the strides are right, but in reverse order": right[::-1],
            },
        )


def broadcast_shape(answer: Any) -> None:
    """01.2: the shape that two shapes broadcast to."""
    answer = need_function(answer, "broadcast_shape")
    rule = "from the right: equal sizes stay, a 1 (or nothing) takes the other size"
    cases = (
        ((3, 1), (4,)),
        ((2, 3), (2, 3)),
        ((5,), (2, 3, 5)),
        ((6, 1, 8), (7, 1)),
        ((), (4, 2)),
        ((1,), (0,)),
        ((4, 1), (4, 4)),
    )
    for a, b in cases:
        right = np.broadcast_shapes(a, b)
        wrong = {
            "size 1 gives way to the OTHER size, which may be 0; max is not it": (
                _largest(a, b)
            ),
            "the shapes were lined up at the left; line them up at the right": (
                _lined_up_left(a, b)
            ),
            "the extra dimensions of the longer shape were lost": right[
                len(right) - min(len(a), len(b)) :
            ],
        }
        expect(answer, a, b, want=right, rule=rule, wrong=wrong)
    for a, b in (((3,), (4,)), ((2, 3), (3, 2)), ((2, 1, 3), (4, 2))):
        expect_error(answer, a, b, errors=(ValueError, RuntimeError), rule=rule)


def same_buffer(answer: Any) -> None:
    """01.3: whether two tensors live in the same buffer."""
    answer = need_function(answer, "same_buffer")
    rule = "views keep the storage they were made from; copies get a new one"
    x = arange(6.0).reshape(2, 3)
    array = np.arange(6.0)
    address = "data_ptr() is where a tensor's FIRST element lies; ask its storage"
    bounds = "two views may use different elements of one buffer; ask its storage"
    equal = "equal numbers or shapes prove nothing: a copy has them too"
    cases = (
        ("x and x.t()", x, x.t(), True, "a view is a new object over the same buffer"),
        ("x and x[1]", x, x[1], True, address),
        ("x[0] and x[1]", x[0], x[1], True, bounds),
        ("x and x.clone()", x, x.clone(), False, equal),
        ("x and x + 0", x, x + 0, False, equal),
        (
            "from_numpy(a) and from_numpy(a[2:])",
            from_numpy(array),
            from_numpy(array)[2:],
            True,
            address,
        ),
    )
    for words, a, b, right, mistake in cases:
        called = f"{call_text(answer, (), {})[:-1]}{words.replace(' and ', ', ')})"
        got = call(answer, a, b, called=called, rule=rule, want=right)
        if need_bool(got, called=called, expected=right, rule=rule) is not right:
            raise CheckFailed(
                f"not right for {words}",
                called=called,
                got=str(got),
                expected=str(right),
                rule=rule,
                mistake=mistake,
            )


def windows(answer: Any) -> None:
    """01.4: every k x k window of an image, by strides alone."""
    answer = need_function(answer, "windows")
    wide = arange(20.0).reshape(4, 5)
    for x, k in ((arange(9.0).reshape(3, 3), 2), (wide, 3), (wide.t(), 2)):
        image = np.array(x.numpy())
        right = np.lib.stride_tricks.sliding_window_view(image, (k, k))
        got = expect(
            answer,
            x,
            k,
            want=right,
            rule="y[i, j, u, v] = x[i + u, j + v]",
            wrong=_wrong_windows(x.numpy(), k, right),
        )
        share = "as_strided shows the same memory again; nothing is copied"
        called = call_text(answer, (x, k), {})
        need_tensor(got, called=called, rule=share)
        if not np.shares_memory(got.detach().numpy(), x.numpy()):
            raise CheckFailed(
                "the numbers are right, but they were copied",
                called=called,
                rule=share,
            )


def standardize(answer: Any) -> None:
    """01.5: repair a function that changes its argument."""
    answer = need_function(answer, "standardize")
    for values in ([1.0, 2.0, 3.0], [[2.0, -2.0], [6.0, 10.0]]):
        x = np.array(values, dtype=np.float32)
        centred = x - x.mean()
        expect(
            answer,
            tensor(values),
            want=centred / x.std(ddof=1),
            rule="y = (x - mean(x)) / std(x), and x keeps its numbers",
            wrong={
                "x was divided by its variance, not by its standard deviation": (
                    centred / x.var(ddof=1)
                ),
                "the mean was not taken away": x / x.std(ddof=1),
            },
        )


def _lined_up_left(a: Shape, b: Shape) -> Shape:
    short, long = sorted((a, b), key=len)
    padded = short + (1,) * (len(long) - len(short))
    return tuple(max(pair) for pair in zip(padded, long, strict=True))


def _largest(a: Shape, b: Shape) -> Shape:
    short, long = sorted((a, b), key=len)
    padded = (1,) * (len(long) - len(short)) + short
    return tuple(max(pair) for pair in zip(padded, long, strict=True))


def _wrong_windows(x: Any, k: int, right: Any) -> dict[str, Any]:
    rows, columns = right.shape[:2]
    wrong = {
        "the two strides were taken in the wrong order": _strided(
            x, (rows, columns, k, k), x.strides[::-1] * 2
        )
    }
    if not x.flags.c_contiguous:
        wrong["x need not be contiguous: ask x.stride()"] = _strided(
            x, right.shape, (x.shape[1] * 4, 4) * 2
        )
    swapped = "windows and positions inside them are swapped"
    return wrong | {swapped: right.transpose(2, 3, 0, 1)}


def _strided(x: Any, shape: Sequence[int], strides: Sequence[int]) -> Any:
    """The view a wrong stride gives; indices wrap round, so it never leaves x."""
    index = sum(
        np.arange(size).reshape((-1,) + (1,) * (len(shape) - 1 - d)) * stride // 4
        for d, (size, stride) in enumerate(zip(shape, strides, strict=True))
    )
    return x.ravel(order="K")[index % x.size]


EXERCISES = (
    Exercise(
        "01.1",
        "strides of a contiguous tensor",
        1,
        (
            "Begin with the last dimension: its stride is 1.",
            "Walk from the last size to the first; multiply as you go.",
        ),
        strides_of,
    ),
    Exercise(
        "01.2",
        "the shape of a broadcast",
        2,
        (
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
            "x.untyped_storage() is the buffer; every view of x answers with the same.",
            "A buffer is known by its address: untyped_storage().data_ptr().",
        ),
        same_buffer,
    ),
    Exercise(
        "01.4",
        "all windows of an image, by strides",
        2,
        (
            "torch.as_strided(x, size, stride) takes one stride for each size: four.",
            "One step down costs the same between windows and inside one: x.stride(0).",
        ),
        windows,
    ),
    Exercise(
        "01.5",
        "repair the function that changes x",
        1,
        (
            "x -= m writes into x's buffer; x - m makes a new one.",
            "Give each intermediate value a new name.",
        ),
        standardize,
    ),
)
