"""Checks of chapter 18 for ranks: sharding, and a butterfly all-reduce."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from edutorch.course.compare import need_function
from edutorch.course.compare_functions import Mistake, compare_functions
from edutorch.course.failure import CheckFailed
from edutorch.course.random_cases import Draw
from edutorch.ops.sampling import randperm
from edutorch.random import Generator, get_rng_state

__all__ = ["BUTTERFLY", "ROWS", "butterfly_all_reduce", "rank_rows"]

Table = list[list[float]]

# ---- 18.7

ROWS_RULE = (
    "an order of all rows that is the same on every rank; filled up with its own first "
    "rows, or cut, to a multiple of count; then every count-th row, from rank on"
)


def _order(n: int, epoch: int | None) -> list[int]:
    if epoch is None:
        return list(range(n))
    return list(randperm(n, generator=Generator().manual_seed(epoch)).tolist())


def _fill_up(order: list[int], count: int) -> list[int]:
    whole = -(-len(order) // count) * count
    return [order[i % len(order)] for i in range(whole)]


def _cut(order: list[int], count: int) -> list[int]:
    return order[: len(order) // count * count]


def _stride(order: list[int], count: int, rank: int) -> list[int]:
    return order[rank::count]


def _block(order: list[int], count: int, rank: int) -> list[int]:
    size = len(order) // count
    return order[rank * size : (rank + 1) * size]


def _rows(
    n: int, count: int, rank: int, epoch: int | None, drop_last: bool, *,
    order: Callable[[int, int | None], list[int]] = _order,
    fill: Callable[[list[int], int], list[int]] = _fill_up,
    cut: Callable[[list[int], int], list[int]] = _cut,
    part: Callable[[list[int], int, int], list[int]] = _stride,
) -> list[int]:  # fmt: skip
    """The rows of a rank; keyword arguments make known mistakes."""
    rows = order(n, epoch)
    return part((cut if drop_last else fill)(rows, count), count, rank)


def _with(**wrong: Any) -> Callable[..., Any]:
    return lambda n, count, rank, epoch, drop_last: _rows(
        n, count, rank, epoch, drop_last, **wrong
    )


def _seeded_by_rank(
    n: int, count: int, rank: int, epoch: int | None, drop_last: bool
) -> list[int]:
    own = None if epoch is None else epoch + rank
    return _rows(n, count, rank, own, drop_last)


def _shuffled_late(
    n: int, count: int, rank: int, epoch: int | None, drop_last: bool
) -> list[int]:
    """A mistake: the rank's rows are chosen in file order, then shuffled."""
    own = _rows(n, count, rank, None, drop_last)
    return [own[i] for i in _order(len(own), epoch)]


def _shuffled_filled(
    n: int, count: int, rank: int, epoch: int | None, drop_last: bool
) -> list[int]:
    """A mistake: shuffling after rows are repeated or dropped."""
    whole = (_cut if drop_last else _fill_up)(list(range(n)), count)
    return [whole[i] for i in _order(len(whole), epoch)][rank::count]


ROWS: dict[str, Mistake] = {
    "every count-th row, not a block of rows": _with(part=_block),
    "the last rows are missing or too few: fill up to a multiple of count": (
        _with(fill=lambda order, _count: order),
        _with(fill=lambda order, _count: order, cut=lambda order, _count: order),
    ),
    "without drop_last no row is dropped: fill up": _with(fill=_cut),
    "drop_last is not looked at": _with(cut=_fill_up),
    "with drop_last all ranks must have equally many rows": _with(
        cut=lambda order, _count: order
    ),
    "drop_last drops only what is left over": _with(
        cut=lambda order, count: order[: (len(order) // count - 1) * count]
    ),
    "fill up with the FIRST rows of the order": _with(
        fill=lambda order, count: order + order[len(order) - (-len(order) % count) :]
    ),
    "fill up with the first rows, not with row 0 alone": _with(
        fill=lambda order, count: order + [order[0]] * (-len(order) % count)
    ),
    "fill up with the order's first rows, not with rows 0, 1, ...": _with(
        fill=lambda order, count: (
            order + [i % len(order) for i in range(-len(order) % count)]
        )
    ),
    "the order may have to be repeated more than once": _with(
        fill=lambda order, count: (order + order)[: -(-len(order) // count) * count]
    ),
    "a multiple of count needs no filling up": (
        _with(
            fill=lambda order, count: [
                order[i % len(order)] for i in range((len(order) // count + 1) * count)
            ]
        ),
        _with(fill=lambda order, count: order + order[: count - len(order) % count]),
    ),
    "the rows are not shuffled": _with(order=lambda n, _epoch: list(range(n))),
    "without an epoch the rows keep their order": _with(
        order=lambda n, epoch: _order(n, epoch or 0)
    ),
    "epoch 0 is shuffled, too: compare with None": _with(
        order=lambda n, epoch: _order(n, epoch or None)
    ),
    "the epoch is the seed: every epoch has an order of its own": _with(
        order=lambda n, epoch: _order(n, None if epoch is None else 0)
    ),
    "all ranks must draw the same order: the seed must not depend on the rank": (
        _seeded_by_rank
    ),
    "shuffle all rows before the ranks take theirs": _shuffled_late,
    "shuffle first, then fill up or drop": _shuffled_filled,
    "every rank has all rows": _with(part=lambda order, _count, _rank: order),
    "every rank has the rows of rank 0": _with(
        part=lambda order, count, _rank: order[::count]
    ),
    "ranks count from 0": _with(
        part=lambda order, count, rank: order[(rank - 1) % count :: count]
    ),
    "that is one list for each rank: return only this rank's": _with(
        part=lambda order, count, _rank: [order[r::count] for r in range(count)]
    ),
}


def rank_rows(answer: Any) -> None:
    """18.7: the rows of a rank."""
    compare_functions(
        _with_own_generator(need_function(answer, "rank_rows")),
        "rank_rows",
        right=_rows,
        shown=(
            (10, 4, 1, None, False),
            (10, 4, 3, None, False),
            (10, 4, 3, None, True),
            (8, 4, 2, None, False),
            (8, 2, 1, 0, True),
            (2, 5, 4, None, False),
            (2, 5, 1, 3, False),
            (2, 5, 0, None, True),
            (1, 4, 3, None, False),
            (7, 3, 2, 5, False),
            (9, 5, 4, 12, False),
            (6, 3, 0, 4, False),
        ),
        fresh=_fresh_rows,
        rule=ROWS_RULE,
        mistakes=ROWS,
        forbidden=("DistributedSampler",),
        returns="integers",
        rounds=16,
    )


def _with_own_generator(answer: Callable[..., Any]) -> Callable[..., Any]:
    """The answer, which must leave the global generator as it is."""

    @wraps(answer)
    def run(*args: Any) -> Any:
        before = get_rng_state()
        got = answer(*args)
        if not bool((get_rng_state() == before).all()):
            raise CheckFailed(
                "the global generator was changed",
                expected="a generator of the function's own",
                rule="initial weights and dropout draw from the global generator",
                mistake="torch.manual_seed seeds what everything else draws from, and "
                "randperm without generator= draws from there: "
                "torch.Generator().manual_seed(epoch)",
            )
        return got

    return run


def _fresh_rows(draw: Draw) -> tuple[int, int, int, int | None, bool]:
    count = draw.size(2, 5)
    n = count * draw.size(2, 5) + draw.size(0, count - 1)
    epoch = draw.choice((None, 0, draw.size(1, 99), draw.size(1, 99)))
    return n, count, draw.size(0, count - 1), epoch, draw.size(0, 1) == 1


# ---- 18.8

BUTTERFLY_RULE = (
    "in step s = 0, 1, ... ranks r and r ^ 2**s exchange all that they had before the "
    "step, and both add: log2(n) steps"
)


def _butterfly(
    values: Table, *, partner: Callable[[int, int, int], int] | None = None,
    steps: Callable[[int], int] = lambda n: n.bit_length() - 1,
    add: Callable[[int, int], bool] = lambda _rank, _other: True, keep: bool = True,
    at_once: bool = True,
) -> list[Table]:  # fmt: skip
    """The tables of the butterfly; keyword arguments make known mistakes."""
    n = len(values)
    table, tables = [list(row) for row in values], []
    for step in range(steps(n)):
        before = [list(row) for row in table] if at_once else table
        for rank in range(n):
            other = rank ^ (1 << step) if partner is None else partner(rank, step, n)
            if add(rank, other):
                table[rank] = [
                    keep * mine + theirs
                    for mine, theirs in zip(before[rank], before[other], strict=True)
                ]
        tables.append([list(row) for row in table])
    return tables


def _by(partner: Callable[[int, int, int], int]) -> Callable[..., Any]:
    return lambda values: _butterfly(values, partner=partner)


BUTTERFLY: dict[str, Mistake] = {
    "the partner of r is r ^ 2**s, not r + 2**s: two ranks exchange": (
        _by(lambda rank, step, n: (rank + (1 << step)) % n),
        _by(lambda rank, step, n: (rank - (1 << step)) % n),
    ),
    "the distance doubles in each step: 1, 2, 4, ...": (
        _by(lambda rank, _step, _n: rank ^ 1),
        _by(lambda rank, step, _n: rank ^ step),
        _by(lambda rank, step, _n: rank ^ 2 * step),
        lambda values: _butterfly(
            values,
            partner=lambda rank, step, _n: rank ^ (step + 1),
            steps=lambda n: n - 1,
        ),
    ),
    "2 to the power of s is 2 ** s in Python, where ^ flips bits": _by(
        lambda rank, step, _n: rank ^ 2 ^ step
    ),
    "the first partner is the neighbour: distances go 1, 2, 4, not 4, 2, 1": _by(
        lambda rank, step, n: rank ^ (n >> (step + 1))
    ),
    "the partner is r ^ 2**s, not the rank opposite": _by(
        lambda rank, _step, n: n - 1 - rank
    ),
    "both must send what they had BEFORE the step: copy the table": (
        lambda values: _butterfly(values, at_once=False)
    ),
    "what arrives is added, it does not replace": (
        lambda values: _butterfly(values, keep=False)
    ),
    "both partners add, not only the one with the smaller number": (
        lambda values: _butterfly(values, add=lambda rank, other: rank < other),
        lambda values: _butterfly(values, add=lambda rank, other: rank > other),
    ),
    "log2(n) steps are enough, not n - 1": (
        lambda values: _butterfly(
            values,
            steps=lambda n: n - 1,
            partner=lambda rank, step, n: (rank ^ (1 << step)) % n,
        ),
        lambda values: [
            *_butterfly(values),
            *[_butterfly(values)[-1]] * (len(values) - len(values).bit_length()),
        ],
    ),
    "a step is missing at the end": lambda values: _butterfly(values)[:-1],
    "the list begins with the table after the first step, not before it": (
        lambda values: [[list(row) for row in values], *_butterfly(values)[:-1]]
    ),
    "the table before the first step is not asked for": (
        lambda values: [[list(row) for row in values], *_butterfly(values)]
    ),
    "every step shows the final table: copy the table after each step": (
        lambda values: [_butterfly(values)[-1] for _ in _butterfly(values)]
    ),
    "only the last table was returned, not one for each step": (
        lambda values: _butterfly(values)[-1]
    ),
    "that is the mean: the butterfly sums": (
        lambda values: [
            [[v / len(values) for v in row] for row in t] for t in _butterfly(values)
        ],
        lambda values: [
            [[v / 2 ** (s + 1) for v in row] for row in t]
            for s, t in enumerate(_butterfly(values))
        ],
    ),
    "a table has a row for each rank": (
        lambda values: [
            [list(row) for row in zip(*t, strict=True)] for t in _butterfly(values)
        ]
    ),
    "only rank 0 has the sum: that is a reduce": (
        lambda values: [
            [t[r] if r % 2 ** (s + 1) == 0 else values[r] for r in range(len(values))]
            for s, t in enumerate(_butterfly(values))
        ]
    ),
}


def butterfly_all_reduce(answer: Any) -> None:
    """18.8: the butterfly, step by step."""
    compare_functions(
        answer,
        "butterfly_all_reduce",
        right=_butterfly,
        shown=(
            ([[1], [10], [100], [1000]],),
            ([[1, 2], [10, 20]],),
        ),
        fresh=_fresh_lists,
        rule=BUTTERFLY_RULE,
        mistakes=BUTTERFLY,
    )


def _fresh_lists(draw: Draw) -> tuple[Table]:
    n, length = 2 ** draw.size(2, 3), draw.size(1, 4)
    return ([[draw.size(1, 999) for _ in range(length)] for _ in range(n)],)
