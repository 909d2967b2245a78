"""Determines how an exception ends a training run."""

from __future__ import annotations

from types import CodeType
from typing import TypeAlias

__all__ = ["Instruction", "passed_through", "state_after"]

Instruction: TypeAlias = tuple[CodeType, int]  # with an offset, as in `f_lasti`


def state_after(error: BaseException) -> str:
    """The state of a run that ended with an exception.

    Example:
        >>> state_after(ValueError("bad")), state_after(KeyboardInterrupt())
        ('failed with ValueError', 'interrupted')
    """
    if isinstance(error, Exception):
        return f"failed with {type(error).__name__}"
    return "interrupted" if isinstance(error, KeyboardInterrupt) else "stopped"


def passed_through(error: BaseException, place: Instruction | None) -> bool:
    """Whether an exception passed through this instruction.

    A generator that is closed cannot see the exception that closes it; the frame that
    iterated over it stood at this instruction.

    Example:
        >>> passed_through(ValueError("never raised"), None)
        False
    """
    trace = error.__traceback__
    while trace is not None:
        if (trace.tb_frame.f_code, trace.tb_lasti) == place:
            return True
        trace = trace.tb_next
    return False
