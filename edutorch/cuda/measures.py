"""What only NVIDIA's library measures of a GPU: asked for in vain, as without it."""

from __future__ import annotations

from typing import Any, NoReturn

__all__ = [
    "clock_rate", "list_gpu_processes", "memory_usage", "power_draw", "temperature",
    "utilization",
]  # fmt: skip


def list_gpu_processes(device: Any = None) -> str:
    """The processes that use a GPU; only NVIDIA's library knows them.

    Example:
        >>> import edutorch as torch
        >>> torch.cuda.list_gpu_processes()
        'pynvml module not found, please install nvidia-ml-py'
    """
    return "pynvml module not found, please install nvidia-ml-py"


def _unmeasured() -> NoReturn:
    """Refuse what only NVIDIA's library could tell.

    Raises:
        ModuleNotFoundError: always.
    """
    raise ModuleNotFoundError(
        "nvidia-ml-py does not seem to be installed or it can't be imported."
    )


def memory_usage(device: Any = None) -> int:
    """How busy a GPU's memory is in percent; nobody measures it.

    Raises:
        ModuleNotFoundError: always: only NVIDIA's library could tell.

    Example:
        >>> import edutorch as torch
        >>> try:
        ...     torch.cuda.memory_usage()
        ... except ModuleNotFoundError as error:
        ...     print(error)
        nvidia-ml-py does not seem to be installed or it can't be imported.
    """
    _unmeasured()


def utilization(device: Any = None) -> int:
    """How busy a GPU is in percent; nobody measures it.

    Raises:
        ModuleNotFoundError: always: only NVIDIA's library could tell.

    Example:
        >>> import edutorch as torch
        >>> try:
        ...     torch.cuda.utilization()
        ... except ModuleNotFoundError as error:
        ...     print(error)
        nvidia-ml-py does not seem to be installed or it can't be imported.
    """
    _unmeasured()


def temperature(device: Any = None) -> int:
    """A GPU's temperature in degrees Celsius; nobody measures it.

    Raises:
        ModuleNotFoundError: always: only NVIDIA's library could tell.

    Example:
        >>> import edutorch as torch
        >>> try:
        ...     torch.cuda.temperature()
        ... except ModuleNotFoundError as error:
        ...     print(error)
        nvidia-ml-py does not seem to be installed or it can't be imported.
    """
    _unmeasured()


def power_draw(device: Any = None) -> int:
    """A GPU's power in milliwatts; nobody measures it.

    Raises:
        ModuleNotFoundError: always: only NVIDIA's library could tell.

    Example:
        >>> import edutorch as torch
        >>> try:
        ...     torch.cuda.power_draw()
        ... except ModuleNotFoundError as error:
        ...     print(error)
        nvidia-ml-py does not seem to be installed or it can't be imported.
    """
    _unmeasured()


def clock_rate(device: Any = None) -> int:
    """A GPU's clock in megahertz; nobody measures it.

    Raises:
        ModuleNotFoundError: always: only NVIDIA's library could tell.

    Example:
        >>> import edutorch as torch
        >>> try:
        ...     torch.cuda.clock_rate()
        ... except ModuleNotFoundError as error:
        ...     print(error)
        nvidia-ml-py does not seem to be installed or it can't be imported.
    """
    _unmeasured()
