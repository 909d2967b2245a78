"""The CPU with the functions that other devices have: there is one, always there."""

from . import amp
from .setup import (
    current_device,
    device_count,
    is_available,
    is_initialized,
    set_device,
    synchronize,
)

__all__ = [
    "amp", "current_device", "device_count", "is_available", "is_initialized",
    "set_device", "synchronize",
]  # fmt: skip
