"""Checks that an answer neither changes nor returns its arguments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .compare import kind_of_value, numbers_of, same_numbers, show
from .failure import CheckFailed

__all__ = ["check_alias", "check_unchanged"]


def check_unchanged(
    given: tuple[Any, ...], before: tuple[Any, ...], called: str
) -> None:
    """Check that arguments, and whether they require gradients, are unchanged.

    Tensors in lists are arguments, too.

    Raises:
        CheckFailed: one of them was changed.
    """
    for now, old in zip(given, before, strict=True):
        if not _same_values(now, old):
            raise CheckFailed(
                "an argument was changed in place",
                called=called,
                got=f"afterwards {_shown_change(now, old)}",
                expected=f"still {_shown_change(old, now)}",
                rule="a function must not change its arguments",
                mistake=_why_changed(now, old),
            )
        for part, old_part in zip(_parts(now), _parts(old), strict=True):
            _check_no_gradient(part, old_part, called)


def _why_changed(now: Any, old: Any) -> str:
    """What may have changed an argument."""
    if isinstance(now, list) and sorted(map(repr, now)) == sorted(map(repr, old)):
        return (
            "sort() and reverse() change the list itself: sorted(...) makes a new one"
        )
    return (
        "y = x does not copy, so writing (y[...] =, +=, add_) changes x: compute "
        "something new, or clone() first"
    )


def _same_values(now: Any, old: Any) -> bool:
    """Whether an argument has the numbers that it had."""
    if numbers_of(old) is not None:
        return same_numbers(now, old, 0.0)
    if not isinstance(old, (list, tuple)):
        return True
    return len(now) == len(old) and all(map(_same_values, now, old))


def _parts(value: Any) -> Iterator[Any]:
    """A value, and what is in it if it is a list or a tuple."""
    yield value
    if isinstance(value, (list, tuple)):
        for part in value:
            yield from _parts(part)


def _check_no_gradient(now: Any, old: Any, called: str) -> None:
    """Check that a given tensor has not begun to require gradients."""
    if not hasattr(old, "detach") or now.requires_grad == old.requires_grad:
        return
    raise CheckFailed(
        "an argument was changed",
        called=called,
        got=f"afterwards its requires_grad is {now.requires_grad}",
        expected=f"still {old.requires_grad}",
        rule="a function must not change its arguments",
        mistake="requires_grad_ acts in place: work on a copy, x.detach().clone()",
    )


def _shown_change(one: Any, other: Any) -> str:
    """A value; for a large one, the first element that differs from another value."""
    a, b = numbers_of(one), numbers_of(other)
    text = show(one)
    if not text.startswith("<") or a is None or b is None or a.shape != b.shape:
        return text
    differs = (a != b) & ~((a != a) & (b != b))  # a nan equals a nan
    index = tuple(int(i) for i in np.argwhere(differs)[0])
    return f"{a[index]:.9g} at {list(index)}"


def check_alias(got: Any, given: tuple[Any, ...], right: Any, called: str) -> None:
    """Check that a result shares memory with an argument only if the right one does.

    Tensors in a list that was given are arguments, too; a result has parts where the
    right one has.

    Raises:
        CheckFailed: it shares memory with another argument.
    """
    several = isinstance(right, (list, tuple))
    for value in _parts(given):
        if _any_shares(got, value, several) and not _any_shares(right, value, several):
            raise CheckFailed(
                f"the result is a part of the argument {kind_of_value(value)}",
                called=called,
                got="a result that shares memory with an argument",
                expected="a result with its own memory",
                rule="changing the result later would change the argument, too",
                mistake=_why_shared(got, value),
            )


def _why_shared(got: Any, value: Any) -> str:
    """Why a result shares memory with an argument."""
    if hasattr(got, "detach") and got is not value:
        return (
            "a slice, t(), view() and often reshape() make views, detach() and numpy() "
            "copy nothing either: compute something new, or clone()"
        )
    return "y = x is another name for x: compute something new, or x.clone()"


def _any_shares(result: Any, value: Any, several: bool) -> bool:
    parts = _parts(result) if several else (result,)
    return any(_shares(part, value) for part in parts)


def _shares(a: Any, b: Any) -> bool:
    if not (hasattr(a, "untyped_storage") and hasattr(b, "untyped_storage")):
        return a is b and isinstance(a, (list, dict))
    return bool(a.numel() and a.untyped_storage() is b.untyped_storage())
