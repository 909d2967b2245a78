"""Sources of CUDA kernels: listing them, compiling them, the shape of a launch."""

from __future__ import annotations

import functools
import sys
from dataclasses import dataclass
from typing import Any, Final

__all__ = ["BLOCK", "OPTIONS", "Source", "blocks", "sources"]

BLOCK: Final = 256  # threads of a block
OPTIONS: Final = ("--std=c++17",)
sources: dict[str, Source] = {}  # every source by name, for tests that compile them


@dataclass(frozen=True)
class Source:
    """CUDA source and the names of its kernels.

    Attributes:
        name: of the file that holds it.
        code: the source.
        kernels: what it defines.
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
