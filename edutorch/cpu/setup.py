"""The functions that every device type has, for the CPU."""

from __future__ import annotations

from typing import Any

__all__ = [
    "current_device", "device_count", "is_available", "is_initialized", "set_device",
    "synchronize",
]  # fmt: skip


def is_available() -> bool:
    """True: programs run on the CPU.

    Example:
        >>> is_available()
        True
    """
    return True


def is_initialized() -> bool:
    """True: the CPU needs no start.

    Example:
        >>> is_initialized()
        True
    """
    return True


def device_count() -> int:
    """How many there are: one, however many cores it has.

    Example:
        >>> device_count()
        1
    """
    return 1


def current_device() -> str:
    """The name of the device.

    Example:
        >>> current_device()
        'cpu'
    """
    return "cpu"


def set_device(device: Any) -> None:
    """Accepted: there is one device.

    Example:
        >>> set_device("cpu")
    """


def synchronize(device: Any = None) -> None:
    """Wait for the CPU, which has finished when a function returns.

    Example:
        >>> synchronize()
    """
