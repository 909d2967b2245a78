"""Fills uninitialised memory with nan, so that it is noticed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import ExitStack
from functools import wraps
from typing import Any, Final, Self
from unittest.mock import patch

import numpy as np

from ..ops.signatures import entry_call

__all__ = ["UNSET", "UnsetMemory"]

UNSET: Final = (
    "a number that was never set: empty() holds whatever the memory held; "
    "begin with zeros"
)
_LEAVE_UNSET: Final = frozenset(
    (
        "empty", "empty_like", "empty_permuted", "empty_strided", "new_empty",
        "new_empty_strided",
    )
)  # fmt: skip
# functions by which the library creates uninitialised memory
_PLACES: Final = (
    "edutorch.ops.create.filled.allocate",
    "edutorch.ops.create.strided.allocate",
    "edutorch.ops.create.like.allocate",
    "edutorch.ops.create.like._same_order",
)
_LARGEST: Final = {str(np.iinfo(kind).max) for kind in "bhilBHIL"}


class UnsetMemory:
    """A context in which `empty` and similar functions fill with `value`.

    Integers get their largest number in place of nan or of a larger value.
    What the memory held before is often 0, and a wrong answer then looks right.
    NumPy's own `empty` stays: compiled kernels that load meanwhile must find it.

    Attributes:
        used: whether code outside the library allocated such memory.

    Example:
        >>> import edutorch as torch
        >>> with UnsetMemory():
        ...     torch.empty(2)
        tensor([nan, nan])
    """

    def __init__(self, value: float = np.nan) -> None:
        self.value = value
        self.used = False
        self._patches = ExitStack()

    def __enter__(self) -> Self:
        for place in _PLACES:
            module, name = place.rsplit(".", 1)
            filling = self._filling(getattr(sys.modules[module], name))
            self._patches.enter_context(patch(place, filling))
        return self

    def __exit__(self, *error: object) -> None:
        self._patches.close()

    def shows_in(self, text: str) -> bool:
        """Whether a number in a message may come from uninitialised memory."""
        return self.used and (text == "nan" or text in _LARGEST)

    def _filling(self, make: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(make)
        def filled(*args: Any, **kwargs: Any) -> Any:
            made = make(*args, **kwargs)
            if type(made) is not np.ndarray or not _is_unset(args[0]):
                return made
            self.used = self.used or _is_called_by_program()
            if made.dtype.kind in "fc":
                made.fill(self.value)
            elif made.dtype.kind in "iu":
                unset = self.value if np.isfinite(self.value) else np.inf
                made.fill(min(unset, np.iinfo(made.dtype).max))
            return made

        return filled


def _is_unset(create: Any) -> bool:
    """Whether a call creates uninitialised memory."""
    return not callable(create) or create is np.empty


def _is_called_by_program() -> bool:
    """Whether the program has called a function that leaves memory unset."""
    call = entry_call()
    return call is not None and call.name in _LEAVE_UNSET
