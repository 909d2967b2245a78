"""Switches that programs set for PyTorch's libraries, accepted here.

Results of edutorch on the CPU are the same in every run, so that these switches have
nothing to change; what they say can be read back.
"""

from __future__ import annotations

__all__ = [
    "Library",
    "are_deterministic_algorithms_enabled",
    "cudnn",
    "get_float32_matmul_precision",
    "is_deterministic_algorithms_warn_only_enabled",
    "mps",
    "set_float32_matmul_precision",
    "use_deterministic_algorithms",
]

_PRECISIONS = ("highest", "high", "medium")
_deterministic = False
_warn_only = False
_precision = "highest"


class Library:
    """A library that PyTorch can use and edutorch does not: its switches, kept.

    Example:
        >>> import edutorch as torch
        >>> torch.backends.cudnn.deterministic = True
        >>> torch.backends.cudnn.is_available()
        False
    """

    enabled = True
    benchmark = False
    deterministic = False
    allow_tf32 = True

    def is_available(self) -> bool:
        """Whether the library is used: never."""
        return False

    def is_built(self) -> bool:
        """Whether the library is part of this package: it is not."""
        return False

    def version(self) -> None:
        """The library's version: there is none."""
        return


cudnn = Library()
mps = Library()


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Ask for the same results in every run, which the CPU gives anyway.

    Example:
        >>> import edutorch as torch
        >>> torch.use_deterministic_algorithms(True)
        >>> torch.are_deterministic_algorithms_enabled()
        True
        >>> torch.use_deterministic_algorithms(False)
    """
    global _deterministic, _warn_only
    _deterministic, _warn_only = bool(mode), bool(warn_only)


def are_deterministic_algorithms_enabled() -> bool:
    """What `use_deterministic_algorithms` was last asked for."""
    return _deterministic


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """Whether `use_deterministic_algorithms` was last asked only to warn."""
    return _warn_only


def set_float32_matmul_precision(precision: str) -> None:
    """Allow matrix products less precision; here they always have the full one.

    Raises:
        RuntimeError: for another word than "highest", "high" or "medium".

    Example:
        >>> import edutorch as torch
        >>> torch.set_float32_matmul_precision("high")
        >>> torch.get_float32_matmul_precision()
        'high'
        >>> torch.set_float32_matmul_precision("highest")
    """
    global _precision
    if precision not in _PRECISIONS:
        raise RuntimeError(
            f"Unknown float32 matmul precision '{precision}', expected one of "
            f"{', '.join(_PRECISIONS)}"
        )
    _precision = precision


def get_float32_matmul_precision() -> str:
    """What `set_float32_matmul_precision` was last asked for."""
    return _precision
