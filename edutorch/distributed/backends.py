"""The names of backends, and their availability: MPI, and NCCL for tensors on GPUs."""

from __future__ import annotations

from typing import Any

from ..devices import device as Device

__all__ = [
    "Backend", "get_default_backend_for_device", "is_available",
    "is_backend_available", "is_gloo_available", "is_mpi_available",
    "is_nccl_available", "is_ucc_available", "is_xccl_available",
]  # fmt: skip


DEFAULTS = {"cpu": "gloo", "mps": "gloo", "cuda": "nccl", "xpu": "xccl"}


BACKENDS = ("mpi", "gloo", "nccl", "ucc", "xccl", "undefined")


class Backend(str):
    """The name of a backend, in lower case. MPI serves all; "nccl" also uses NCCL.

    Raises:
        ValueError: for a name that PyTorch does not have either.

    Example:
        >>> import edutorch as torch
        >>> torch.distributed.Backend("GLOO")
        'gloo'
    """

    __slots__ = ()

    MPI, GLOO, NCCL, UCC, UNDEFINED = "mpi", "gloo", "nccl", "ucc", "undefined"
    backend_list: tuple[str, ...] = BACKENDS

    def __new__(cls, name: str) -> Backend:
        if not isinstance(name, str):
            raise ValueError("Backend constructor parameter must be string-ish")
        parts = [part.split(":")[-1] for part in name.lower().split(",")]
        for part in parts:
            if part not in BACKENDS:
                raise ValueError(f"Invalid backend: '{name}'. Known: {BACKENDS}")
        return super().__new__(cls, name.lower())


def is_available() -> bool:
    """Whether the package is available: always. Groups of several ranks need mpi4py.

    Example:
        >>> import edutorch as torch
        >>> torch.distributed.is_available()
        True
    """
    return True


def is_mpi_available() -> bool:
    """Whether mpi4py is installed.

    Example:
        >>> import edutorch as torch
        >>> torch.distributed.is_mpi_available() in {True, False}
        True
    """
    try:
        import mpi4py
    except ModuleNotFoundError:
        return False
    return bool(mpi4py.__version__)


def is_gloo_available() -> bool:
    """Whether programs for gloo run; they are served by MPI.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.is_gloo_available() == dist.is_mpi_available()
        True
    """
    return is_mpi_available()


def is_nccl_available() -> bool:
    """Whether programs for NCCL run.

    Tensors on GPUs are sent by NCCL where CuPy has it and each rank has a GPU of its
    own, otherwise by MPI, through the CPU.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.is_nccl_available() == dist.is_mpi_available()
        True
    """
    return is_mpi_available()


def is_ucc_available() -> bool:
    """Whether UCC is available: never.

    Example:
        >>> import edutorch as torch
        >>> torch.distributed.is_ucc_available()
        False
    """
    return False


def is_xccl_available() -> bool:
    """Whether XCCL is available: never.

    Example:
        >>> import edutorch as torch
        >>> torch.distributed.is_xccl_available()
        False
    """
    return False


def is_backend_available(backend: str) -> bool:
    """Whether programs for a backend run.

    Example:
        >>> import edutorch as torch
        >>> torch.distributed.is_backend_available("ucc")
        False
    """
    return backend.lower() in {"mpi", "gloo", "nccl"} and is_mpi_available()


def get_default_backend_for_device(device: Any) -> str:
    """The backend that PyTorch uses for a device; here, MPI serves all of them.

    Raises:
        ValueError: for a device that has none.

    Example:
        >>> import edutorch as torch
        >>> torch.distributed.get_default_backend_for_device("cuda:1")
        'nccl'
    """
    kind = Device(device).type
    if kind not in DEFAULTS:
        raise ValueError(f"Default backend not registered for device : {device}")
    return DEFAULTS[kind]
