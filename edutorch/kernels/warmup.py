"""Compiles all kernels, once per machine: `python -m edutorch warmup`.

Numba stores compiled code in a cache folder of the user. The folder's name is a digest
of everything that the code depends on, including all files of `fast/`: Numba itself
detects only changes of the file that defines a kernel, not of the helpers that it
calls. A stamp file in the folder marks the set of kernels as complete.

Several processes share the work: a thread that compiles holds the interpreter's lock.
"""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from concurrent import futures
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from ..backends.threads import processor_count
from ..extras import install_command

__all__ = ["cache_folder", "compile_all", "has_numba", "is_warm"]

FAST = Path(__file__).parent / "fast"
COMPLETE_FILE = "complete"
MAX_PROCESSES = 4  # each first needs two seconds for imports


def is_warm() -> bool:
    """Whether all kernels are compiled, and Numba is there to load them.

    Example:
        >>> is_warm() in (True, False)
        True
    """
    return has_numba() and (cache_folder() / COMPLETE_FILE).exists()


@cache
def has_numba() -> bool:
    """Whether Numba is installed; it is not imported."""
    return find_spec("numba") is not None


def compile_all(processes: int | None = None) -> list[str]:
    """Compile every kernel, or load those compiled before; returns the files' names.

    Args:
        processes: how many processes compile; by default one per processor, at most
            `MAX_PROCESSES`.

    Raises:
        RuntimeError: if Numba is not installed.
    """
    if not has_numba():
        raise RuntimeError(
            f"compiled kernels need Numba: {install_command('fast')}; everything "
            "works without them"
        )
    names = [path.stem for path in _sources()]
    processes = processes or min(processor_count(), MAX_PROCESSES)
    if processes == 1 or is_warm() or not _compile_in_processes(processes):
        for name in names:
            _load(name)
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / COMPLETE_FILE).touch()
    return names


def _load(name: str) -> None:
    """Import a file of kernels, which compiles those that the cache does not hold."""
    import_module(f"{__package__}.fast.{name}")


def _compile_in_processes(processes: int) -> bool:
    """Fill the cache from several processes, each of which takes file after file.

    False if this system cannot start them.
    """
    sources = sorted(_sources(), key=lambda path: path.stat().st_size, reverse=True)
    names = [path.stem for path in sources]  # long ones first, so that all end together
    try:  # a limit of tasks prevents a fork: NumPy's threads may hold locks
        pool = futures.ProcessPoolExecutor(processes, max_tasks_per_child=len(names))
    except (OSError, NotImplementedError):  # no semaphores, as in some containers
        return False
    with pool:
        for _ in pool.map(_load, names):
            pass
    return True


@cache
def cache_folder() -> Path:
    """The folder of compiled kernels: in NUMBA_CACHE_DIR, or in the user's cache.

    Example:
        >>> cache_folder().name.startswith("kernels-")
        True
    """
    parts = [sys.version, platform.machine(), platform.node(), _numba()]
    for path in _sources():  # contents, as copying or checking out changes times
        parts += [str(path), hashlib.sha256(path.read_bytes()).hexdigest()]
    digest = hashlib.sha256("\n".join(parts).encode()).hexdigest()
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    chosen = os.environ.get("NUMBA_CACHE_DIR") or Path(home) / "edutorch"
    return Path(chosen) / f"kernels-{digest[:16]}"


def _numba() -> str:
    """A key that changes with the installed version of Numba."""
    spec = find_spec("numba")
    if spec is None or spec.origin is None:
        return "none"
    version = Path(spec.origin).with_name("_version.py")
    return version.read_text("utf-8") if version.exists() else spec.origin


def _sources() -> list[Path]:
    return sorted(path for path in FAST.glob("*.py") if path.stem != "__init__")
