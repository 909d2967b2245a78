"""Intel's GPUs, which edutorch does not support: functions to query them."""

from __future__ import annotations

from typing import Any, NoReturn

__all__ = [
    "current_device", "device_count", "empty_cache", "get_device_name", "is_available",
    "is_bf16_supported", "is_initialized", "manual_seed", "manual_seed_all",
    "memory_allocated", "synchronize",
]  # fmt: skip


def is_available() -> bool:
    """Whether there is such a GPU: always False.

    Example:
        >>> import edutorch as torch
        >>> torch.xpu.is_available()
        False
    """
    return False


def is_initialized() -> bool:
    """Whether such GPUs were found: never.

    Example:
        >>> import edutorch as torch
        >>> torch.xpu.is_initialized()
        False
    """
    return False


def is_bf16_supported(including_emulation: bool = True) -> bool:
    """Whether such a GPU computes in bfloat16: there is none.

    Example:
        >>> import edutorch as torch
        >>> torch.xpu.is_bf16_supported()
        False
    """
    return False


def device_count() -> int:
    """How many there are: none.

    Example:
        >>> import edutorch as torch
        >>> torch.xpu.device_count()
        0
    """
    return 0


def memory_allocated(device: Any = None) -> int:
    """Bytes that tensors hold there: none.

    Example:
        >>> import edutorch as torch
        >>> torch.xpu.memory_allocated()
        0
    """
    return 0


def empty_cache() -> None:
    """Give memory back: there is none.

    Example:
        >>> import edutorch as torch
        >>> torch.xpu.empty_cache()
    """


def manual_seed(seed: int) -> None:
    """Start the stream of their random numbers: nothing happens.

    Example:
        >>> import edutorch as torch
        >>> torch.xpu.manual_seed(0)
    """


def manual_seed_all(seed: int) -> None:
    """Start the streams of all their random numbers: nothing happens.

    Example:
        >>> import edutorch as torch
        >>> torch.xpu.manual_seed_all(0)
    """


def current_device() -> NoReturn:
    """The number of the current one; there is no such device.

    Raises:
        AssertionError: always.

    Example:
        >>> import edutorch as torch
        >>> try:
        ...     torch.xpu.current_device()
        ... except AssertionError as error:
        ...     print(error)
        Torch not compiled with XPU enabled
    """
    raise AssertionError("Torch not compiled with XPU enabled")


def get_device_name(device: Any = None) -> NoReturn:
    """Its name; there is no such device.

    Raises:
        AssertionError: always.

    Example:
        >>> import edutorch as torch
        >>> try:
        ...     torch.xpu.get_device_name()
        ... except AssertionError as error:
        ...     print(error)
        Torch not compiled with XPU enabled
    """
    raise AssertionError("Torch not compiled with XPU enabled")


def synchronize(device: Any = None) -> NoReturn:
    """Wait for the work to be done; there is no such device.

    Raises:
        AssertionError: always.

    Example:
        >>> import edutorch as torch
        >>> try:
        ...     torch.xpu.synchronize()
        ... except AssertionError as error:
        ...     print(error)
        Torch not compiled with XPU enabled
    """
    raise AssertionError("Torch not compiled with XPU enabled")
