"""Settings of oneDNN, which computes some convolutions if the extra is installed.

`enabled` switches these convolutions off. The other settings are stored and returned,
without effect.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, Self

__all__ = [
    "VERBOSE_OFF", "VERBOSE_ON", "VERBOSE_ON_CREATION", "flags", "is_available",
    "set_flags", "verbose",
]  # fmt: skip

VERBOSE_OFF: Final = 0
VERBOSE_ON: Final = 1
VERBOSE_ON_CREATION: Final = 2
enabled = True
deterministic = False
allow_tf32: bool | None = None
fp32_precision = "none"


def is_available() -> bool:
    """Whether tensors can be stored in oneDNN's layout: always False.

    Convolutions may use the library nevertheless, see `config.show`.

    Example:
        >>> import edutorch as torch
        >>> torch.backends.mkldnn.is_available()
        False
    """
    return False


def set_flags(
    _enabled: bool | None = None,
    _deterministic: bool | None = None,
    _allow_tf32: bool | None = None,
    _fp32_precision: str | None = "none",
) -> tuple[Any, ...]:
    """Set those switches that are not None and return the old values.

    Example:
        >>> import edutorch as torch
        >>> before = torch.backends.mkldnn.set_flags(_enabled=False)
        >>> before[0], torch.backends.mkldnn.set_flags(*before)[0]
        (True, False)
    """
    settings = {
        "enabled": _enabled, "deterministic": _deterministic,
        "allow_tf32": _allow_tf32, "fp32_precision": _fp32_precision,
    }  # fmt: skip
    before = tuple(globals()[name] for name in settings)
    globals().update({name: v for name, v in settings.items() if v is not None})
    return before


@contextmanager
def flags(
    enabled: bool = False,
    deterministic: bool = False,
    allow_tf32: bool = True,
    fp32_precision: str = "none",
) -> Iterator[None]:
    """Set the switches for a `with` block.

    Example:
        >>> import edutorch as torch
        >>> with torch.backends.mkldnn.flags(deterministic=True):
        ...     torch.backends.mkldnn.deterministic
        True
    """
    names = ("enabled", "deterministic", "allow_tf32", "fp32_precision")
    before = {name: globals()[name] for name in names}
    set_flags(enabled, deterministic, allow_tf32, fp32_precision)
    try:
        yield
    finally:
        globals().update(before)


class verbose:  # noqa: N801 (PyTorch's name)
    """A block in which the library would log its calls.

    Raises:
        RuntimeError: on entering with another level than `VERBOSE_OFF`.

    Example:
        >>> import edutorch as torch
        >>> with torch.backends.mkldnn.verbose(torch.backends.mkldnn.VERBOSE_OFF):
        ...     pass
    """

    def __init__(self, level: int) -> None:
        self.level = level

    def __enter__(self) -> Self:
        if self.level != VERBOSE_OFF:
            raise RuntimeError(
                "Failed to set MKLDNN into verbose mode. Please consider to disable "
                "this verbose scope."
            )
        return self

    def __exit__(self, *exception: object) -> None:
        return None
