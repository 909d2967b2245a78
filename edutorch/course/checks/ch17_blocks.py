"""The check of chapter 17 for a kernel: block sums in shared memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from edutorch.course.answer_calls import too_long
from edutorch.course.compare import call, compare, need_function
from edutorch.course.failure import CheckFailed
from edutorch.course.random_cases import Draw, draws
from edutorch.course.thread_blocks import Launch, launch
from edutorch.course.time_limits import TimeLimitExceeded, time_limit

__all__ = ["block_sum"]

RULE = (
    "load one number each; barrier; then, with half as many threads each time, "
    "add the number half a block away; barrier; thread 0 writes the sum"
)
UNWRITTEN: Final = -1.5  # `out` before the call: not a sum of the drawn numbers
SECONDS: Final = 5.0
Numbers = Sequence[float]


def block_sum(answer: Any) -> None:
    """17.6: block sums.

    Raises:
        CheckFailed: a sum is wrong, threads race, or one thread does too much.
    """
    answer = need_function(answer, "block_sum")
    cases = [(2, 4, [1, 2, 3, 4, 5, 6, 7, 8]), (1, 8, [1, 2, 3, 4, 5, 6, 7, 8])]
    cases += [(2, 4, [1, 2, 3, 4, 5]), (1, 1, [7]), (2, 64, [*range(100)])]
    for seed, case in enumerate([*cases, *map(_fresh, draws(8, ("float32",)))]):
        _grade(answer, *case, seed)


def _fresh(draw: Draw) -> tuple[int, int, list[int]]:
    """Random blocks of 2, 4, ... threads; the last may not be full."""
    blocks, threads = draw.size(1, 4), draw.choice((2, 4, 8, 16, 32))
    count = blocks * threads - draw.size(0, threads - 1)
    return blocks, threads, [draw.size(1, 99) for _ in range(count)]


def _grade(
    answer: Callable[..., Any], blocks: int, threads: int, x: list[int], seed: int
) -> None:
    want = [sum(x[b * threads : (b + 1) * threads]) for b in range(blocks)]
    out: list[float] = [UNWRITTEN] * blocks
    shown = str(x) if len(x) <= 8 else f"{len(x)} numbers"
    called = f"launch(block_sum, {blocks}, {threads}, x, out), x = {shown}"
    before = list(x)
    done = _launched(answer, blocks, threads, x, out, seed, called)
    try:
        compare(out, want, rule=RULE, called=f"{called}; then out")
    except CheckFailed as failure:
        failure.mistake = _cause(out, before, blocks, threads)
        raise
    if x != before:
        raise CheckFailed(
            "x was changed", called=called, rule="add in shared memory, not in x"
        )
    _check_work(done, len(x), threads, called)


def _launched(
    answer: Callable[..., Any], blocks: int, threads: int, x: list[int],
    out: list[float], seed: int, called: str,
) -> Launch:  # fmt: skip
    def block_sum(*_: Any) -> Launch:
        return launch(answer, blocks, threads, x, out, seed=seed)

    try:
        with time_limit(SECONDS):
            done: Launch = call(block_sum, called=called, rule=RULE)
            return done
    except TimeLimitExceeded as error:
        rule = "every loop must end: half //= 2"
        raise too_long(error, SECONDS, called, rule=rule) from None
    except CheckFailed as failure:
        failure.mistake = _hint_of(failure.what) or failure.mistake
        raise


def _hint_of(what: str) -> str:
    """A hint derived from an exception."""
    if "never comes" in what:
        return "yield must be reached by ALL threads: put it outside the if"
    if "IndexError" in what and "x has" in what:
        return "the last block may have more threads than there are numbers: i < len(x)"
    if "IndexError" in what and "out has" in what:
        return "out has one place for each block: out[thread.block]"
    if "IndexError" in what:
        return "only threads below half add: the others have no partner"
    if what.count("thread 0 of block") > 1:
        return "blocks write to the same place: out[thread.block]"
    if "out[" in what:
        return "all threads write the sum: let only thread 0 write"
    if "shared[" in what:
        return "a yield is missing: shared memory is ready when all have written it"
    if "NoneType" in what:
        return (
            "shared memory holds None until it is written: a yield is missing, or a "
            "thread without a number writes no 0"
        )
    return ""


def _cause(out: Numbers, x: list[int], blocks: int, threads: int) -> str:
    """The known mistake that gives these sums."""
    parts = [x[b * threads : (b + 1) * threads] for b in range(blocks)]
    known: dict[str, list[float]] = {
        "nothing was written to out: thread 0 writes out[thread.block]": (
            [UNWRITTEN] * blocks
        ),
        "that is the first number of each block: nothing was summed": (
            [p[0] if p else 0 for p in parts]
        ),
        "every block has summed the first one's numbers: i = block * size + number": (
            [sum(x[:threads])] * blocks
        ),
        "that is the mean": [sum(p) / threads for p in parts],
        "that is the largest number": [max(p, default=0) for p in parts],
        "half of each block is missing: begin with size // 2": [
            sum(p[: threads // 2]) for p in parts
        ],
        "out is set, not added to": [UNWRITTEN + sum(p) for p in parts],
    }
    rounds_short = [sum(p[::2]) for p in parts]
    known["a round is missing: half goes down to 1"] = list(rounds_short)
    found = [words for words, sums in known.items() if list(out) == sums]
    return found[0] if found else ""


def _check_work(done: Launch, count: int, threads: int, called: str) -> None:
    """Check that each number is read once, and that no thread does most of the work."""
    if done.reads != count:
        raise CheckFailed(
            f"x and out are read {done.reads} times",
            called=called,
            expected=f"{count} reads: each number once",
            rule="the large memory is slow: load each number into shared memory once",
            mistake="add in thread.shared, after one load by each thread",
        )
    rounds = threads.bit_length() - 1
    most = 6 + 4 * rounds
    if done.longest > most:
        raise CheckFailed(
            f"one thread reads and writes {done.longest} times, and all others wait",
            called=called,
            expected=f"at most {most}: {rounds} rounds of adding, in parallel",
            rule=RULE,
            mistake="thread 0 adds everything alone: let half of the threads add one "
            "number each, then a quarter, ...",
        )
