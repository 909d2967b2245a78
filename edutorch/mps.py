"""Apple's GPUs, which edutorch does not support: functions to query them."""

from __future__ import annotations

from typing import Any, NoReturn

__all__ = [
    "current_allocated_memory", "device_count", "driver_allocated_memory",
    "empty_cache", "get_rng_state", "is_available", "manual_seed",
    "recommended_max_memory", "seed", "set_per_process_memory_fraction",
    "synchronize",
]  # fmt: skip


def is_available() -> bool:
    """Whether there is such a GPU: always False.

    Example:
        >>> import edutorch as torch
        >>> torch.mps.is_available()
        False
    """
    return False


def device_count() -> int:
    """How many there are: none.

    Example:
        >>> import edutorch as torch
        >>> torch.mps.device_count()
        0
    """
    return 0


def manual_seed(seed: int) -> None:
    """Start the stream of their random numbers: nothing happens.

    Example:
        >>> import edutorch as torch
        >>> torch.mps.manual_seed(0)
    """


def seed() -> NoReturn:
    """Start the stream of random numbers anywhere; there is no such device.

    Raises:
        RuntimeError: always.

    Example:
        >>> import edutorch as torch
        >>> try:
        ...     torch.mps.seed()
        ... except RuntimeError as error:
        ...     print(error)
        Cannot execute getDefaultGenerator() without MPS backend.
    """
    raise RuntimeError("Cannot execute getDefaultGenerator() without MPS backend.")


def get_rng_state() -> NoReturn:
    """The state of the generator; there is no such device.

    Raises:
        RuntimeError: always.

    Example:
        >>> import edutorch as torch
        >>> try:
        ...     torch.mps.get_rng_state()
        ... except RuntimeError as error:
        ...     print(error)
        Cannot execute getDefaultGenerator() without MPS backend.
    """
    raise RuntimeError("Cannot execute getDefaultGenerator() without MPS backend.")


def synchronize() -> NoReturn:
    """Wait for the work to be done; there is no such device.

    Raises:
        RuntimeError: always.

    Example:
        >>> import edutorch as torch
        >>> try:
        ...     torch.mps.synchronize()
        ... except RuntimeError as error:
        ...     print(error)
        Cannot execute deviceSynchronize() without MPS backend.
    """
    raise RuntimeError("Cannot execute deviceSynchronize() without MPS backend.")


def empty_cache() -> NoReturn:
    """Give memory back; there is no such device.

    Raises:
        RuntimeError: always.

    Example:
        >>> import edutorch as torch
        >>> try:
        ...     torch.mps.empty_cache()
        ... except RuntimeError as error:
        ...     print(error)
        Cannot execute emptyCache() without MPS backend.
    """
    raise RuntimeError("Cannot execute emptyCache() without MPS backend.")


def current_allocated_memory() -> NoReturn:
    """Bytes that tensors hold; there is no such device.

    Raises:
        RuntimeError: always.

    Example:
        >>> import edutorch as torch
        >>> try:
        ...     torch.mps.current_allocated_memory()
        ... except RuntimeError as error:
        ...     print(error)
        Cannot execute getCurrentAllocatedMemory() without MPS backend.
    """
    raise RuntimeError(
        "Cannot execute getCurrentAllocatedMemory() without MPS backend."
    )


def driver_allocated_memory() -> NoReturn:
    """Bytes that were taken; there is no such device.

    Raises:
        RuntimeError: always.

    Example:
        >>> import edutorch as torch
        >>> try:
        ...     torch.mps.driver_allocated_memory()
        ... except RuntimeError as error:
        ...     print(error)
        Cannot execute getDriverAllocatedMemory() without MPS backend.
    """
    raise RuntimeError("Cannot execute getDriverAllocatedMemory() without MPS backend.")


def recommended_max_memory() -> NoReturn:
    """Bytes that may be taken; there is no such device.

    Raises:
        RuntimeError: always.

    Example:
        >>> import edutorch as torch
        >>> try:
        ...     torch.mps.recommended_max_memory()
        ... except RuntimeError as error:
        ...     print(error)
        Cannot execute getRecommendedMaxMemory() without MPS backend.
    """
    raise RuntimeError("Cannot execute getRecommendedMaxMemory() without MPS backend.")


def set_per_process_memory_fraction(fraction: Any) -> NoReturn:
    """Limit the memory; there is no such device.

    Raises:
        RuntimeError: always.

    Example:
        >>> import edutorch as torch
        >>> try:
        ...     torch.mps.set_per_process_memory_fraction(0.5)
        ... except RuntimeError as error:
        ...     print(error)
        Cannot execute setMemoryFraction() without MPS backend.
    """
    raise RuntimeError("Cannot execute setMemoryFraction() without MPS backend.")
