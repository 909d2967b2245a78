"""The accelerator of this machine, whichever it is: GPUs ("cuda") or none."""

from __future__ import annotations

from typing import Any

from . import cpu, cuda, devices, dtypes
from .backends import streams

__all__ = [
    "Graph", "current_accelerator", "current_device_idx", "current_device_index",
    "current_stream", "device_count", "device_index", "empty_cache",
    "empty_host_cache", "get_device_capability", "get_device_module",
    "get_memory_info", "is_available",
    "max_memory_allocated", "max_memory_reserved", "memory_allocated",
    "memory_reserved", "memory_stats", "reset_accumulated_memory_stats",
    "reset_peak_memory_stats", "set_device_idx", "set_device_index", "set_stream",
    "synchronize",
]  # fmt: skip


def is_available() -> bool:
    """Whether there is an accelerator.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.accelerator.is_available()
        True
    """
    return cuda.is_available()


def device_count() -> int:
    """How many accelerators there are.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(devices=3):
        ...     torch.accelerator.device_count()
        3
    """
    return cuda.device_count()


def current_accelerator(check_available: bool = False) -> devices.device | None:
    """The type of the accelerators; None if there are none.

    Args:
        check_available: ignored: an accelerator that is not available is not found.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.accelerator.current_accelerator()
        device(type='cuda')
    """
    return devices.device("cuda") if cuda.is_available() else None


def _needed() -> None:
    """Refuse if there is no accelerator."""
    if not cuda.is_available():
        raise RuntimeError("Cannot access accelerator device when none is available.")


def current_device_index() -> int:
    """The number of the accelerator that "cuda" means.

    Raises:
        RuntimeError: if there is none.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.accelerator.current_device_index()
        0
    """
    _needed()
    return cuda.current_device()


def set_device_index(device: Any, /) -> None:
    """Make an accelerator the one that "cuda" means.

    Raises:
        RuntimeError: if there is none.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(devices=2):
        ...     torch.accelerator.set_device_index(0)
    """
    _needed()
    cuda.set_device(device)


current_device_idx = current_device_index
set_device_idx = set_device_index


class device_index:  # noqa: N801 (used like a function)
    """In this block "cuda" means another accelerator; None changes nothing.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(devices=2), torch.accelerator.device_index(1):
        ...     torch.accelerator.current_device_index()
        1
    """

    def __init__(self, device: int | None, /) -> None:
        self.idx = device

    def __enter__(self) -> None:
        if self.idx is not None:
            self.before = current_device_index()
            set_device_index(self.idx)

    def __exit__(self, *exception: object) -> None:
        if self.idx is not None:
            set_device_index(self.before)


def synchronize(device: Any = None, /) -> None:
    """Wait until an accelerator has done its work.

    Raises:
        RuntimeError: if there is none.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.accelerator.synchronize()
    """
    _needed()
    cuda.synchronize(device)


def empty_cache() -> None:
    """Return cached memory to the device.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.accelerator.empty_cache()
    """
    _needed()
    cuda.empty_cache()


def memory_allocated(device_index: Any = None, /) -> int:
    """Bytes that tensors on an accelerator use.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.accelerator.memory_allocated()
        0
    """
    _needed()
    return int(cuda.memory_allocated(device_index))


def max_memory_allocated(device_index: Any = None, /) -> int:
    """The most bytes that tensors on an accelerator have used.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.accelerator.max_memory_allocated()
        0
    """
    _needed()
    return int(cuda.max_memory_allocated(device_index))


def memory_reserved(device_index: Any = None, /) -> int:
    """Bytes that are taken from an accelerator, in use or cached.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.accelerator.memory_reserved()
        0
    """
    _needed()
    return int(cuda.memory_reserved(device_index))


def max_memory_reserved(device_index: Any = None, /) -> int:
    """The most bytes that have been taken from an accelerator.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.accelerator.max_memory_reserved()
        0
    """
    _needed()
    return int(cuda.max_memory_reserved(device_index))


def memory_stats(device_index: Any = None, /) -> Any:
    """The books of an accelerator's memory.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.accelerator.memory_stats()["allocated_bytes.all.current"]
        0
    """
    _needed()
    return cuda.memory_stats(device_index)


def reset_peak_memory_stats(device_index: Any = None, /) -> None:
    """Count the most bytes anew from here.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.accelerator.reset_peak_memory_stats()
    """
    _needed()
    cuda.reset_peak_memory_stats(device_index)


def reset_accumulated_memory_stats(device_index: Any = None, /) -> None:
    """Reset the counts of allocated and freed memory.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.accelerator.reset_accumulated_memory_stats()
    """
    _needed()
    cuda.reset_accumulated_memory_stats(device_index)


def get_memory_info(device_index: Any = None, /) -> tuple[int, int]:
    """Free and total bytes of an accelerator.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(memory="1MB"):
        ...     torch.accelerator.get_memory_info()
        (1048576, 1048576)
    """
    _needed()
    return cuda.mem_get_info(device_index)


def empty_host_cache() -> None:
    """Return cached page-locked memory: there is none.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.accelerator.empty_host_cache()
    """
    _needed()


def get_device_capability(device: Any = None, /) -> dict[str, Any]:
    """The capabilities of an accelerator: the dtypes that it supports.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     found = torch.accelerator.get_device_capability()
        ...     torch.float32 in found["supported_dtypes"]
        True
    """
    _needed()
    return {"supported_dtypes": set(dtypes.ALL)}


def current_stream(device: Any = None, /) -> Any:
    """The current stream of an accelerator, in this thread.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.accelerator.current_stream().query()
        True
    """
    _needed()
    return streams.current_stream(streams.accelerator(device))


def set_stream(stream: Any) -> None:
    """Let this thread's work on the stream's accelerator go there.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.accelerator.set_stream(torch.accelerator.current_stream())
    """
    _needed()
    streams.set_stream(stream)


class Graph:
    """Work of an accelerator, captured to be done again: there is no such thing.

    Raises:
        RuntimeError: always.

    Example:
        >>> import edutorch as torch
        >>> try:
        ...     torch.accelerator.Graph()
        ... except RuntimeError as error:
        ...     print(error)
        Cannot access accelerator device when none is available.
    """

    def __new__(
        cls,
        keep_graph: bool = False,
        *,
        pool: tuple[int, int] | None = None,
        capture_error_mode: str = "default",
    ) -> Graph:
        _needed()
        raise RuntimeError("edutorch captures no graphs of an accelerator's work")


def get_device_module(device: Any = None) -> Any:
    """The module for a kind of device: `torch.cpu` or `torch.cuda`.

    Args:
        device: by default the accelerator, if there is one, else the CPU.

    Raises:
        RuntimeError: for devices that have none.

    Example:
        >>> import edutorch as torch
        >>> torch.get_device_module("cpu").device_count()
        1
    """
    if device is None:
        kind = "cuda" if cuda.is_available() else "cpu"
    elif isinstance(device, (str, devices.device)):
        kind = devices.device(device).type
    else:
        raise RuntimeError(
            f"Invalid value of device '{device}', expect torch.device, str, or None"
        )
    if kind not in ("cpu", "cuda"):
        raise RuntimeError(
            f"Device '{kind}' does not have a corresponding module registered as "
            f"'torch.{kind}'."
        )
    return cuda if kind == "cuda" else cpu
