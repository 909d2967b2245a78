"""The checks before a collective: TORCH_DISTRIBUTED_DEBUG and functions."""

from __future__ import annotations

import os
from enum import IntEnum

__all__ = [
    "DebugLevel", "get_debug_level", "set_debug_level", "set_debug_level_from_env",
]  # fmt: skip


class DebugLevel(IntEnum):
    """The level of checks that ranks make before a collective.

    `OFF`: nothing. `INFO`: which function they call, the dtype and the number of
    elements. `DETAIL`: shapes, too.

    Example:
        >>> import edutorch as torch
        >>> torch.distributed.DebugLevel.DETAIL > torch.distributed.DebugLevel.INFO
        True
    """

    OFF, INFO, DETAIL = range(3)


def _from_environment() -> DebugLevel:
    """The level in TORCH_DISTRIBUTED_DEBUG; `INFO` if that is not set.

    Raises:
        RuntimeError: for another word.
    """
    word = os.environ.get("TORCH_DISTRIBUTED_DEBUG", "INFO").upper()
    if word not in DebugLevel.__members__:
        raise RuntimeError(
            "The value of TORCH_DISTRIBUTED_DEBUG must be OFF, INFO, or DETAIL, "
            f"got {word}"
        )
    return DebugLevel[word]


_chosen: DebugLevel | None = None  # None: as the environment says


def get_debug_level() -> DebugLevel:
    """The level of checks: `INFO`, unless the program or environment sets another.

    PyTorch's default is `OFF`; here the comparison costs little, and a program whose
    ranks disagree ends with a message in place of waiting.

    Example:
        >>> import edutorch as torch
        >>> torch.distributed.get_debug_level() in set(torch.distributed.DebugLevel)
        True
    """
    return _from_environment() if _chosen is None else _chosen


def set_debug_level(level: DebugLevel) -> None:
    """Choose what ranks compare; all ranks must choose the same.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.set_debug_level(dist.DebugLevel.DETAIL)
        >>> dist.get_debug_level().name
        'DETAIL'
        >>> dist.set_debug_level_from_env()
    """
    global _chosen
    _chosen = DebugLevel(level)


def set_debug_level_from_env() -> None:
    """Go back to what TORCH_DISTRIBUTED_DEBUG says.

    Raises:
        RuntimeError: for a word that is not a level.

    Example:
        >>> import edutorch as torch
        >>> torch.distributed.set_debug_level_from_env()
    """
    global _chosen
    _from_environment()
    _chosen = None
