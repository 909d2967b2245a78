"""Strides, broadcasting and standardisation: right values, and known mistakes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, Final

import numpy as np

from edutorch.course.compare import expect_error
from edutorch.course.compare_functions import Mistake
from edutorch.course.failure import CheckFailed
from edutorch.course.random_cases import Draw, draws
from edutorch.ops.create import from_numpy

__all__ = [
    "BROADCAST_MISTAKES", "BROADCAST_RULE", "BROADCAST_SHOWN", "HUGE",
    "STANDARD_MISTAKES", "STANDARD_SHOWN", "STRIDE_MISTAKES", "STRIDE_SHOWN",
    "check_refusals", "fresh_broadcast", "fresh_numbers", "fresh_shape",
    "right_broadcast", "right_standard", "right_strides",
]  # fmt: skip

Shape = tuple[int, ...]
Function = Callable[..., Any]

# ---- strides

HUGE: Final = 10**15  # no tensor or array of such a shape fits into memory
STRIDE_SHOWN: Sequence[tuple[Shape]] = (
    ((2, 3, 4),),
    ((5,),),
    ((7, 2),),
    ((4, 1, 3, 2),),
    ((),),
    ((2, 0, 3),),
    ((3, 2, 0),),
    ((1, 1),),
    ((0, 4),),
    ((4, HUGE),),
)


def right_strides(shape: Shape) -> Shape:
    """The stride of each dimension."""
    return tuple(prod(max(n, 1) for n in shape[d + 1 :]) for d in range(len(shape)))


def fresh_shape(draw: Draw) -> tuple[Shape]:
    """A random shape."""
    return (tuple(draw.size(1, 7) for _ in range(draw.size(1, 5))),)


def _left(shape: Shape) -> Shape:
    return tuple(prod(shape[:d]) for d in range(len(shape)))


def _to_end(shape: Shape) -> Shape:
    return tuple(prod(max(n, 1) for n in shape[d:]) for d in range(len(shape)))


def _next_size(shape: Shape) -> Shape:
    return (*shape[1:], 1) if shape else ()


def _added(shape: Shape) -> Shape:
    return tuple(sum(shape[d + 1 :]) or 1 for d in range(len(shape)))


def _to_right(shape: Shape) -> Shape:
    return tuple(prod(shape[d + 1 :]) for d in range(len(shape)))


def _product(shape: Shape) -> Shape:
    return (prod(max(n, 1) for n in shape),)[: len(shape)]


def _accumulated(sizes: Shape) -> Shape:
    """A mistake: cumulative products from the left, largest first."""
    return tuple(prod(sizes[:d]) for d in range(len(sizes), -1, -1))


STRIDE_MISTAKES: dict[str, Mistake] = {
    "a size of 0 counts as 1 for the strides": lambda shape: tuple(
        prod(shape[d + 1 :]) for d in range(len(shape))
    ),
    "strides count elements, not bytes": lambda shape: tuple(
        4 * s for s in right_strides(shape)
    ),
    "strides count elements, not bytes of float64": lambda shape: tuple(
        8 * s for s in right_strides(shape)
    ),
    "the sizes to the LEFT were multiplied: that is column order": _left,
    "the dimension's own size belongs to the stride of the one before": _to_end,
    "the dimension's own size belongs to the stride of the one before, and 0 counts "
    "as 1": lambda shape: tuple(prod(shape[d:]) for d in range(len(shape))),
    "the strides are right, but in reverse order": lambda s: right_strides(s)[::-1],
    "the strides are in reverse order, and a size of 0 counts as 1": lambda shape: (
        tuple(prod(shape[d + 1 :]) for d in range(len(shape)))[::-1]
    ),
    "the sizes to the right are multiplied: here only the next one counts": _next_size,
    "the sizes to the right are multiplied, not added": _added,
    "each size of 0 counts as 1, not only a product of 0": lambda shape: tuple(
        max(prod(shape[d + 1 :]), 1) for d in range(len(shape))
    ),
    "begin with the last size, not with the first": lambda shape: tuple(
        prod(max(n, 1) for n in shape[: len(shape) - 1 - d]) for d in range(len(shape))
    ),
    "the sizes to the right are multiplied: here 1 was added to their sum": (
        lambda shape: tuple(
            1 + sum(max(n, 1) for n in shape[d + 1 :]) for d in range(len(shape))
        )
    ),
    "the last size was left out": lambda shape: right_strides(shape[:-1]),
    "that is the shape itself": lambda shape: shape,
    "the last dimension has a stride, too: 1": lambda shape: right_strides(shape)[:-1],
    "where a size is 0 the strides are not all 0: it counts as 1": lambda shape: (
        (0,) * len(shape) if 0 in shape else right_strides(shape)
    ),
    "strides count elements, not bytes of NumPy's floats": (
        lambda shape: tuple(8 * prod(shape[d + 1 :]) for d in range(len(shape))),
        lambda shape: tuple(4 * prod(shape[d + 1 :]) for d in range(len(shape))),
        lambda shape: np.zeros(shape).strides,
        lambda shape: np.zeros(shape, np.float32).strides,
    ),
    "the first stride was never set: the loop ends one step too early": lambda shape: (
        (1, *right_strides(shape)[1:]) if shape else ()
    ),
    "a shape () has no strides: return ()": (
        lambda shape: right_strides(shape) or (1,),
        lambda shape: right_strides(shape) or 1,
    ),
    "strides[i - 1] is the LAST stride where i is 0: end the loop at 1": (
        lambda shape: (*right_strides(shape)[:-1], *_product(shape)),
        lambda shape: (*_to_right(shape)[:-1], *(prod(shape),)[: len(shape)]),
    ),
    "each stride is the one on its right times the size there: begin at the right": (
        lambda shape: _accumulated(shape[1:])
    ),
}

# ---- broadcasting

BROADCAST_RULE = (
    "from the right: equal sizes stay, a 1 (or nothing) takes the other size"
)
BROADCAST_SHOWN: Sequence[tuple[Shape, Shape]] = (
    ((3, 1), (4,)),
    ((2, 3), (2, 3)),
    ((5,), (2, 3, 5)),
    ((2, 3, 5), (5,)),
    ((6, 1, 8), (7, 1)),
    ((), (4, 2)),
    ((4, 2), ()),
    ((), ()),
    ((1,), (0,)),
    ((0, 2), (1, 1)),
    ((4, 1), (4, 4)),
    ((1, 5), (3, 1, 1)),
    ((HUGE, 1), (HUGE,)),
)
REFUSED: Sequence[tuple[Shape, Shape]] = (
    ((3,), (4,)),
    ((2, 3), (3, 2)),
    ((2, 1, 3), (4, 2)),
    ((0,), (3,)),
    ((3, 2), (3,)),
    ((6,), (2,)),
)


def right_broadcast(a: Shape, b: Shape) -> Shape:
    """The shape that two shapes broadcast to."""
    return _paired(a, b, _other)


def fresh_broadcast(draw: Draw) -> tuple[Shape, Shape]:
    """Two random shapes that broadcast."""
    full = [draw.size(0, 6) for _ in range(draw.size(1, 4))]
    a, b = list(full), list(full)
    for i in range(len(full)):
        side = draw.size(0, 2)
        if side:
            (a if side == 1 else b)[i] = 1
    cut = draw.size(0, len(full))
    shorter = draw.choice((a, b))
    del shorter[:cut]
    return tuple(a), tuple(b)


def check_refusals(answer: Function) -> None:
    """Check that shapes that do not broadcast raise, also random ones."""
    drawn = [
        (
            (draw.size(1, 5), n),
            (draw.choice((1, 3)), n + draw.choice((1, 2, 5))),
        )
        for draw in draws(6, ("float32",))
        if (n := draw.size(2, 6))
    ]
    for a, b in (*REFUSED, *drawn):
        try:
            expect_error(
                answer, a, b, errors=(ValueError, RuntimeError), rule=BROADCAST_RULE
            )
        except CheckFailed as failure:
            if 0 in (*a, *b) and not failure.mistake:
                failure.mistake = "0 is a size like any other: it meets only 0 and 1"
            raise


def _paired(a: Shape, b: Shape, choose: Callable[[int, int], int]) -> Shape:
    """Align the shapes at the right, and choose a size from each pair."""
    n = max(len(a), len(b))
    a, b = ((1,) * (n - len(s)) + tuple(s) for s in (a, b))
    return tuple(choose(p, q) for p, q in zip(a, b, strict=True))


def _lined_up_left(choose: Callable[[int, int], int]) -> Function:
    def made(a: Shape, b: Shape) -> Shape:
        n = max(len(a), len(b))
        a, b = (tuple(s) + (1,) * (n - len(s)) for s in (a, b))
        return tuple(choose(p, q) for p, q in zip(a, b, strict=True))

    return made


def _other(p: int, q: int) -> int:
    return q if p == 1 else p


def _other_or_refuse(p: int, q: int) -> int:
    if p != q and 1 not in (p, q):
        raise ValueError(f"{p} and {q}")
    return _other(p, q)


def _refused_empty(a: Shape, b: Shape) -> Shape:
    if 0 in a or 0 in b:
        raise ValueError("0")
    return right_broadcast(a, b)


def _cut(a: Shape, b: Shape) -> Shape:
    right, n = right_broadcast(a, b), min(len(a), len(b))
    return right[len(right) - n :] if n else ()


def _filled_with_zeros(a: Shape, b: Shape) -> Shape:
    n = max(len(a), len(b))
    a, b = ((0,) * (n - len(s)) + tuple(s) for s in (a, b))
    return tuple(q if p in (0, 1) else p for p, q in zip(a, b, strict=True))


def _same_length(a: Shape, b: Shape) -> Shape:
    if len(a) != len(b):
        raise ValueError("different numbers of dimensions")
    return _paired(a, b, _other_or_refuse)


def _zipped(choose: Callable[[int, int], int]) -> Function:
    """A mistake: left-aligned, and cut to the shorter length."""
    return lambda a, b: tuple(choose(p, q) for p, q in zip(a, b, strict=False))


BROADCAST_MISTAKES: dict[str, Mistake] = {
    "size 1 takes the OTHER size, which may be 0, so max is wrong": (
        lambda a, b: _paired(a, b, max)
    ),
    "the shapes were aligned on the left; align them on the right": (
        _lined_up_left(_other_or_refuse),
        _zipped(_other_or_refuse),
        _zipped(_other),
    ),
    "aligned on the left, and nothing is refused; align them on the right": (
        _lined_up_left(_other)
    ),
    "aligned on the left, and the larger size taken; align them on the right": (
        _lined_up_left(max)
    ),
    "the 1 takes the other size: this is the other way round": (
        lambda a, b: _paired(a, b, lambda p, q: p if p == 1 else q)
    ),
    "a size of 0 is a size like any other": _refused_empty,
    "the extra dimensions of the longer shape were lost": _cut,
    "the result is in reverse order": lambda a, b: right_broadcast(a, b)[::-1],
    "a 1 takes the OTHER size: here the first shape's is always taken": (
        lambda a, b: _paired(a, b, lambda p, _: p)
    ),
    "a 1 takes the OTHER size: here the second shape's is always taken": (
        lambda a, b: _paired(a, b, lambda _, q: q)
    ),
    "sizes are not multiplied: this is not an outer product": (
        lambda a, b: _paired(a, b, lambda p, q: p * q)
    ),
    "no size becomes 1: the 1 takes the other size": lambda a, b: _paired(a, b, min),
    "nothing on the left counts as 1, not as 0": _filled_with_zeros,
    "a shape may have fewer dimensions than the other: fill it with 1s on the left": (
        _same_length
    ),
    "the shapes are not concatenated": lambda a, b: (*a, *b),
}

# ---- standardizing


def _given(values: Any) -> tuple[Any]:
    return (from_numpy(np.array(values, dtype=np.float32)),)


STANDARD_SHOWN = (
    _given([1, 2, 3]),
    _given([[2, -2], [6, 10]]),
    _given([[1, 2, 6], [0, -5, 4]]),
    _given([0.5, 0.5, 2.0, 7.0, -1.0]),
    _given([1e-6, 2e-6, 4e-6]),  # a small number added to std is noticed
    _given([[3e-6, -1e-6], [0, 2e-6]]),
)


def right_standard(x: Any) -> Any:
    """The right value in a new tensor."""
    array = x.numpy()
    value = (array - array.mean()) / array.std(ddof=1)
    return from_numpy(value.astype(array.dtype))


def fresh_numbers(draw: Draw) -> tuple[Any]:
    """A random tensor; about half of them are transposed."""
    x = draw.tensor(draw.size(2, 5), draw.size(2, 5), low=-4.0, high=7.0)
    return (x.t() if draw.choice((True, False)) else x,)


def _of_array(change: Callable[[Any], Any]) -> Function:
    return lambda x: change(x.numpy())


def _more(small: float) -> Function:
    return _of_array(lambda x: (x - x.mean()) / (x.std(ddof=1) + small))


STANDARD_MISTAKES: dict[str, Mistake] = {
    "nothing is added to the standard deviation": tuple(
        map(_more, (1e-8, 1e-7, 1e-6, 1e-5, 1e-3))
    ),
    "x was divided by its variance, not by its standard deviation": _of_array(
        lambda x: (x - x.mean()) / x.var(ddof=1)
    ),
    "the mean was not subtracted": _of_array(lambda x: x / x.std(ddof=1)),
    "it was not divided by the standard deviation": _of_array(lambda x: x - x.mean()),
    "std divides by count - 1, as torch's does": (
        _of_array(lambda x: (x - x.mean()) / x.std()),
        _of_array(lambda x: (x - x.mean()) / np.sqrt(x.var() + 1e-5)),
    ),
    "subtract the mean first, then divide: use brackets": _of_array(
        lambda x: x - x.mean() / x.std(ddof=1)
    ),
    "multiplied by the standard deviation": _of_array(
        lambda x: (x - x.mean()) * x.std(ddof=1)
    ),
    "one mean for all numbers, not one for each column": _of_array(
        lambda x: (x - x.mean(0)) / x.std(0, ddof=1)
    ),
    "one mean for all numbers, not one for each row": _of_array(
        lambda x: (x - x.mean(-1, keepdims=True)) / x.std(-1, ddof=1, keepdims=True)
    ),
    "the mean is subtracted first, and then it is divided": _of_array(
        lambda x: x / x.std(ddof=1) - x.mean()
    ),
    "one mean for all numbers, not one for each column; one std as well": _of_array(
        lambda x: (x - x.mean(0)) / x.std(ddof=1)
    ),
    "the sign is wrong: x - mean": _of_array(lambda x: (x.mean() - x) / x.std(ddof=1)),
    "that scales x to 0 to 1; mean 0 and standard deviation 1 are wanted": _of_array(
        lambda x: (x - x.min()) / (x.max() - x.min())
    ),
    "the median is not the mean": _of_array(
        lambda x: (x - np.sort(x.reshape(-1))[(x.size - 1) // 2]) / x.std(ddof=1)
    ),
}
