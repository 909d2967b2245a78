"""Checks of chapter 18 for replicas: parts of a batch, gradients and statistics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from edutorch.course.compare import need_function, show
from edutorch.course.compare_functions import Mistake, compare_functions
from edutorch.course.failure import CheckFailed
from edutorch.course.random_cases import Draw
from edutorch.ops import arange, cat, tensor

from .parts import against_parts

__all__ = ["batch_statistics", "reduce_gradients", "scatter"]

Function = Callable[..., Any]

# ---- 18.1

SCATTER_RULE = "parts of ceil(rows / count) rows in order; the last may be shorter"


def _cut(x: Any, size: int) -> list[Any]:
    return [x[i : i + size] for i in range(0, len(x), size)]


def _right_scatter(x: Any, count: int) -> list[Any]:
    return _cut(x, -(-len(x) // count))


def _floor(x: Any, count: int) -> list[Any]:
    size = len(x) // count
    return [x[i * size : (i + 1) * size] for i in range(count)]


def _floor_all(x: Any, count: int) -> list[Any]:
    size = len(x) // count
    return _cut(x, size) if size else [x]


def _floor_last(x: Any, count: int) -> list[Any]:
    parts = _floor(x, count)
    return [*parts[:-1], x[(count - 1) * (len(x) // count) :]]


def _even(x: Any, count: int) -> list[Any]:
    size, over = divmod(len(x), count)
    ends = [i * size + min(i, over) for i in range(count + 1)]
    return [x[a:b] for a, b in pairwise(ends)]


SIZES: dict[str, Function] = {
    "rounded down: the last rows are in no part": _floor,
    "rounded down: there are more parts than replicas": _floor_all,
    "rounded down: the last part has all that is left over": _floor_last,
    "round the size of a part up: here the first parts have one row more": _even,
    "empty parts are left out: a replica without rows has nothing to do": (
        lambda x, count: [
            x[i * -(-len(x) // count) : (i + 1) * -(-len(x) // count)]
            for i in range(count)
        ]
    ),
    "count is how many parts there are, not how long they are": _cut,
    "the first replica gets everything: the batch is not cut": lambda x, _count: [x],
    "each row is a part of its own": lambda x, _count: _cut(x, 1),
    "the first part is missing": lambda x, count: _right_scatter(x, count)[1:],
    "the last part is missing": lambda x, count: _right_scatter(x, count)[:-1],
    "every replica gets the whole batch: that is replicate": (
        lambda x, count: [x for _ in range(count)]
    ),
    "cut the rows (dimension 0), not the columns": (
        lambda x, count: [x] * len(_right_scatter(x.T, count))
    ),
    "each part has to be a piece of the batch, not all of it": (
        lambda x, count: [x for _ in _right_scatter(x, count)]
    ),
}
ROWS: dict[str, Mistake] = {
    "replica i gets the rows i, i + count, ...: keep rows together": (
        lambda x, count: cat([x[i::count] for i in range(count)])
    ),
    "the parts are in the wrong order": (
        lambda x, count: cat(_right_scatter(x, count)[::-1])
    ),
    "rows are in the wrong order": lambda x, _count: x.flip(0),
    "every part is the first one": (
        lambda x, count: cat([x[: len(part)] for part in _right_scatter(x, count)])
    ),
}


def scatter(answer: Any) -> None:
    """18.1: a batch in parts."""
    answer = need_function(answer, "scatter")

    def sizes(x: Any, count: int) -> list[int]:
        return [len(part) for part in _parts(answer(x, count))]

    def rows(x: Any, count: int) -> Any:
        return cat(list(_parts(answer(x, count))))

    sizes.__name__ = "sizes of scatter"
    rows.__name__ = "rows of scatter"
    x = arange(10.0).reshape(5, 2)
    shown = ((x, 2), (x, 4), (x, 1), (x, 5), (x[:4], 3))
    compare_functions(
        sizes,
        "scatter",
        right=lambda x, count: [len(part) for part in _right_scatter(x, count)],
        shown=shown,
        fresh=_fresh_batch,
        rule=SCATTER_RULE,
        mistakes={words: _lengths(formula) for words, formula in SIZES.items()},
    )
    compare_functions(
        rows,
        "scatter",
        right=lambda x, count: cat(_right_scatter(x, count)),
        shown=shown,
        fresh=_fresh_batch,
        rule=SCATTER_RULE,
        mistakes=ROWS,
        returns="tensor",
    )


def _lengths(formula: Function) -> Function:
    return lambda x, count: [len(part) for part in formula(x, count)]


def _parts(got: Any) -> Sequence[Any]:
    """The learner's result, which must be a list of tensors."""
    if got is None:
        raise CheckFailed(
            "scatter returned None", expected="a list of tensors",
            rule=SCATTER_RULE, mistake="is a return missing?",
        )  # fmt: skip
    if not isinstance(got, list | tuple) or not all(hasattr(t, "dtype") for t in got):
        raise CheckFailed(
            "scatter returned something that is not a list of tensors",
            got=f"{show(got)}, a {type(got).__name__}",
            expected="a list with a tensor for each replica",
            rule=SCATTER_RULE,
        )
    return got


def _fresh_batch(draw: Draw) -> tuple[Any, int]:
    count = draw.size(2, 6)
    return draw.tensor(draw.size(count, 13), 2), count


# ---- 18.2

REDUCE_RULE = "sum of gradient times rows, divided by the sum of the rows"


def _right_reduce(gradients: Any, rows: Any) -> Any:
    parts = zip(gradients, rows, strict=True)
    return sum(g * count for g, count in parts) / sum(rows)


REDUCE: dict[str, Mistake] = {
    "that is the sum: the loss is a mean": lambda gs, _rows: sum(gs),
    "parts of different lengths count the same: weight each by its rows": (
        lambda gs, _rows: sum(gs) / len(gs)
    ),
    "divide by all rows, not by the number of replicas": (
        lambda gs, rows: _right_reduce(gs, rows) * sum(rows) / len(gs)
    ),
    "it is not divided by the number of rows": (
        lambda gs, rows: _right_reduce(gs, rows) * sum(rows)
    ),
    "the mean is taken twice": lambda gs, rows: _right_reduce(gs, rows) / len(gs),
    "divide by the rows of all parts, not of the last": (
        lambda gs, rows: _right_reduce(gs, rows) * sum(rows) / rows[-1]
    ),
    "divide by the rows of all parts, not of the longest": (
        lambda gs, rows: _right_reduce(gs, rows) * sum(rows) / max(rows)
    ),
    "divide and multiply are swapped: long parts must count more": (
        lambda gs, rows: sum(g / n for g, n in zip(gs, rows, strict=True)),
        lambda gs, rows: sum(g / n for g, n in zip(gs, rows, strict=True)) / sum(rows),
        lambda gs, rows: sum(g / n for g, n in zip(gs, rows, strict=True)) * sum(rows),
        lambda gs, rows: sum(g / n for g, n in zip(gs, rows, strict=True)) / len(gs),
    ),
    "divided by all rows, but nothing was multiplied": (
        lambda gs, rows: sum(gs) / sum(rows)
    ),
    "that is the gradient of one replica": (
        lambda gs, _rows: gs[0] * 1,
        lambda gs, _rows: gs[-1] * 1,
    ),
    "one replica is missing": (
        lambda gs, rows: _right_reduce([0 * gs[0], *gs[1:]], rows),
        lambda gs, rows: _right_reduce([*gs[:-1], 0 * gs[-1]], rows),
    ),
    "the wrong rows: gradients and rows are in the same order": (
        lambda gs, rows: _right_reduce(gs, rows[::-1])
    ),
    "the sign is wrong": lambda gs, rows: -_right_reduce(gs, rows),
}  # fmt: skip


def reduce_gradients(answer: Any) -> None:
    """18.2: gradients of parts of different lengths."""
    shown = (
        ([tensor([1.0, 0.0]), tensor([4.0, 3.0])], [2, 1]),
        ([tensor([1.0, 5.0]), tensor([3.0, -5.0])], [4, 4]),
        ([tensor([[2.0], [7.0]])], [3]),
    )
    compare_functions(
        answer,
        "reduce_gradients",
        right=_right_reduce,
        shown=shown,
        fresh=_fresh_gradients,
        rule=REDUCE_RULE,
        mistakes=REDUCE,
        returns="tensor",
        dtypes=("float32", "float64"),
    )


def _fresh_gradients(draw: Draw) -> tuple[list[Any], list[int]]:
    replicas, shape = draw.size(2, 5), (draw.size(1, 3), draw.size(2, 4))
    gradients = [draw.tensor(*shape) for _ in range(replicas)]
    return gradients, [draw.size(1, 9) for _ in range(replicas)]


# ---- 18.4

STATISTICS_RULE = (
    "mean = sum of all rows / number of all rows; var = mean square of the distance "
    "from THAT mean"
)


def _right_statistics(parts: Any) -> tuple[Any, Any]:
    whole = cat(list(parts))
    return whole.mean(dim=0), whole.var(dim=0, correction=0)


def _mean_with(formula: Function) -> Function:
    return lambda parts: (formula(parts), _right_statistics(parts)[1])


def _var_with(formula: Function) -> Function:
    return lambda parts: (_right_statistics(parts)[0], formula(parts))


def _mean_of_means(parts: Any) -> Any:
    return sum(p.mean(dim=0) for p in parts) / len(parts)


def _mean_of_variances(parts: Any) -> Any:
    return sum(p.var(dim=0, correction=0) for p in parts) / len(parts)


def _rows(parts: Any) -> int:
    return sum(len(p) for p in parts)


def _within(parts: Any) -> Any:
    return sum(p.var(dim=0, correction=0) * len(p) for p in parts) / _rows(parts)


def _square(parts: Any) -> Any:
    return sum((p * p).sum(dim=0) for p in parts) / _rows(parts)


STATISTICS: dict[str, Function] = {
    "the mean of means counts short parts too much": _mean_with(_mean_of_means),
    "that is the sum, not the mean": _mean_with(
        lambda parts: sum(p.sum(dim=0) for p in parts)
    ),
    "the sum is divided by the number of parts": _mean_with(
        lambda parts: sum(p.sum(dim=0) for p in parts) / len(parts)
    ),
    "that is the mean of one part": _mean_with(lambda parts: parts[0].mean(dim=0)),
    "the mean of variances forgets how far the parts are apart": _var_with(
        _mean_of_variances
    ),
    "weighted variances within parts forget how far the parts are apart": _var_with(
        _within
    ),
    "divide by the rows, not by rows - 1": _var_with(
        lambda parts: _right_statistics(parts)[1] * _rows(parts) / (_rows(parts) - 1)
    ),
    "that is the standard deviation: return its square": _var_with(
        lambda parts: _right_statistics(parts)[1].sqrt()
    ),
    "the mean's square is not subtracted": _var_with(_square),
    "the mean is subtracted, not its square": _var_with(
        lambda parts: _square(parts) - _right_statistics(parts)[0]
    ),
    "the squares' sum is not divided by the rows": _var_with(
        lambda parts: _right_statistics(parts)[1] * _rows(parts)
    ),
    "the squares' sum is divided by the number of parts": _var_with(
        lambda parts: _right_statistics(parts)[1] * _rows(parts) / len(parts)
    ),
    "that is the variance of the parts' means": _var_with(
        lambda parts: (
            sum((p.mean(dim=0) - _right_statistics(parts)[0]) ** 2 for p in parts)
            / len(parts)
        )
    ),
    "the variance is that of one part": _var_with(
        lambda parts: parts[0].var(dim=0, correction=0)
    ),
    "the distances are summed without a square": _var_with(
        lambda parts: 0 * _square(parts)
    ),
}


def batch_statistics(answer: Any) -> None:
    """18.4: mean and variance over all parts."""
    against_parts(
        answer,
        "batch_statistics",
        ("mean", "var"),
        right=_right_statistics,
        shown=(
            ([tensor([[0.0], [2.0]]), tensor([[7.0]])],),
            ([tensor([[1.0, 2.0], [3.0, -4.0]]), tensor([[5.0, 0.0], [9.0, 2.0]])],),
            ([tensor([[1.0, 2.0], [3.0, -4.0]])],),
        ),
        fresh=_fresh_parts,
        rule=STATISTICS_RULE,
        mistakes=STATISTICS,
        returns="tensor",
        tolerance=1e-4,
    )


def _fresh_parts(draw: Draw) -> tuple[list[Any]]:
    columns = draw.size(1, 4)
    parts = [draw.tensor(draw.size(1, 6), columns) for _ in range(draw.size(2, 4))]
    return ([part + i for i, part in enumerate(parts)],)
