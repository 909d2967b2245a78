"""The stand-in in place of CuPy, for a while.

with stand_in():
    torch.ones(2, device="cuda")  # served by tests/gpu_double
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Any

import cupy as real_cupy
import cupyx as real_cupyx
import cupyx.scipy as real_scipy
import cupyx.scipy.special as real_special
import numpy as np
import scipy
import scipy.special

from edutorch.backends import gpus
from edutorch.backends.cupy_gpu import CupyGpus
from edutorch.kernels import lazy_modules
from edutorch.random import generator
from tests.gpu_double.modules import StandIn

__all__ = ["stand_in"]


def _modules() -> dict[str, Any]:
    """The modules that replace CuPy's, by their names."""
    cupy = StandIn("cupy", real_cupy, np)
    cupyx = StandIn("cupyx", real_cupyx, scipy)
    found = {"cupy": cupy, "cupyx": cupyx}
    for path in ("cuda", "cuda.runtime", "cuda.memory", "linalg", "fft", "random",
                 "lib", "lib.stride_tricks"):  # fmt: skip
        place: Any = cupy
        for name in path.split("."):
            place = getattr(place, name)
        found[f"cupy.{path}"] = place
    found["cupyx.scipy"] = cupyx.scipy = StandIn("cupyx.scipy", real_scipy, scipy)
    special = StandIn("cupyx.scipy.special", real_special, scipy.special)
    found["cupyx.scipy.special"] = cupyx.scipy.special = special
    return found


@contextlib.contextmanager
def stand_in() -> Iterator[Any]:
    """Let the stand-in serve "cuda"; what was there before comes back."""
    before = {n: m for n, m in sys.modules.items() if _of_cupy(n)}
    made = _modules()
    for name in before:
        del sys.modules[name]
    sys.modules.update(made)
    _forget()
    chosen = gpus.use(CupyGpus(made["cupy"]))
    try:
        yield made["cupy"]
    finally:
        gpus.restore(chosen)
        _forget()
        for name in [n for n in sys.modules if _of_cupy(n)]:
            del sys.modules[name]
        sys.modules.update(before)


def _of_cupy(name: str) -> bool:
    return name.partition(".")[0] in ("cupy", "cupyx")


def _forget() -> None:
    """Forget the functions that were taken from CuPy's modules on first use."""
    generator._gpu_generators.clear()
    taken = vars(lazy_modules._cupy_special)
    for name in set(taken) - {"_name"}:
        del taken[name]
