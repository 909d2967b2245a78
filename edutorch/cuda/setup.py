"""The available GPUs, real or simulated, and the current one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .. import backends, devices
from ..backends import gpus
from ..backends.simulated import simulated_gpus

__all__ = [
    "CudaError", "can_device_access_peer", "cudaStatus", "current_device", "device",
    "device_count", "device_of", "get_arch_list", "get_device_capability",
    "get_device_name", "get_device_properties", "get_sync_debug_mode", "init",
    "is_available", "is_bf16_supported", "is_initialized", "is_simulated",
    "set_device", "set_sync_debug_mode", "simulate", "synchronize",
]  # fmt: skip


class simulate:  # noqa: N801 (used like a function)
    """Switch simulated GPUs on: at once, and until the end of a `with` block.

    Results are computed by NumPy; memory is limited and counted as on a GPU, and work
    takes simulated time (`edutorch.backends.cost_model` has the constants). There may
    be more memory than this computer has: memory that is allocated but not written
    takes none of it.

    Args:
        devices: the number of devices.
        memory: the size of each, "64MB" or bytes (MB = 2**20); by default what `like`
            has, or 512 MB.
        like: the kind of GPU: "T4", "A100", "H200" or "laptop"; without one, times
            are a T4's.

    Raises:
        ValueError: for fewer than one device, or an unknown kind or size.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(devices=2, memory="64MB"):
        ...     x = torch.ones(256).to("cuda:1")
        ...     torch.cuda.memory_allocated(1)
        1024
    """

    def __init__(
        self,
        devices: int = 2,
        memory: str | int | None = None,
        like: str | None = None,
    ) -> None:
        self.before = gpus.use(simulated_gpus(devices, memory, like))

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


def _index(device: Any) -> int:
    if device is None:
        return devices.current_cuda()
    if isinstance(device, int):
        return device
    found = devices.device(device)
    if found.type != "cuda":
        raise ValueError(f"Expected a cuda device, but got: {found}")
    return devices.current_cuda() if found.index is None else found.index


def require_backend() -> Any:
    """The GPUs' backend.

    Raises:
        AssertionError: if there is no GPU.
    """
    return backends.backend_of(devices.device("cuda", 0))


def init() -> None:
    """Find the GPUs; they are also found when they are first used.

    Raises:
        AssertionError: if there are none.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.init()
    """
    require_backend()


def is_initialized() -> bool:
    """Whether GPUs were found.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.is_initialized()
        True
    """
    return is_available()


def allocator_of(device: Any = None) -> Any:
    """The allocator of a GPU (the current one by default)."""
    return _backend(device).allocator(devices.device("cuda", _index(device)))


def _backend(device: Any) -> Any:
    return backends.backend_of(devices.device("cuda", _index(device)))


def set_device(device: Any) -> None:
    """Make a GPU the one that "cuda" means, for CuPy's own functions, too.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(devices=2):
        ...     torch.cuda.set_device(0)
    """
    allocator_of(device)
    gpus.make_current(_index(device))


class device:  # noqa: N801 (PyTorch's name)
    """In this block "cuda" means another GPU in this thread; None changes nothing.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(devices=2), torch.cuda.device(1):
        ...     torch.cuda.current_device()
        1
    """

    def __init__(self, device: Any) -> None:
        self.idx = -1 if device is None else _index(device)

    def __enter__(self) -> None:
        self.prev_idx = devices.current_cuda()
        if self.idx >= 0:
            set_device(self.idx)

    def __exit__(self, *exception: object) -> None:
        if self.idx >= 0:
            gpus.make_current(self.prev_idx)


class device_of(device):  # noqa: N801 (PyTorch's name)
    """In this block "cuda" means the GPU of a tensor; other tensors change nothing.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(devices=2):
        ...     x = torch.ones(1, device="cuda:1")
        ...     with torch.cuda.device_of(x):
        ...         torch.cuda.current_device()
        1
    """

    def __init__(self, obj: Any) -> None:
        super().__init__(obj.get_device() if obj.is_cuda else None)


@dataclass(frozen=True)
class Properties:
    """Properties of a GPU: name, memory in bytes, compute capability and others."""

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
        capacity, kind = backend.allocators[index].capacity, backend.kind
        if kind is None:
            return Properties(f"simulated GPU {index}", capacity)
        major, minor = kind.capability
        name = f"simulated {kind.name}"
        return Properties(name, capacity, major, minor, kind.processors)
    found = backend.xp.cuda.runtime.getDeviceProperties(index)
    return Properties(
        found["name"].decode(), int(found["totalGlobalMem"]), found["major"],
        found["minor"], found["multiProcessorCount"],
    )  # fmt: skip


def get_device_name(device: Any = None) -> str:
    """The name of a GPU; simulated ones are marked.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.get_device_name(0)
        'simulated GPU 0'
    """
    return get_device_properties(device).name


def get_device_capability(device: Any = None) -> tuple[int, int]:
    """The compute capability of a GPU; (0, 0) of a simulated one of no kind.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.get_device_capability()
        (0, 0)
    """
    found = get_device_properties(device)
    return found.major, found.minor


def get_arch_list() -> list[str]:
    """The kinds of GPUs that kernels were compiled for: there are no such kernels.

    Example:
        >>> import edutorch as torch
        >>> torch.cuda.get_arch_list()
        []
    """
    return []


def is_bf16_supported(including_emulation: bool = True) -> bool:
    """Whether the GPU computes in bfloat16, by emulation or by itself.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.is_bf16_supported()
        True
    """
    if not is_available():
        return False
    return including_emulation or get_device_capability()[0] >= 8


def can_device_access_peer(device: Any, peer_device: Any) -> bool:
    """Whether one GPU reads another's memory; simulated ones do.

    Raises:
        AssertionError: for a GPU that does not exist.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(devices=2):
        ...     torch.cuda.can_device_access_peer(0, 1)
        True
    """
    backend = require_backend()
    mine, other = _index(device), _index(peer_device)
    for index, name in ((mine, "device"), (other, "peer device")):
        if not 0 <= index < device_count():
            raise AssertionError(f"Invalid {name} id")
    if backend.simulated:
        return mine != other
    return bool(backend.xp.cuda.runtime.deviceCanAccessPeer(mine, other))


_SYNC_MODES = ("default", "warn", "error")
_sync_mode = 0


def set_sync_debug_mode(debug_mode: int | str) -> None:
    """Request warnings where the program waits for a GPU; the mode is only stored.

    Args:
        debug_mode: "default" or 0, "warn" or 1, "error" or 2.

    Raises:
        RuntimeError: for an unknown mode.
        AssertionError: if there is no GPU.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.set_sync_debug_mode("warn")
        ...     torch.cuda.get_sync_debug_mode()
        ...     torch.cuda.set_sync_debug_mode(0)
        1
    """
    global _sync_mode
    require_backend()
    if isinstance(debug_mode, str):
        if debug_mode not in _SYNC_MODES:
            raise RuntimeError(
                "invalid value of debug_mode, expected one of `default`, `warn`, "
                "`error`"
            )
        debug_mode = _SYNC_MODES.index(debug_mode)
    _sync_mode = debug_mode


def get_sync_debug_mode() -> int:
    """The mode last set by `set_sync_debug_mode`.

    Raises:
        AssertionError: if there is no GPU.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.get_sync_debug_mode()
        0
    """
    require_backend()
    return _sync_mode


class cudaStatus:  # noqa: N801 (PyTorch's name)
    """Two of the numbers that a GPU's library returns.

    Example:
        >>> import edutorch as torch
        >>> torch.cuda.cudaStatus.SUCCESS
        0
    """

    SUCCESS: int = 0
    ERROR_NOT_READY: int = 34


class CudaError(RuntimeError):
    """An error of the CUDA library, with its number."""

    def __init__(self, code: int) -> None:
        super().__init__(f"CUDA error ({code})")


def synchronize(device: Any = None) -> None:
    """Wait until a GPU has done its work.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.synchronize()
    """
    backend, index = _backend(device), _index(device)
    if backend.simulated:
        backend.clocks[index].finish()
        return
    with backend.xp.cuda.Device(index):
        backend.xp.cuda.get_current_stream().synchronize()
