"""Random numbers of workers: simulates workers of DataLoader and compares draws."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import numpy as np

from edutorch.course.compare import show
from edutorch.course.failure import CheckFailed
from edutorch.random import fork_rng, manual_seed
from edutorch.utils.data import worker as worker_process
from edutorch.utils.data.worker import WorkerInfo

from .optimizer_steps import call_limited

__all__ = ["grade_own_numbers"]

WORKERS = 4
ROUND = 2**16 * 5**6  # seeds that differ by this are equal modulo 100, 256, 2**16
DRAWN = 3  # numbers that each worker draws
SEED_RULE = (
    "different numbers in each worker and each epoch; the same when the run is repeated"
)
SET = "get_worker_info().dataset.rng = np.random.default_rng(...)"


class _Noisy:
    """A data set that draws from its own generator, like that of the chapter."""

    def __init__(self) -> None:
        self.rng: Any = np.random.default_rng((8, 5))  # no likely seed

    def __len__(self) -> int:
        return 8

    def __getitem__(self, i: int) -> list[float]:
        return [float(v) for v in self.rng.normal(size=DRAWN)]


@contextmanager
def _worker(info: WorkerInfo) -> Iterator[None]:
    """A context in which this process has the seeds and identity of a new worker."""
    python, numpy = random.getstate(), np.random.get_state()  # noqa: NPY002  # the global generator
    with fork_rng(), mock.patch.object(worker_process, "_info", info):
        random.seed(info.seed)
        manual_seed(info.seed)
        np.random.seed(info.seed % 2**32)  # noqa: NPY002  # the global generator
        try:
            yield
        finally:
            random.setstate(python)
            np.random.set_state(numpy)  # noqa: NPY002  # the global generator


def grade_own_numbers(answer: Callable[[int], Any], rng: np.random.Generator) -> None:
    """Simulate the workers of two epochs, twice.

    Raises:
        CheckFailed: two workers or epochs draw the same, or two runs do not.
    """
    bases = [int(base) for base in rng.integers(2**40, 2**60, size=2)]
    bases.append(bases[0] + ROUND)
    first, second, like_first = (_epoch(answer, base) for base in bases)
    again = _epoch(answer, bases[0])
    called = f"own_numbers(0), ..., own_numbers({WORKERS - 1}), each in its worker"
    same = [(a, b) for b in range(WORKERS) for a in range(b) if first[a] == first[b]]
    if first != again:
        raise CheckFailed(
            "the same run draws different numbers when it is repeated",
            called=f"{called}, twice with the same seeds",
            got=f"worker 0 draws {show(again[0])}",
            expected=f"{show(first[0])}, as before",
            rule=SEED_RULE,
            mistake="default_rng() without a seed, or the time, cannot be repeated",
        )
    if same:
        a, b = same[0]
        raise CheckFailed(
            f"workers {a} and {b} draw the same numbers",
            called=called,
            got=f"both draw {show(first[a])}",
            expected="different numbers in each worker",
            rule=SEED_RULE,
            mistake=_find_mistake(first[a], bases[0]),
        )
    if any(epoch in first for epoch in second):
        raise CheckFailed(
            "the next epoch draws the same numbers again",
            called=f"{called}; then new workers for the next epoch",
            got=f"worker 0 draws {show(second[0])} in both",
            expected="other numbers",
            rule=SEED_RULE,
            mistake=_same_epoch(first, second),
        )
    if like_first == first:
        raise CheckFailed(
            "two epochs draw the same numbers, although their seeds differ",
            called=f"{called}; then new workers, whose seeds are {ROUND} larger",
            got=f"worker 0 draws {show(first[0])} in both",
            expected="other numbers",
            rule=SEED_RULE,
            mistake="% leaves only a few different seeds: take the whole info.seed",
        )


def _epoch(answer: Callable[[int], Any], base: int) -> list[list[float]]:
    """The first numbers that each worker draws."""
    return [_numbers(answer, number, base) for number in range(WORKERS)]


def _numbers(answer: Callable[[int], Any], number: int, base: int) -> list[float]:
    data = _Noisy()
    old, before = data.rng, copy.deepcopy(data)[0]
    info = WorkerInfo(number, WORKERS, base + number, data)
    called = f"own_numbers({number}), in worker {number} of {WORKERS}"
    with _worker(info):
        try:
            call_limited(answer, number, called=called, rule=SEED_RULE)
        except CheckFailed as failure:
            failure.mistake = _cause(failure)
            raise
        if not isinstance(info.dataset, _Noisy):
            raise CheckFailed(
                "the worker's data set was replaced",
                called=called,
                got=f"a {type(info.dataset).__name__}",
                rule="set only the attribute rng of the data set",
                mistake=SET,
            )
        second_call = f"{called}; then dataset[0]"
        drawn = call_limited(lambda: data[0], called=second_call, rule=SEED_RULE)
    if drawn == before or info.dataset is not data:
        raise CheckFailed(
            "the data set still draws the numbers that it would have drawn anyway",
            called=second_call,
            got=show(drawn),
            rule=SEED_RULE,
            mistake=_unset(info, data.rng is not old),
        )
    return drawn


def _cause(failure: CheckFailed) -> str:
    """Why setting the seed raised."""
    if "2**32" in failure.what:
        return (
            "the older generators (np.random.seed, RandomState) take seeds below "
            f"2**32, and the global one is not the data set's: {SET}"
        )
    if "'NoneType'" in failure.what:
        return "get_worker_info() was called outside the function, before it ran"
    if "'dataset' is not defined" in failure.what:
        return f"this worker's copy of the data set: {SET}"
    return ""


def _unset(info: WorkerInfo, other: bool) -> str:
    """Why nothing changed."""
    if getattr(info, "rng", None) is not None:
        return f"that sets rng on info, not on its data set: {SET}"
    if other:
        return f"the same seed as before changes nothing: {SET} with info.seed"
    return (
        "the data set has its own generator; seeding NumPy's global one, random or "
        f"torch does not affect it: {SET}"
    )


def _find_mistake(drawn: list[float], base: int) -> str:
    """The seed that two workers seem to have in common, in words."""
    if drawn == _with_seed(base):
        return "info.seed - worker_id is the same in every worker: take info.seed"
    if any(drawn == _with_seed(seed) for seed in range(200)):
        return "a constant seed is the same in every worker: take info.seed"
    return "the seed must differ from worker to worker: info.seed does"


def _same_epoch(first: list[list[float]], second: list[list[float]]) -> str:
    """Why the next epoch draws the same numbers."""
    if first[0] == second[0] == _with_seed(0) and first[1:] != second[1:]:
        return "worker 0 always has the seed 0: take info.seed, not worker_id times it"
    return (
        "a seed made of worker_id alone is the same in each epoch; "
        "get_worker_info().seed is not"
    )


def _with_seed(seed: int) -> list[float]:
    data = _Noisy()
    data.rng = np.random.default_rng(seed)
    return data[0]
