"""Settings of a library that orders the products of `einsum`; it is not used.

`torch.einsum` multiplies from left to right, as PyTorch does without that library.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["flags", "get_opt_einsum", "is_available", "set_flags"]

enabled = False
strategy: str | None = None


def is_available() -> bool:
    """Whether the library is used: always False.

    Example:
        >>> import edutorch as torch
        >>> torch.backends.opt_einsum.is_available()
        False
    """
    return False


def get_opt_einsum() -> Any:
    """The library: None.

    Example:
        >>> import edutorch as torch
        >>> print(torch.backends.opt_einsum.get_opt_einsum())
        None
    """
    return


def set_flags(
    _enabled: bool | None = None, _strategy: str | None = None
) -> tuple[bool, str | None]:
    """Set the switches and return their old values.

    Raises:
        ValueError: if the library is to be used.

    Example:
        >>> import edutorch as torch
        >>> torch.backends.opt_einsum.set_flags()
        (False, None)
    """
    if _enabled:
        raise ValueError(
            "opt_einsum is not available, so setting `enabled` to True will not reap "
            "the benefits of calculating an optimal path for einsum. torch.einsum will "
            "fall back to contracting from left to right. To enable this optimal path "
            "calculation, please install opt-einsum."
        )
    if _strategy is not None:
        raise ValueError(
            "opt_einsum is not available, so setting `strategy` will not be "
            "meaningful. torch.einsum will bypass path calculation and simply contract "
            "from left to right. Please install opt_einsum or unset `strategy`."
        )
    return enabled, strategy


@contextmanager
def flags(enabled: bool | None = None, strategy: str | None = None) -> Iterator[None]:
    """Set the switches for a `with` block.

    Example:
        >>> import edutorch as torch
        >>> with torch.backends.opt_einsum.flags(enabled=False):
        ...     torch.backends.opt_einsum.enabled
        False
    """
    set_flags(enabled, strategy)
    yield
