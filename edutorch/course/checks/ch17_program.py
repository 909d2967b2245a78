"""The check of chapter 17 for the bytes that a program allocates, step by step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from edutorch.course.compare_functions import Mistake, compare_functions
from edutorch.course.random_cases import Draw

__all__ = ["PROGRAM_MISTAKES", "program_bytes"]

Program = Sequence[tuple[str, int | None]]
Made = Callable[[Program], tuple[int, int]]

RULE = (
    "round each tensor up to 512 bytes; the new tensor is made, the peak is looked at, "
    "and only then the name's old tensor is freed"
)


def _up(nbytes: int) -> int:
    return -(-nbytes // 512) * 512


def _replayed(
    program: Program, *, size: Callable[[int], int] = _up, early: bool = False,
    replaces: bool = True, deletes: bool = True, forgets: bool = True,
) -> tuple[int, int]:  # fmt: skip
    """The final and the peak bytes; keyword arguments make known mistakes."""
    held, peak = 0, 0
    tensors: dict[str, int] = {}
    for name, nbytes in program:
        new = 0 if nbytes is None else size(nbytes)
        frees = deletes if nbytes is None else replaces
        old = tensors.pop(name, 0) if frees else 0
        peak = max(peak, held + new - (old if early else 0))
        held += new - old
        tensors[name] = new if nbytes is not None or forgets else old
    return held, peak


def _with(**wrong: Any) -> Made:
    return lambda program: _replayed(program, **wrong)


def _sizes(program: Program) -> list[int]:
    return [_up(nbytes) for _, nbytes in program if nbytes is not None]


def _peak_is(peak: Callable[[Program], int]) -> Made:
    return lambda program: (_replayed(program)[0], peak(program))


def _peak_afterwards(program: Program) -> int:
    ends = [_replayed(program[: i + 1])[0] for i in range(len(program))]
    return max(ends, default=0)


def _last_peak(program: Program) -> int:
    """A mistake: the bytes held when the last tensor is allocated, as the peak."""
    last = max(i for i, (_, nbytes) in enumerate(program) if nbytes is not None)
    return _replayed(program[:last])[0] + _up(program[last][1] or 0)


def _rounded_together(program: Program) -> tuple[int, int]:
    held, peak = _replayed(program, size=int)
    return _up(held), _up(peak)


PROGRAM_MISTAKES: dict[str, Mistake] = {
    "the sizes are not rounded": _with(size=int),
    "round UP: a block must hold the whole tensor": _with(
        size=lambda n: n // 512 * 512
    ),
    "a multiple of 512 is rounded already": _with(size=lambda n: (n // 512 + 1) * 512),
    "round up, not to the nearest": _with(size=lambda n: round(n / 512) * 512),
    "round to 512, not to 1024": _with(size=lambda n: -(-n // 1024) * 1024),
    "each tensor is rounded by itself, not their sum": _rounded_together,
    "the old tensor is freed AFTER the new one was made: both count at the peak": (
        _with(early=True),
        _peak_is(_peak_afterwards),
    ),
    "a name's old tensor is freed when it gets a new one": _with(replaces=False),
    "del frees the name's tensor": _with(deletes=False),
    "after del the name has no tensor: forget its size, too": _with(forgets=False),
    "nothing is freed": _with(replaces=False, deletes=False),
    "the peak is the most at one moment, not all that was ever made": _peak_is(
        lambda program: sum(_sizes(program))
    ),
    "the peak may have been before the end": _peak_is(
        lambda program: _replayed(program)[0]
    ),
    "that is the largest tensor: the peak is what all hold together": _peak_is(
        lambda program: max(_sizes(program), default=0)
    ),
    "the last peak is not the largest": _peak_is(_last_peak),
    "that is the peak: first what is allocated at the end": (
        lambda program: (_replayed(program)[1],) * 2
    ),
    "first the bytes at the end, then the peak": lambda program: _replayed(program)[
        ::-1
    ],
    "return a pair: the bytes at the end, and the peak": (
        lambda program: _replayed(program)[0],
        lambda program: _replayed(program)[1],
    ),
    "count bytes, not blocks of 512": _with(size=lambda n: -(-n // 512)),
}


def program_bytes(answer: Any) -> None:
    """17.7: the allocations of a program."""
    compare_functions(
        answer,
        "program_bytes",
        right=_replayed,
        shown=(
            ([("x", 1000), ("y", 4), ("x", 2048), ("y", None)],),
            ([("x", 512)],),
            ([("x", 513), ("x", 513), ("x", 1)],),
            ([("x", 4096), ("x", None), ("y", 100), ("x", 700)],),
        ),
        fresh=_fresh_program,
        rule=RULE,
        mistakes=PROGRAM_MISTAKES,
        rounds=16,
    )


def _fresh_program(draw: Draw) -> tuple[list[tuple[str, int | None]]]:
    """A random program that deletes only names that have a tensor."""
    program: list[tuple[str, int | None]] = []
    alive: set[str] = set()
    for _ in range(draw.size(6, 12)):
        name = draw.choice("xyzw")
        if name in alive and draw.size(1, 3) == 1:
            alive.remove(name)
            program.append((name, None))
            continue
        alive.add(name)
        exact = draw.size(1, 4) == 1
        program.append((name, 512 * draw.size(1, 6) if exact else draw.size(1, 3000)))
    return (program,)
