"""Batches of similar length in random order: runs through the epochs of an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from edutorch.course.compare import compare, show
from edutorch.course.failure import CheckFailed
from edutorch.random import Generator, fork_rng, manual_seed

from .optimizer_steps import call_limited

__all__ = ["grade_by_length"]

Batches = list[list[int]]
CUT_RULE = "all indices from the shortest sample to the longest, cut into batches"
ORDER_RULE = "the order of the batches is newly drawn in each epoch, with the generator"
SECONDS = 20.0  # a first argsort compiles its kernel
ENOUGH = 20  # so many batches that two epochs do not agree by chance


def grade_by_length(answer: Any, rng: np.random.Generator) -> None:
    """Run through several epochs of an answer's sampler.

    Raises:
        CheckFailed: batches are not those of neighbours, or their order is not random.
    """
    if not isinstance(answer, type):
        raise CheckFailed(
            "expects the class itself: give check the name ByLength, without ( )"
            if hasattr(answer, "__iter__")
            else "expects a class",
            got=f"{show(answer)}, a {type(answer).__name__}",
            expected="class ByLength",
        )
    cases: list[tuple[list[int], int]] = [
        ([3, 9, 1, 8, 2], 2),
        ([4, 4, 1, 2, 7, 9], 3),
        ([5], 4),
    ]
    for _ in range(4):
        count, size = int(rng.integers(8, 30)), int(rng.integers(2, 6))
        cases.append(([int(n) for n in rng.integers(1, 100, size=count)], size))
    for lengths, size in cases:
        _grade_batches(answer, lengths, size)
    _grade_order(answer, [int(n) for n in rng.permutation(2 * ENOUGH)])


def _grade_batches(answer: Any, lengths: list[int], size: int) -> None:
    called = f"ByLength({lengths}, {size}, generator)"
    given = list(lengths)
    sampler = call_limited(
        answer,
        given,
        size,
        Generator().manual_seed(8),
        called=called,
        rule=CUT_RULE,
        seconds=SECONDS,
    )
    first = _epoch(sampler, called)
    _check_batches(first, lengths, size, called)
    _check_count(sampler, lengths, size, called)
    second = _epoch(sampler, f"{called}, the second epoch")
    if lengths and not second:
        raise CheckFailed(
            "the second epoch has no batches",
            called=called,
            rule="a sampler is iterated once in each epoch",
            mistake="__iter__ must start again each time; an iterator kept in "
            "__init__ is used up",
        )
    _check_batches(second, lengths, size, f"{called}, the second epoch")
    if given != lengths:
        raise CheckFailed(
            "the list of lengths was changed",
            called=called,
            got=f"afterwards {show(given)}",
            expected=f"still {show(lengths)}",
            rule="a function must not change its arguments",
        )


def _epoch(sampler: Any, called: str) -> Batches:
    """The batches of an epoch, as lists of indices."""
    try:
        got = call_limited(
            lambda: list(sampler),
            called=f"list({called})",
            rule=CUT_RULE,
            seconds=SECONDS,
        )
    except CheckFailed as failure:
        if "non-iterator" in failure.what:
            failure.mistake = "__iter__ yields the batches, or returns iter(batches)"
        elif "not iterable" in failure.what:
            failure.mistake = "a sampler has __iter__; is a return missing there?"
        raise
    batches = []
    for batch in got:
        values = batch.tolist() if hasattr(batch, "tolist") else batch
        if not isinstance(values, (list, tuple)):
            raise CheckFailed(
                "a batch is not a list",
                called=f"list({called})",
                got=f"{show(batch)}, a {type(batch).__name__}",
                expected="a list of indices",
                rule=CUT_RULE,
                mistake="a batch sampler yields lists, not single indices",
            )
        batches.append([_index(i, called) for i in values])
    return batches


def _index(value: Any, called: str) -> int:
    number = value.item() if hasattr(value, "item") else value
    if isinstance(number, int):
        return number
    raise CheckFailed(
        "an index is not a whole number",
        called=f"list({called})",
        got=f"{show(value)}, a {type(value).__name__}",
        expected="an int",
        rule=CUT_RULE,
    )


def _check_batches(
    batches: Batches, lengths: Sequence[int], size: int, called: str
) -> None:
    """Check that each index comes once, and the lengths within each batch."""
    want = _cut(sorted(lengths), size)
    seen = sorted(i for batch in batches for i in batch)
    every = list(range(len(lengths)))
    got = [[lengths[i] for i in b if 0 <= i < len(every)] for b in batches]
    if seen == every and _same(got, want):
        return
    missing = [i for i in every if i not in seen]
    twice = sorted({i for i in seen if seen.count(i) > 1})
    strange = [i for i in seen if i not in every]
    if seen == every:
        what = "the batches are not right"
    elif strange:
        what = f"there is no sample {strange[0]}"
    elif missing:
        what = f"index {missing[0]} is in no batch"
    else:
        what = f"index {twice[0]} comes twice"
    raise CheckFailed(
        what,
        called=f"list({called})",
        got=_shown(batches, "indices") + (f", {_shown(got, 'lengths')}" if got else ""),
        expected=f"in any order, {_shown(want, 'lengths')}",
        rule=CUT_RULE,
        mistake=_mistake(batches, got, lengths, size),
    )


def _mistake(batches: Batches, got: Batches, lengths: Sequence[int], size: int) -> str:
    ordered = sorted(lengths)
    if len(set(lengths)) < len(lengths) and _same(
        batches, _cut([list(lengths).index(n) for n in ordered], size)
    ):
        return "lengths.index finds the first of equal lengths only: sort the indices"
    ranks = [sum(other < n for other in lengths) for n in lengths]
    full = [batch for batch in _cut(ordered, size) if len(batch) == size]
    for words, found, batch_list in (
        ("the samples are not sorted by length", _cut(list(lengths), size), got),
        (
            "sort from the shortest: the last, smaller batch has the longest samples",
            _cut(ordered[::-1], size),
            got,
        ),
        ("the last, smaller batch is missing", full, got),
        ("these are lengths: indices are wanted", _cut(ordered, size), batches),
        ("these are positions after sorting, not indices", _cut(sorted(ranks), size),
         batches),
        ("one sample too few in every batch", _cut(ordered, size - 1), got),
        ("one sample too many in every batch", _cut(ordered, size + 1), got),
        ("batch_size is the size of a batch, not how many there are",
         [list(map(int, part)) for part in np.array_split(ordered, size)], got),
    ):  # fmt: skip
        if _same(batch_list, found):
            return words
    if sorted(map(len, got)) == sorted(map(len, _cut(ordered, size))):
        return "the batches are shuffled, not the samples: sort and cut first"
    return ""


def _cut(values: Sequence[int], size: int) -> Batches:
    size = max(size, 1)
    return [list(values[i : i + size]) for i in range(0, len(values), size)]


def _same(a: Batches, b: Batches) -> bool:
    return sorted(sorted(batch) for batch in a) == sorted(sorted(batch) for batch in b)


def _shown(batches: Batches, name: str) -> str:
    return f"{name} {show(batches)}"


def _check_count(sampler: Any, lengths: Sequence[int], size: int, called: str) -> None:
    rule = "the number of batches, the smaller one included"
    try:
        got = call_limited(len, sampler, called=f"len({called})", rule=rule)
    except CheckFailed as failure:
        if "has no len()" in failure.what:
            failure.mistake = (
                "__len__ is missing: DataLoader needs it for its own length"
            )
        raise
    compare(
        got,
        -(-len(lengths) // size),
        called=f"len({called})",
        rule=rule,
        wrong={
            "that is the number of samples": len(lengths),
            "// rounds down: the last, smaller batch counts, too": len(lengths) // size,
            "that is one too many if all batches are full": len(lengths) // size + 1,
        },
    )


def _grade_order(answer: Any, lengths: list[int]) -> None:
    """Check that epochs differ in order, and that a seed reproduces them."""
    called = f"ByLength({len(lengths)} lengths, 2, torch.Generator().manual_seed(3))"

    def epochs(seed: int, elsewhere: int) -> list[Batches]:
        with fork_rng():
            manual_seed(elsewhere)
            state = np.random.get_state()  # noqa: NPY002  # the learner may draw there
            np.random.seed(elsewhere)  # noqa: NPY002  # the global generator
            try:
                sampler = answer(lengths, 2, Generator().manual_seed(seed))
                return [_epoch(sampler, called) for _ in range(3)]
            finally:
                np.random.set_state(state)  # noqa: NPY002  # the global generator

    first, again, other = epochs(3, 1), epochs(3, 2), epochs(4, 1)
    order = sorted(first[0], key=lambda batch: lengths[batch[0]])
    if all(_order(epoch) in (_order(order), _order(order[::-1])) for epoch in first):
        what = "the batches are in order of length, not in random order"
        mistake = "draw their order: torch.randperm(count, generator=generator)"
    elif _order(first[0]) == _order(first[1]) or _order(first[1]) == _order(first[2]):
        what = "two epochs have the same order"
        mistake = "draw in __iter__, and do not set the generator's seed"
    elif _is_rotation(_order(order), _order(first[0])):
        what = "only the first batch is drawn, the others are in order of length"
        mistake = "draw the order of all: torch.randperm(count, generator=generator)"
    elif first != again or first == other:
        what = "the order does not depend on the generator's seed"
        mistake = "the generator was ignored: randperm(..., generator=self.generator)"
    else:
        return
    raise CheckFailed(what, called=called, rule=ORDER_RULE, mistake=mistake)


def _is_rotation(order: list[Any], other: list[Any]) -> bool:
    """Whether one is a rotation of the other."""
    at = order.index(other[0])
    return order[at:] + order[:at] == other


def _order(batches: Batches) -> list[tuple[int, ...]]:
    return [tuple(sorted(batch)) for batch in batches]
