"""Sources of CUDA kernels: their list, their compilation, and launch sizes."""

from __future__ import annotations

import functools
import sys
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Final

import numpy as np

__all__ = [
    "BLOCK", "OPTIONS", "REALS", "Source", "array_library", "blocks", "is_real_cupy",
    "dense", "is_gpu_array", "sources",
]  # fmt: skip

BLOCK: Final = 256  # threads of a block
OPTIONS: Final = ("--std=c++17",)
REALS: Final = {np.dtype(np.float32): "float", np.dtype(np.float64): "double"}
sources: dict[str, Source] = {}  # every source by name, for tests that compile them


@dataclass(frozen=True)
class Source:
    """CUDA source and the names of its kernels.

    Attributes:
        name: of the file that holds it.
        code: the source.
        kernels: the names that it defines.
    """

    name: str
    code: str
    kernels: tuple[str, ...]

    def __post_init__(self) -> None:
        sources[self.name] = self

    def kernel(self, name: str) -> Any:
        """The compiled kernel; CuPy loads it on each GPU where it is first used."""
        return _kernel(self.name, name)


@functools.cache
def _module(source: str) -> Any:
    return sys.modules["cupy"].RawModule(code=sources[source].code, options=OPTIONS)


@functools.cache
def _kernel(source: str, name: str) -> Any:
    return _module(source).get_function(name)


def blocks(n: int) -> tuple[tuple[int], tuple[int]]:
    """Grid and block of a launch with one thread for each of n elements."""
    return (-(-n // BLOCK) or 1,), (BLOCK,)


def is_real_cupy(cupy: Any) -> bool:
    """Whether this is CuPy and not a substitute, which cannot compile kernels."""
    return type(cupy) is ModuleType


def is_gpu_array(x: Any) -> bool:
    """Whether an array is CuPy's, so that these kernels can run on it.

    Example:
        >>> is_gpu_array(np.zeros(2))
        False
    """
    if type(x) is np.ndarray:
        return False
    cupy = sys.modules.get("cupy")
    return cupy is not None and is_real_cupy(cupy) and isinstance(x, cupy.ndarray)


def array_library() -> Any:
    """CuPy, which made the arrays."""
    return sys.modules["cupy"]


def dense(*arrays: Any) -> Any:
    """The arrays, if all have one real dtype and are row-major.

    None stays as it is. The result is None for arrays of another kind.
    """
    first = arrays[0]
    if not is_gpu_array(first) or first.dtype not in REALS:
        return None
    if any(x is not None and x.dtype != first.dtype for x in arrays):
        return None
    tidy = array_library().ascontiguousarray
    return tuple(x if x is None or x.flags.c_contiguous else tidy(x) for x in arrays)
