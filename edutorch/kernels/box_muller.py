"""The Box-Muller transform: normal numbers from uniform ones, in blocks of 16.

In float32 the compiled loops reproduce PyTorch's bits; NumPy's functions differ in the
last bit.

Reference: Box and Muller, 1958.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from edutorch.kernels.compiled import CompiledKernels
from edutorch.kernels.thread_pool import parallel_blocks

__all__ = ["box_muller"]

_compiled = CompiledKernels("box_muller")


def box_muller(u: Any) -> Any:
    """Normals from as many uniform numbers: of each 16, 8 cosines, then 8 sines.

    Math: x = sqrt(-2 log(1 - u1)) cos(2 pi u2), or sin
    Shape: (N) -> (N), N a multiple of 16
    """
    u = u.reshape(-1, 2, 8)
    x = np.empty_like(u)
    run = _compiled.find("box_muller", u)
    if run is not None:
        parallel_blocks(lambda p: run(u[p], x[p]), len(u), 2 * u.size, uses_blas=False)
        return x.reshape(-1)
    real = u.dtype.type
    radius = np.sqrt(real(-2) * np.log(real(1) - u[:, 0]))
    angle = real(2 * math.pi) * u[:, 1]
    np.multiply(radius, np.cos(angle), out=x[:, 0])
    np.multiply(radius, np.sin(angle), out=x[:, 1])
    return x.reshape(-1)
