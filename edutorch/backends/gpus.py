"""The GPUs of this process: real ones, simulated ones, or none.

They are looked for on first use. `EDUTORCH_SIMULATE=2x512MB` requests simulated ones,
`2x512MB:A100` with the speed of an A100, `2x:A100` with its memory, too; without it,
CuPy finds real ones.
"""

from __future__ import annotations

import os
from typing import Any

from .. import devices
from ..devices import set_current_cuda
from .cupy_gpu import CupyGpus, find_gpus
from .simulated import SimulatedGpus, simulated_gpus

__all__ = ["gpus", "make_current", "simulated_now", "use"]

_found: Any = None
_looked = False
_tf32 = False


def gpus() -> Any:
    """The backend of the GPUs, or None if there is none."""
    global _found, _looked
    if not _looked:
        _looked = True
        _found = _from_environment() or find_gpus()
        allow_tf32(_tf32)
    return _found


def make_current(index: int) -> None:
    """Make a GPU the one that "cuda" means in this thread, and CuPy's current one."""
    set_current_cuda(index)
    if isinstance(_found, CupyGpus):
        _found.xp.cuda.Device(index).use()


def allow_tf32(allowed: bool) -> None:
    """Let matrix products of real GPUs round their factors to TF32, or not.

    It holds for GPUs that are found later, too; others do not round.
    """
    global _tf32
    _tf32 = allowed
    if isinstance(_found, CupyGpus):
        _found.allow_tf32(allowed)


def simulated_now() -> SimulatedGpus | None:
    """The simulated GPUs that are in use; does not look for real ones."""
    return _found if type(_found) is SimulatedGpus else None


def _from_environment() -> SimulatedGpus | None:
    """Simulated GPUs as `EDUTORCH_SIMULATE` describes them: "2x512MB:A100"."""
    spec = os.environ.get("EDUTORCH_SIMULATE", "")
    if not spec:
        return None
    sizes, _, like = spec.partition(":")
    count, _, memory = sizes.lower().partition("x")
    return simulated_gpus(int(count), memory or None, like or None)


def use(backend: Any) -> tuple[Any, bool]:
    """Make another backend serve "cuda"; returns the argument of `restore`."""
    global _found, _looked
    before = _found, _looked
    _found, _looked = backend, True
    return before


def restore(before: tuple[Any, bool]) -> None:
    """Undo a `use`."""
    global _found, _looked
    _found, _looked = before


devices.has_gpus = lambda: gpus() is not None
