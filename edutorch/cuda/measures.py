"""GPU metrics that need NVIDIA's NVML library: PyTorch's errors without it."""

from __future__ import annotations

from collections.abc import Callable
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


def _unmeasured(name: str, what: str) -> Callable[..., NoReturn]:
    """Return a function that refuses to report a metric."""

    def measure(device: Any = None) -> NoReturn:
        raise ModuleNotFoundError(
            "nvidia-ml-py does not seem to be installed or it can't be imported."
        )

    measure.__name__ = measure.__qualname__ = name
    measure.__doc__ = f"""{what}; nobody measures it.

    Raises:
        ModuleNotFoundError: always: only NVIDIA's library could tell.

    Example:
        >>> import edutorch as torch
        >>> try:
        ...     torch.cuda.{name}()
        ... except ModuleNotFoundError as error:
        ...     print(error)
        nvidia-ml-py does not seem to be installed or it can't be imported.
    """
    return measure


memory_usage = _unmeasured("memory_usage", "How busy a GPU's memory is in percent")
utilization = _unmeasured("utilization", "How busy a GPU is in percent")
temperature = _unmeasured("temperature", "A GPU's temperature in degrees Celsius")
power_draw = _unmeasured("power_draw", "A GPU's power in milliwatts")
clock_rate = _unmeasured("clock_rate", "A GPU's clock in megahertz")
