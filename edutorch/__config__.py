"""The configuration of this build: `torch.__config__`."""

from __future__ import annotations

import os
import platform

import numpy as np

from .backends.threads import get_num_interop_threads, get_num_threads
from .version import __version__

__all__ = ["parallel_info", "show"]


def show() -> str:
    """The versions of the libraries in use, as text.

    Example:
        >>> import edutorch as torch
        >>> print(torch.__config__.show().splitlines()[0])
        edutorch built with:
    """
    return (
        "edutorch built with:\n"
        f"  - edutorch {__version__}\n"
        f"  - {platform.python_implementation()} {platform.python_version()}\n"
        f"  - NumPy {np.__version__}\n"
    )


def parallel_info() -> str:
    """How many threads compute, as text.

    Example:
        >>> import edutorch as torch
        >>> print(torch.__config__.parallel_info().splitlines()[0])
        edutorch/Parallel:
    """
    return (
        "edutorch/Parallel:\n"
        f"\tget_num_threads() : {get_num_threads()}\n"
        f"\tget_num_interop_threads() : {get_num_interop_threads()}\n"
        f"processors : {os.cpu_count()}\n"
    )
