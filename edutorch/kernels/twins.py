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

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy import ndarray

from edutorch.config import kernel_mode, plain
from edutorch.kernels import warmup
from edutorch.kernels.pool import in_blocks

__all__ = ["Twins", "at_once", "written_out"]

FEW = 2**9  # numbers: below, NumPy is as fast for one number after the other

MANY = 2**16  # below, it is certain that one thread does them best


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
        if plain() or (self._module is None and not self._load()):
            return None
        run = getattr(self._module, kernel)
        dtype = arrays[0].dtype
        if dtype.char not in run.dtypes:
            return None
        for a in arrays:
            if type(a) is not ndarray or a.dtype is not dtype or not a.flags.carray:
                return None
        return run

    def each(self, kernel: str, *arrays: Any, settings: tuple[float, ...] = ()) -> Any:
        """What the twin of an elementwise kernel makes of the arrays, or None.

        So it is where some array would have to be repeated for others (a batch of
        gradients meets what was saved once): the loop would run past its end.
        """
        first, *others = arrays
        if first.size < FEW:
            return None
        for a in others:
            if a.shape != first.shape:
                return None
        arrays = (written_out(first), *others)
        run = self.find(kernel, *arrays)
        if run is None:
            return None
        y = np.empty_like(arrays[0])
        at_once(run, *arrays, y, settings=settings)
        return y

    def _load(self) -> bool:
        """Import the twins if they are compiled, or may be compiled now."""
        if find_spec("numba") is None:
            return False
        if kernel_mode() == "auto" and not warmup.ready():
            return False
        self._module = import_module(f"{__package__}.fast.{self._name}")
        return True

    def __repr__(self) -> str:
        state = "not loaded" if self._module is None else "loaded"
        return f"<Twins {self._name} ({state})>"


def at_once(run: Any, *arrays: Any, settings: tuple[float, ...] = ()) -> None:
    """Run an elementwise twin on arrays of one size, in several threads if it is large.

    Example:
        >>> at_once(print, np.zeros(1), np.ones((1, 1)), settings=(2,))
        [0.] [1.] 2
    """
    flat = [a.reshape(-1) for a in arrays]
    n = flat[0].size
    if n < MANY:
        run(*flat, *settings)
    else:
        in_blocks(lambda part: run(*[a[part] for a in flat], *settings), n, n / 4)


def written_out(g: Any) -> Any:
    """An array that was broadcast (such is the gradient of a sum), in memory.

    Example:
        >>> written_out(np.broadcast_to(np.ones(1), (2, 2))).strides
        (16, 8)
    """
    repeated = type(g) is ndarray and 0 in g.strides
    return np.ascontiguousarray(g) if repeated else g
