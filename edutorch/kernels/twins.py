"""Twins of plain kernels, compiled by Numba: found if they are there, never awaited.

A file of plain kernels asks for the twins of its own name:

    _twins = Twins("rows")
    ...
    run = _twins.find("softmax", x)      # None: do it plainly

They serve from the first call on where they are compiled. Where they were never
compiled, `warmup` is started as another process once this one has worked for a while,
and plain kernels serve until it is done.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy import ndarray

from edutorch.config import kernel_mode
from edutorch.kernels import warmup
from edutorch.kernels.pool import in_blocks

__all__ = ["Twins", "under_debugger"]

FEW = 2**12  # numbers: below, NumPy is as fast for one number after the other


class Twins:
    """The compiled kernels of the file `fast/NAME.py`.

    Example:
        >>> Twins("rows")
        <Twins rows (not loaded)>
    """

    __slots__ = ("_module", "_name")

    def __init__(self, name: str) -> None:
        self._name = name
        self._module: Any = None

    def find(self, kernel: str, *arrays: Any) -> Any:
        """The twin of a kernel, if there is one for these arrays, else None.

        The arrays have one dtype and the standard order of memory, or there is none.
        """
        if self._module is None and not self._load():
            return None
        mode = kernel_mode()
        if mode == "plain" or (mode == "auto" and under_debugger()):
            return None
        run = getattr(self._module, kernel)
        dtype = arrays[0].dtype
        if dtype.char not in run.dtypes:
            return None
        for a in arrays:
            if type(a) is not ndarray or a.dtype is not dtype or not a.flags.carray:
                return None
        return run

    def each(self, kernel: str, *arrays: Any) -> Any:
        """What the twin of an elementwise kernel makes of the arrays, or None."""
        if arrays[0].size < FEW:
            return None
        run = self.find(kernel, *arrays)
        if run is None:
            return None
        y = np.empty_like(arrays[0])
        flat = [a.reshape(-1) for a in (*arrays, y)]
        in_blocks(lambda part: run(*[a[part] for a in flat]), y.size, y.size / 4)
        return y

    def _load(self) -> bool:
        """Import the twins if they are compiled, or may be compiled now."""
        mode = kernel_mode()
        if mode == "plain" or find_spec("numba") is None:
            return False
        if mode == "auto" and not warmup.ready():
            return False
        self._module = import_module(f"{__package__}.fast.{self._name}")
        return True

    def __repr__(self) -> str:
        state = "not loaded" if self._module is None else "loaded"
        return f"<Twins {self._name} ({state})>"


def under_debugger() -> bool:
    """Whether somebody steps through this thread, and wants to see plain Python.

    Example:
        >>> under_debugger() == (sys.gettrace() is not None)
        True
    """
    if sys.gettrace() is not None:
        return True
    monitoring: Any = getattr(sys, "monitoring", None)  # from Python 3.12 on
    return bool(monitoring and monitoring.get_tool(monitoring.DEBUGGER_ID))
