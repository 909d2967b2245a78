"""Backends: arrays and memory of devices.

A backend has an array module (`xp`), copies arrays between the host and its device, and
accounts for every storage. `Backend` and `backend_of` are in this file.

Arrays:

- `array_modules.py`: the library that an array belongs to.
- `meta/`: arrays with a shape but no values. `sparse/`: sparse arrays.
- `shared.py`: memory shared by several processes.

GPUs:

- `gpus.py`: the GPUs of this process: real, simulated, or none.
- `simulated.py`: simulated GPUs: NumPy with a memory limit and simulated time.
- `cost_model.py`: durations of kernels and copies on a T4, A100, H200 or laptop.
- `device_clock.py`: the simulated time at which a device runs its queued work.
- `allocator.py`: the caching allocator of simulated GPUs, with its memory limit.
- `counters.py`: its statistics, under PyTorch's names.
- `overcommitted_memory.py`: arrays larger than the available memory.
- `pinned.py`: page-locked memory.
- `device_costs.py`: costs of ops, backward formulas, updates and copies.
- `cupy_gpu.py`: real GPUs through CuPy, and the bytes that tensors hold there.
- `streams.py`: streams and events. `cupy_streams.py`: those of real GPUs.

The CPU, and settings of PyTorch's libraries:

- `threads.py`: `set_num_threads`, for matrix products and the thread pool of kernels.
  `openblas.py`: what these threads do between products. `processors.py`: threads that
  share a processor. `cpu.py`: CPU capabilities.
- `flags.py`: determinism and precision flags, and warnings that appear once per
  process (`warn_once`).
- `cuda.py`, `cudnn.py`, `mkl.py`, `mkldnn.py`, `mps.py`, `openmp.py`, `opt_einsum.py`:
  one file per library, as in PyTorch.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from ..devices import device as Device
from . import cpu, cuda, cudnn, gpus, mkl, mkldnn, mps, openmp, opt_einsum
from .array_modules import (
    array_module,
    host_array,
    on_gpu,
    reduce_with,
    to_device_of,
)
from .meta import META

__all__ = [
    "Backend", "array_module", "backend_of", "cpu", "cuda", "cudnn",
    "host_array", "mkl", "mkldnn",
    "mps", "on_gpu", "openmp", "to_device_of", "opt_einsum", "reduce_with",
]  # fmt: skip


class Backend(Protocol):
    """The interface of a device backend."""

    xp: Any

    def allocate(self, device: Device, nbytes: int) -> Any:
        """Count `nbytes`; returns a handle with `rounded` and `release()`."""

    def upload(self, array: np.ndarray[Any, Any], device: Device) -> Any:
        """A copy of a host array on the device."""

    def download(self, array: Any) -> np.ndarray[Any, Any]:
        """A host copy of a device array."""


class _Cpu:
    """The CPU: NumPy arrays, which are not counted."""

    xp: Any = np

    def allocate(self, device: Device, nbytes: int) -> None:
        return None

    def upload(self, array: np.ndarray[Any, Any], device: Device) -> Any:
        return array.copy()

    def download(self, array: Any) -> np.ndarray[Any, Any]:
        return np.array(array)


_cpu = _Cpu()


def backend_of(device: Device) -> Backend:
    """The backend that serves a device.

    Raises:
        AssertionError: for a GPU on a machine without one, with PyTorch's words.
        NotImplementedError: for device types that edutorch does not have.
    """
    if device.type == "cpu":
        return _cpu
    if device.type == "meta":
        return META
    if device.type != "cuda":
        raise NotImplementedError(f"edutorch has no {device.type} devices")
    found = gpus.gpus()
    if found is None:
        raise AssertionError(
            "Torch not compiled with CUDA enabled\n  no GPU was found. Hint: "
            'edutorch.cuda.simulate(devices=2, memory="512MB") makes simulated ones'
        )
    found.allocator(device)  # refuses numbers that no device has
    backend: Backend = found
    return backend
