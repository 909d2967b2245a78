"""Compiled kernels: looks up the loops in `fast/` that replace NumPy functions.

A file of kernels looks up its loops in the file of the same name:

    _compiled = CompiledKernels("softmax")
    ...
    run = _compiled.find("softmax", x)      # None: compute with NumPy

Compiled and NumPy kernels differ in the last bits, so a process never switches between
them by itself: whether compiled kernels are used is decided when this file is imported,
before the first operation. They are used if `python -m edutorch warmup` has compiled
them on this machine.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from numpy import ndarray

from edutorch import config
from edutorch.kernels import onednn, warmup
from edutorch.kernels.gpu import elementwise as gpu
from edutorch.kernels.thread_pool import parallel_blocks

__all__ = ["CompiledKernels", "materialized", "run_elementwise"]

MIN_SIZE = 2**9  # below this size, NumPy is as fast

MIN_THREADED_SIZE = 2**16  # below this size, one thread is always fastest


class CompiledKernels:
    """The compiled kernels of the file `fast/NAME.py`.

    Example:
        >>> CompiledKernels("softmax")
        <CompiledKernels softmax (not loaded)>
    """

    __slots__ = ("_module", "_name")

    def __init__(self, name: str) -> None:
        self._name = name
        self._module: Any = None

    def find(self, kernel: str, *arrays: Any) -> Any:
        """The compiled kernel for these arrays, or None to use NumPy.

        Kernels take row-major, writable arrays of one dtype for which they were
        compiled.
        """
        on = config.kernel_path() == "compiled"
        return self.lookup(kernel, *arrays) if on else None

    def lookup(self, kernel: str, *arrays: Any) -> Any:
        """`find`, for callers that know that compiled kernels are enabled."""
        if self._module is None and not self._load():
            return None
        run = getattr(self._module, kernel)
        dtype = arrays[0].dtype
        if dtype.char not in run.dtypes:
            return None
        for a in arrays:
            if type(a) is not ndarray or a.dtype is not dtype or not a.flags.carray:
                return None
        return run

    def elementwise(
        self,
        kernel: str,
        *arrays: Any,
        settings: tuple[float, ...] = (),
        dtype: Any = None,
    ) -> Any:
        """The result of an elementwise kernel, or None if there is none.

        None also for arrays of different shapes (a batch of gradients with values
        saved once), because the loop would read past the end.

        Args:
            kernel: the name of the kernel.
            *arrays: its operands, of one dtype.
            settings: numbers that follow the arrays.
            dtype: that of the result, if it is not the operands'.
        """
        first, *others = arrays
        if type(first) is not ndarray:
            return gpu.run(kernel, arrays, *settings)
        if first.size < MIN_SIZE or config.kernel_path() != "compiled":
            return None
        for a in others:
            if a.shape != first.shape:
                return None
        arrays = (materialized(first), *others)
        run = self.lookup(kernel, *arrays)
        if run is None:
            return None
        y = np.empty_like(arrays[0], dtype)
        run_elementwise(run, *arrays, y, settings=settings)
        return y

    def _load(self) -> bool:
        """Import the kernels, which compiles those that are not compiled yet."""
        if not warmup.has_numba():
            return False
        self._module = import_module(f"{__package__}.fast.{self._name}")
        return True

    def __repr__(self) -> str:
        state = "not loaded" if self._module is None else "loaded"
        return f"<CompiledKernels {self._name} ({state})>"


def run_elementwise(run: Any, *arrays: Any, settings: tuple[float, ...] = ()) -> None:
    """Run an elementwise kernel on arrays of one size, in several threads if large.

    Example:
        >>> run_elementwise(print, np.zeros(1), np.ones((1, 1)), settings=(2,))
        [0.] [1.] 2
    """
    flat = [a.reshape(-1) for a in arrays]
    n = flat[0].size
    if n < MIN_THREADED_SIZE:
        run(*flat, *settings)
    else:
        parallel_blocks(
            lambda part: run(*[a[part] for a in flat], *settings),
            n,
            n / 4,
            uses_blas=False,
        )


def materialized(g: Any) -> Any:
    """A broadcast array (such as the gradient of a sum) as a contiguous one.

    Example:
        >>> materialized(np.broadcast_to(np.ones(1), (2, 2))).strides
        (16, 8)
    """
    repeated = type(g) is ndarray and 0 in g.strides
    return np.ascontiguousarray(g) if repeated else g


config.set_auto_kernels(
    compiled=warmup.is_warm(),
    numba=warmup.has_numba(),
    onednn=onednn.is_installed(),
)
