"""The simulated time of simulated GPUs, for programs."""

from __future__ import annotations

from typing import Any

from ..backends import gpus
from ..backends.device_clock import Job
from .setup import _index

__all__ = ["simulated_time", "timeline"]


def _simulated() -> Any:
    found = gpus.simulated_now()
    if found is None:
        raise RuntimeError(
            "only simulated GPUs have simulated time. Hint: "
            'edutorch.cuda.simulate(devices=2, like="A100") makes some'
        )
    return found


def simulated_time() -> float:
    """The host's simulated time in seconds; its own work takes none of it.

    Raises:
        RuntimeError: without simulated GPUs.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(like="T4", memory="1MB"):
        ...     x = torch.ones(8, device="cuda").exp()
        ...     launched = torch.cuda.simulated_time()
        ...     torch.cuda.synchronize()
        ...     print(f"{launched * 1e6:.1f} {torch.cuda.simulated_time() * 1e6:.1f}")
        10.0 14.0
    """
    return float(_simulated().host.now)


def timeline(device: Any = None) -> list[Job]:
    """The kernels and copies of a simulated GPU, newest last: up to 3000.

    Gaps between the jobs of a unit are idle time.

    Raises:
        RuntimeError: without simulated GPUs.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(like="T4", memory="1MB"):
        ...     x = torch.ones(8, device="cuda").exp().sum()
        ...     for job in torch.cuda.timeline():
        ...         print(job.name, f"{job.begin * 1e6:.1f} {job.end * 1e6:.1f}")
        Exp 10.0 14.0
        SumAll 20.0 24.0
    """
    return list(_simulated().clocks[_index(device)].jobs)
