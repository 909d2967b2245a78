"""A toy model of a GPU's thread blocks, in which each thread is a generator.

A kernel is a function of a thread and of arrays, as in CUDA. Threads of a block share
a small memory; `yield` is the barrier, at which each waits for all others of its block.
Between two barriers, threads may run in any order; here it is random. Where the result
would depend on that order there is a race, and an error says so.
"""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any

from .time_limits import TimeLimitExceeded

__all__ = ["Launch", "RaceError", "Thread", "launch"]


class RaceError(RuntimeError):
    """The result depends on which of two threads is faster."""


@dataclass
class Launch:
    """What a kernel has done.

    Attributes:
        reads: reads of the arrays' elements (a GPU's large, slow memory).
        writes: writes of the arrays' elements.
        shared: reads and writes of shared memory.
        barriers: the largest number of barriers that a thread passed.
        longest: the reads and writes of the slowest thread, for which the others wait.
    """

    reads: int = 0
    writes: int = 0
    shared: int = 0
    barriers: int = 0
    longest: int = 0


class Thread:
    """One thread of a launch.

    Attributes:
        number: in its block, from 0.
        block: the number of its block, from 0.
        size: threads in each block.
        blocks: blocks in the launch.
        shared: numbers that the threads of the block share, one for each thread.
    """

    def __init__(self, number: int, block: int, size: int, blocks: int) -> None:
        self.number, self.block, self.size, self.blocks = number, block, size, blocks
        self.shared: Any = None
        self.accesses = 0
        self.barriers = 0  # passed so far


class _Memory:
    """Numbers, with a record of who has read and written each.

    Accesses of one block's threads race unless a barrier lies between them; those of
    two blocks always race, since no barrier waits for both.
    """

    def __init__(self, name: str, values: list[Any]) -> None:
        self.name, self.values = name, values
        self.readers: dict[int, dict[Thread, int]] = {}  # barriers passed by then
        self.writers: dict[int, dict[Thread, int]] = {}
        self.reads = self.writes = 0

    def note(self, i: int, thread: Thread, writes: bool) -> None:
        """Record an access; raise if it is part of a race."""
        if not isinstance(i, int) or not 0 <= i < len(self.values):
            raise IndexError(
                f"{self.name}[{i!r}], thread {thread.number} of block {thread.block}: "
                f"{self.name} has {len(self.values)} numbers"
            )
        for did in ("writes", "reads")[: 2 if writes else 1]:
            table = self.writers if did == "writes" else self.readers
            for other, barriers in table.get(i, {}).items():
                near = other.block != thread.block or barriers == thread.barriers
                if other is not thread and near:
                    raise RaceError(
                        f"race: thread {thread.number} of block {thread.block} "
                        f"{'writes' if writes else 'reads'} {self.name}[{i}], which "
                        f"thread {other.number} of block {other.block} {did}, "
                        "with no barrier between"
                    )
        table = self.writers if writes else self.readers
        table.setdefault(i, {})[thread] = thread.barriers
        thread.accesses += 1
        self.writes += writes
        self.reads += not writes


class _Seen:
    """A memory as seen by one thread."""

    def __init__(self, memory: _Memory, thread: Thread) -> None:
        self._memory, self._thread = memory, thread

    def __len__(self) -> int:
        return len(self._memory.values)

    def __getitem__(self, i: int) -> Any:
        self._memory.note(i, self._thread, writes=False)
        return self._memory.values[i]

    def __setitem__(self, i: int, value: Any) -> None:
        self._memory.note(i, self._thread, writes=True)
        self._memory.values[i] = value

    def __repr__(self) -> str:
        return f"{self._memory.name} of {len(self)} numbers"


def launch(
    kernel: Callable[..., Any],
    blocks: int,
    threads: int,
    *arrays: list[Any],
    seed: int = 0,
) -> Launch:
    """Run a kernel on a grid of thread blocks.

    Args:
        kernel: a function of a `Thread` and the arrays; with `yield` as barrier.
        blocks: the number of blocks, which run one after another here, in random order.
        threads: the number of threads in each block.
        *arrays: lists of numbers, changed in place.
        seed: the seed of the random orders.

    Raises:
        RaceError: two threads access a number, at least one of them writing, without a
            barrier in between; or threads wait at a barrier that others of their block
            never reach.
        IndexError: an index is out of range.

    Example:
        >>> def double(thread, x):
        ...     i = thread.block * thread.size + thread.number
        ...     if i < len(x):
        ...         x[i] = 2 * x[i]
        >>> x = [1, 2, 3]
        >>> launch(double, 2, 2, x)
        Launch(reads=3, writes=3, shared=0, barriers=0, longest=2)
        >>> x
        [2, 4, 6]
    """
    names = [*inspect.signature(kernel).parameters][1:]
    memories = [_Memory(n, a) for n, a in zip(names, arrays, strict=True)]
    draw, result = random.Random(seed), Launch()
    for block in draw.sample(range(blocks), blocks):
        shared = _Memory("shared", [None] * threads)
        team = [Thread(n, block, threads, blocks) for n in range(threads)]
        running: list[tuple[Thread, Generator[Any]]] = []
        for thread in draw.sample(team, threads):
            thread.shared = _Seen(shared, thread)
            seen = [_Seen(memory, thread) for memory in memories]
            running.append((thread, _steps(kernel, thread, seen)))
        try:
            result.barriers = max(result.barriers, _run(running, draw))
        except (KeyboardInterrupt, TimeLimitExceeded) as error:
            # Every other thread waits at a barrier. Raised there, the exception has a
            # traceback that shows the line of the kernel.
            for _, steps in running:
                if inspect.getgeneratorstate(steps) == inspect.GEN_SUSPENDED:
                    steps.throw(error)
            raise
        result.shared += shared.reads + shared.writes
        result.longest = max(result.longest, *(t.accesses for t in team))
    result.reads = sum(memory.reads for memory in memories)
    result.writes = sum(memory.writes for memory in memories)
    return result


def _steps(
    kernel: Callable[..., Any], thread: Thread, arrays: Sequence[_Seen]
) -> Generator[Any]:
    """A kernel as a generator, even if it has no barriers."""
    made = kernel(thread, *arrays)
    if inspect.isgenerator(made):
        yield from made


def _run(running: list[tuple[Thread, Generator[Any]]], draw: random.Random) -> int:
    """Run a block's threads from barrier to barrier; return the number of barriers."""
    while True:
        waiting = []
        for thread, steps in draw.sample(running, len(running)):
            try:
                next(steps)
            except StopIteration:
                continue
            waiting.append(thread)
        if not waiting:
            return running[0][0].barriers
        ended = {thread.number for thread, _ in running} - {t.number for t in waiting}
        if ended:
            first = min(waiting, key=lambda thread: thread.number)
            raise RaceError(
                f"thread {first.number} of block {first.block} waits at a barrier to "
                f"which thread {min(ended)} never comes: it has ended"
            )
        for thread in waiting:
            thread.barriers += 1
