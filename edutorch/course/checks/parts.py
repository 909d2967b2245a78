"""Grades a function that returns several values, one value at a time."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from edutorch.course.compare import call_text, need_function, same_numbers, show
from edutorch.course.compare_functions import compare_functions
from edutorch.course.failure import CheckFailed

from .optimizer_steps import call_limited

__all__ = ["against_parts"]

Function = Callable[..., Any]


def against_parts(
    answer: Any,
    name: str,
    parts: Sequence[str],
    *,
    right: Function,
    shown: Sequence[tuple[Any, ...]],
    mistakes: Mapping[str, Function],
    rule: str,
    **more: Any,
) -> None:
    """Like `compare_functions`, for each of the values returned.

    Args:
        answer: the learner's function.
        name: its name in the statement.
        parts: the statement's names of the parts of the result.
        right: gives all of them.
        shown: arguments of the statement's example and of edges.
        mistakes: for each mistake that learners make, a function that makes it.
        rule: the rule that right values follow.
        **more: as for `compare_functions`.

    Raises:
        CheckFailed: there are not as many parts, or one is not right.
    """
    answer = need_function(answer, name)
    _need_parts(answer, name, parts, shown[0], rule)
    for place, part in enumerate(parts):
        compare_functions(
            _part(answer, place, len(parts), f"{name}(...)[{place}], {part}: {name}"),
            name,
            right=_part(right, place, len(parts)),
            shown=shown,
            mistakes={
                words: _part(made, place, len(parts))
                for words, made in mistakes.items()
            },
            rule=rule,
            **more,
        )


def _need_parts(
    answer: Function, name: str, parts: Sequence[str], args: tuple[Any, ...], rule: str
) -> None:
    """Check on the first case that there is a value per name, twice the same."""
    called = call_text(answer, args, {}, name)
    first, second = (
        call_limited(answer, *copy.deepcopy(args), called=called, rule=rule)
        for _ in range(2)
    )
    if not isinstance(first, (tuple, list)) or len(first) != len(parts):
        count = len(first) if isinstance(first, (tuple, list)) else 1
        raise CheckFailed(
            "returned None: is a return missing?"
            if first is None
            else f"returned {count} thing{'s' * (count != 1)}, not {len(parts)}",
            called=called,
            got=f"{show(first)}, a {type(first).__name__}",
            expected=", ".join(parts),
            rule=rule,
        )
    if not all(same_numbers(b, a, 0.0) for a, b in zip(first, second, strict=True)):
        raise CheckFailed(
            "the second call returns a different value",
            called=called,
            got=show(second),
            expected=show(first),
            rule="a function keeps nothing between two calls",
            mistake="something outside the function is changed, or a default list",
        )


def _part(function: Function, place: int, count: int, name: str = "") -> Function:
    """One of the values that a function returns; None if there is none."""

    def part(*args: Any, **kwargs: Any) -> Any:
        got = function(*args, **kwargs)
        whole = isinstance(got, (tuple, list)) and len(got) == count
        return got[place] if whole else None

    part.__name__ = name or function.__name__
    return part
