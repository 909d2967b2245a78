"""Checks of chapter 18 for messages: the ring all-reduce, and buckets."""

from __future__ import annotations

from typing import Any

from edutorch.course.compare_functions import Mistake, compare_functions
from edutorch.course.random_cases import Draw

__all__ = ["buckets", "ring_all_reduce"]

Table = list[list[float]]

# ---- 18.3

RING_RULE = (
    "step s of the first n - 1: rank r sends chunk (r - s) mod n, which is added; of "
    "the other n - 1: chunk (r + 1 - s) mod n, which replaces; always to rank r + 1"
)


def _ring(
    values: Table, *, first: int = 0, second: int = 1, way: int = 1, add: str = "first",
    steps: tuple[int, int] | None = None, down: int = -1,
) -> list[Table]:  # fmt: skip
    """The tables of the ring; keyword arguments make known mistakes."""
    n = len(values)
    table, tables = [list(row) for row in values], []
    reduce, gather = steps or (n - 1, n - 1)
    for step in range(reduce + gather):
        before = [list(row) for row in table]
        adding = step < reduce
        s = step if adding else step - reduce
        for rank in range(n):
            chunk = (rank + (first if adding else second) + down * s) % n
            to = (rank + way) % n
            kept = (
                table[to][chunk] if add == "both" or (adding and add == "first") else 0
            )
            table[to][chunk] = kept + before[rank][chunk]
        tables.append([list(row) for row in table])
    return tables


def _final(values: Table) -> list[Table]:
    return [_ring(values)[-1] for _ in range(2 * (len(values) - 1))] if values else []


RING: dict[str, Mistake] = {
    "the last n - 1 steps replace what is there: they add nothing": (
        lambda values: _ring(values, add="both")
    ),
    "the first n - 1 steps add to what is there: they do not replace it": (
        lambda values: _ring(values, add="none")
    ),
    "the ring goes to rank r + 1, not r - 1": lambda values: _ring(values, way=-1),
    "in the second half rank r starts with chunk r + 1, which is complete there": (
        lambda values: _ring(values, second=0),
        lambda values: _ring(values, second=2),
        lambda values: _ring(values, second=-1),
    ),
    "in the first step rank r sends chunk r": (
        lambda values: _ring(values, first=1, second=2),
        lambda values: _ring(values, first=1),
        lambda values: _ring(values, first=-1),
        lambda values: _ring(values, first=-1, second=0),
    ),
    "the chunk number goes DOWN by one in each step, since chunks travel on": (
        lambda values: _ring(values, down=1)
    ),
    "every step sends the same chunk": lambda values: _ring(values, down=0),
    "the second half is missing: every rank has only one sum": (
        lambda values: _ring(values, steps=(len(values) - 1, 0))
    ),
    "the first half is missing": (
        lambda values: _ring(values, steps=(0, len(values) - 1))
    ),
    "a step of each half is one too many: n - 1, not n": (
        lambda values: _ring(values, steps=(len(values), len(values)))
    ),
    "every step shows the final table: copy the table after each step": _final,
    "the list begins with the table after the first step, not before it": (
        lambda values: [[list(row) for row in values], *_ring(values)[:-1]]
    ),
    "only the last table was returned, not one for each step": (
        lambda values: _ring(values)[-1]
    ),
    "chunk by rank: a table has a row for each rank": (
        lambda values: [
            [list(row) for row in zip(*t, strict=True)] for t in _ring(values)
        ]
    ),
    "that is the mean: the ring sums": (
        lambda values: [
            [[v / len(values) for v in row] for row in t] for t in _ring(values)
        ]
    ),
}


def ring_all_reduce(answer: Any) -> None:
    """18.3: the ring, step by step."""
    compare_functions(
        answer,
        "ring_all_reduce",
        right=_ring,
        shown=(
            ([[1, 2], [10, 20]],),
            ([[1, 2, 3], [10, 20, 30], [100, 200, 300]],),
        ),
        fresh=_fresh_values,
        rule=RING_RULE,
        mistakes=RING,
    )


def _fresh_values(draw: Draw) -> tuple[Table]:
    n = draw.size(3, 6)
    return ([[draw.size(1, 999) for _ in range(n)] for _ in range(n)],)


# ---- 18.6

BUCKETS_RULE = (
    "from the last parameter to the first; a new bucket begins where the current one "
    "holds something, and the next gradient would make it larger than the limit"
)


def _fill(
    nbytes: list[int], limit: int, *, forward: bool = False, strict: bool = False,
    late: bool = False, start: int = 0, keep: bool = False, total: bool = False,
    single: bool = True,
) -> list[int]:  # fmt: skip
    """The bucket of each parameter; keyword arguments make known mistakes."""
    numbers, bucket, held = [0] * len(nbytes), start, 0
    order = range(len(nbytes))
    for i in order if forward else reversed(order):
        size = held + nbytes[i]
        over = held >= limit if late else size >= limit if strict else size > limit
        if over and (held > 0 or not single):
            bucket, held, opened = bucket + 1, 0, True
        else:
            opened = False
        numbers[i] = bucket
        held += 0 if keep and opened else nbytes[i]
        if total:
            held = sum(nbytes[i:])
    return numbers


def _as_sent(nbytes: list[int], limit: int) -> list[int]:
    numbers = _fill(nbytes, limit)
    return [max(numbers, default=0) - number for number in numbers]


BUCKETS: dict[str, Mistake] = {
    "gradients are ready from the last parameter to the first": (
        lambda nbytes, limit: _fill(nbytes, limit, forward=True)
    ),
    "buckets are numbered as they are sent: the last parameter is in bucket 0": (
        _as_sent
    ),
    "a bucket may be exactly full: > limit, not >=": (
        lambda nbytes, limit: _fill(nbytes, limit, strict=True)
    ),
    "test before you add: the bucket has grown over its limit": (
        lambda nbytes, limit: _fill(nbytes, limit, late=True)
    ),
    "buckets are counted from 0": lambda nbytes, limit: _fill(nbytes, limit, start=1),
    "the gradient that opens a bucket is not counted in it": (
        lambda nbytes, limit: _fill(nbytes, limit, keep=True),
        lambda nbytes, limit: _fill(nbytes, limit, keep=True, single=False),
    ),
    "a new bucket is empty: reset held": (
        lambda nbytes, limit: _fill(nbytes, limit, total=True)
    ),
    "an empty bucket is sent: a gradient over the limit needs only its own": (
        lambda nbytes, limit: _fill(nbytes, limit, single=False)
    ),
    "everything is in one bucket: nothing is sent until backward has ended": (
        lambda nbytes, _limit: [0] * len(nbytes)
    ),
    "each gradient has its own bucket": (
        lambda nbytes, _limit: list(range(len(nbytes)))[::-1],
        lambda nbytes, _limit: list(range(len(nbytes))),
    ),
    "the list is in the order of backward: number i belongs to parameter i": (
        lambda nbytes, limit: _fill(nbytes, limit)[::-1]
    ),
    "buckets do not cut a gradient into pieces": (
        lambda nbytes, limit: [
            sum(nbytes[i + 1 :]) // limit for i in range(len(nbytes))
        ],
        lambda nbytes, limit: [
            (sum(nbytes[i:]) - 1) // limit for i in range(len(nbytes))
        ],
    ),
    "that is how many bytes there are, not which bucket": (
        lambda nbytes, _limit: [sum(nbytes[i:]) for i in range(len(nbytes))]
    ),
}


def buckets(answer: Any) -> None:
    """18.6: which gradients are sent together."""
    compare_functions(
        answer,
        "buckets",
        right=_fill,
        shown=(
            ([40, 10, 30, 20], 50),
            ([10, 20, 30], 1000),
            ([80, 10, 90], 50),
            ([5], 5),
        ),
        fresh=_fresh_sizes,
        rule=BUCKETS_RULE,
        mistakes=BUCKETS,
        returns="integers",
    )


def _fresh_sizes(draw: Draw) -> tuple[list[int], int]:
    sizes = [10 * draw.size(1, 9) for _ in range(draw.size(6, 12))]
    return sizes, 10 * draw.size(6, 14)
