"""Page-locked memory, which a simulated GPU can copy asynchronously.

No page is locked: on a simulated GPU a mark decides how long a copy takes, and whether
the host waits for it.
"""

from __future__ import annotations

import weakref
from typing import Any

__all__ = ["is_pinned", "pin"]

_pinned: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()


def pin(array: Any) -> Any:
    """Mark the memory that an array owns as page-locked.

    Example:
        >>> import numpy as np
        >>> from edutorch.backends.pinned import is_pinned, pin
        >>> x = pin(np.ones(3))
        >>> is_pinned(x), is_pinned(x[1:]), is_pinned(np.ones(3))
        (True, True, False)
    """
    _pinned[id(array)] = array
    return array


def is_pinned(array: Any) -> bool:
    """Whether an array lies in memory that is marked."""
    while _pinned and array is not None:
        if _pinned.get(id(array)) is array:
            return True
        array = getattr(array, "base", None)
    return False
