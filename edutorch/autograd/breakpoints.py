"""Breakpoints on operations: stop in the debugger when an op runs forward or backward.

While a breakpoint is set, dispatch and the engine call `stop_before` and `stop_after`.
If one matches, they call Python's `breakpoint()` in their own frame, one step above
the op's `forward` or `backward`, so that "step into" leads to the formula.
"""

from __future__ import annotations

import fnmatch
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import events

__all__ = ["Breakpoint", "breakpoint", "clear_breakpoints"]

_set: dict[int, Breakpoint] = {}
active = False  # whether any is set
_number = itertools.count(1).__next__


class Breakpoint:
    """A breakpoint; `remove()` or the end of a `with` block removes it."""

    def __init__(self, op: str, phase: str, module: str, when: Any) -> None:
        self.op, self.phase, self.module, self.when = op, phase, module, when
        self.number = _number()
        self.hits = 0

    def matches(self, op: Any, phase: str) -> bool:
        """Whether the breakpoint applies to an op in a phase."""
        return (
            self.phase in (phase, "any")
            and (fnmatch.fnmatch(op.public, self.op) or self.op in _op_names(op))
            and (not self.module or fnmatch.fnmatch(_module(op), self.module))
        )

    def remove(self) -> None:
        """Remove the breakpoint."""
        _set.pop(self.number, None)
        _refresh()

    def __enter__(self) -> Breakpoint:
        return self

    def __exit__(self, *exception: object) -> None:
        self.remove()

    def __repr__(self) -> str:
        return (
            f"Breakpoint(op={self.op!r}, phase={self.phase!r}, module={self.module!r}, "
            f"when={self.when!r}, hits={self.hits})"
        )


def _op_names(op: Any) -> tuple[str, ...]:
    return op.op_class.__name__, op.name()


def _module(op: Any) -> str:
    """The dotted path of the module that an op runs, or ran, in."""
    return getattr(op, "module_path", "") or events.thread_local.state.path


def breakpoint(
    op: str = "*", phase: str = "any", module: str = "", when: Any = None
) -> Breakpoint:
    """Stop in the debugger at an operation.

    Args:
        op: the public name ("matmul"), class or node name; wildcards as in file names.
        phase: "forward", "backward" or "any".
        module: the dotted path of the module it runs in ("encoder.*"); "" for all.
        when: None stops before the op runs; "nonfinite" after it has returned inf or
            nan; a function of (op, arrays) after it has answered true.

    Raises:
        ValueError: for another phase or condition.

    Example:
        >>> import edutorch as torch
        >>> with torch.breakpoint(op="matmul", phase="backward", when="nonfinite") as b:
        ...     b.hits
        0
    """
    if phase not in ("forward", "backward", "any"):
        raise ValueError(
            f'breakpoint(phase={phase!r}): expected "forward", "backward" or "any"'
        )
    if not (when is None or when == "nonfinite" or callable(when)):
        raise ValueError(
            f'breakpoint(when={when!r}): expected None, "nonfinite" or a function'
        )
    made = Breakpoint(op, phase, module, when)
    _set[made.number] = made
    _refresh()
    return made


def clear_breakpoints() -> None:
    """Remove every breakpoint.

    Example:
        >>> import edutorch as torch
        >>> torch.clear_breakpoints()
    """
    _set.clear()
    _refresh()


_subscription: Any = None


def _refresh() -> None:
    """Listen while any is set, so that dispatch and the engine call `stop_before`."""
    global active, _subscription
    active = bool(_set)
    if active and _subscription is None:
        _subscription = events.listen("breakpoints", _ignore, kinds=("op",))
    elif not active and _subscription is not None:
        _subscription.close()
        _subscription = None


def _ignore(record: tuple[Any, ...]) -> None:
    return None


def stop_before(op: Any, phase: str) -> bool:
    """Whether to stop before an op runs."""
    return _stops_at(op, phase, lambda b: b.when is None)


def stop_after(op: Any, phase: str, results: Any) -> bool:
    """Whether to stop after an op has run, because of its results."""
    arrays = results if isinstance(results, (tuple, list)) else (results,)
    arrays = tuple(getattr(a, "_data", a) for a in arrays if a is not None)
    return _stops_at(
        op, phase, lambda b: b.when is not None and _condition_holds(b.when, op, arrays)
    )


def _stops_at(op: Any, phase: str, condition: Callable[[Breakpoint], bool]) -> bool:
    hit = False
    for candidate in list(_set.values()):
        if candidate.matches(op, phase) and condition(candidate):
            candidate.hits += 1
            hit = True
    return hit


def _condition_holds(when: Any, op: Any, arrays: tuple[Any, ...]) -> bool:
    if when == "nonfinite":
        return any(a.dtype.kind in "fcVW" and not np.isfinite(a).all() for a in arrays)
    return bool(when(op, arrays))
