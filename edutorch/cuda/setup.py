"""Which GPUs there are, real or simulated, and which one is current."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .. import backends, devices
from ..backends import gpus
from ..backends.simulated import SimulatedGpus, parse_memory

__all__ = [
    "current_device", "device", "device_count", "get_device_name",
    "get_device_properties", "is_available", "is_simulated", "set_device", "simulate",
    "synchronize",
]  # fmt: skip


class simulate:  # noqa: N801 (used like a function)
    """Switch simulated GPUs on: at once, and until the end of a `with` block.

    Results are computed by NumPy; memory is limited and booked as on a GPU.

    Args:
        devices: how many.
        memory: the size of each, "64MB" or bytes (MB = 2**20).

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(devices=2, memory="64MB"):
        ...     x = torch.ones(256).to("cuda:1")
        ...     torch.cuda.memory_allocated(1)
        1024
    """

    def __init__(self, devices: int = 2, memory: str | int = "512MB") -> None:
        if devices < 1:
            raise ValueError(f"simulate() expects at least one device, got {devices}")
        self.before = gpus.use(SimulatedGpus(devices, parse_memory(memory)))

    def __enter__(self) -> simulate:
        return self

    def __exit__(self, *exception: object) -> None:
        gpus.restore(self.before)


def is_available() -> bool:
    """Whether there is a GPU, real or simulated.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.is_available()
        True
    """
    return gpus.gpus() is not None


def is_simulated() -> bool:
    """Whether the GPUs are simulated.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.is_simulated()
        True
    """
    found = gpus.gpus()
    return found is not None and found.simulated


def device_count() -> int:
    """The number of GPUs.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(devices=3):
        ...     torch.cuda.device_count()
        3
    """
    found = gpus.gpus()
    return 0 if found is None else len(found.allocators)


def current_device() -> int:
    """The number of the GPU that "cuda" means.

    Example:
        >>> import edutorch as torch
        >>> torch.cuda.current_device()
        0
    """
    return devices.current_cuda()


def _index(where: Any) -> int:
    if where is None:
        return devices.current_cuda()
    if isinstance(where, int):
        return where
    found = devices.device(where)
    if found.type != "cuda":
        raise ValueError(f"Expected a cuda device, but got: {found}")
    return devices.current_cuda() if found.index is None else found.index


def books(where: Any = None) -> Any:
    """The allocator's books of a GPU (the current one by default)."""
    return _backend(where).allocator(devices.device("cuda", _index(where)))


def _backend(where: Any) -> Any:
    return backends.backend_of(devices.device("cuda", _index(where)))


def set_device(device: Any) -> None:
    """Make a GPU the one that "cuda" means.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(devices=2):
        ...     torch.cuda.set_device(0)
    """
    books(device)
    devices.set_current_cuda(_index(device))


class device:  # noqa: N801 (PyTorch's name)
    """In this block "cuda" means another GPU.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(devices=2), torch.cuda.device(1):
        ...     torch.cuda.current_device()
        1
    """

    def __init__(self, device: Any) -> None:
        self.index = _index(device)

    def __enter__(self) -> None:
        self.before = devices.current_cuda()
        set_device(self.index)

    def __exit__(self, *exception: object) -> None:
        devices.set_current_cuda(self.before)


@dataclass(frozen=True)
class Properties:
    """What a GPU is: name, memory in bytes, compute capability, multiprocessors."""

    name: str
    total_memory: int
    major: int = 0
    minor: int = 0
    multi_processor_count: int = 0


def get_device_properties(device: Any = None) -> Properties:
    """Name and memory of a GPU.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(memory="1MB"):
        ...     torch.cuda.get_device_properties(0).total_memory
        1048576
    """
    index = _index(device)
    backend = _backend(index)
    if backend.simulated:
        return Properties(f"simulated GPU {index}", backend.allocators[index].capacity)
    found = backend.xp.cuda.runtime.getDeviceProperties(index)
    return Properties(
        found["name"].decode(), int(found["totalGlobalMem"]), found["major"],
        found["minor"], found["multiProcessorCount"],
    )  # fmt: skip


def get_device_name(device: Any = None) -> str:
    """The name of a GPU; simulated ones say so.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.get_device_name(0)
        'simulated GPU 0'
    """
    return get_device_properties(device).name


def synchronize(device: Any = None) -> None:
    """Wait until a GPU has done its work (simulated ones always have).

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.synchronize()
    """
    backend = _backend(device)
    if not backend.simulated:
        with backend.xp.cuda.Device(_index(device)):
            backend.xp.cuda.get_current_stream().synchronize()
