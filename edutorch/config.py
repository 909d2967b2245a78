"""Settings of the process: which kernels are used, and trade-offs for speed.

With `kernels("plain")`, every operation runs the formula of its docstring, as under a
debugger. `show()` prints which kernels are in use. `DEBUGGER_SKIP` lists the modules
that "step into" should skip.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from . import process_memory
from .free_cores import cores

__all__ = [
    "DEBUGGER_SKIP", "compiled", "kernel_mode", "kernel_path", "kernels", "onednn",
    "own_process", "plain", "show", "under_debugger",
]  # fmt: skip

_MODES: Final = ("auto", "plain", "fast")
_MONITORING: Any = getattr(sys, "monitoring", None)  # from Python 3.12 on


# Modules and packages that "step into" skips: argument checks, dispatch, storage,
# indices, and files that only select the formula (kernels/norm ...) or a dtype.
_SKIPPED: Final = (
    "edutorch.autograd", "edutorch.backends", "edutorch.callers", "edutorch.config",
    "edutorch.devices", "edutorch.dtypes", "edutorch.events",
    "edutorch.kernels.casts", "edutorch.kernels.compiled",
    "edutorch.kernels.memory_format", "edutorch.kernels.norm",
    "edutorch.kernels.softmax", "edutorch.memory_events",
    "edutorch.module_events", "edutorch.nn.factories", "edutorch.nn.modules.module",
    "edutorch.nn.modules.norm_base", "edutorch.nn.modules.rnn_base",
    "edutorch.op_events", "edutorch.ops.argument_checks",
    "edutorch.ops.conv.checks", "edutorch.ops.create", "edutorch.ops.dims",
    "edutorch.ops.index.getitem", "edutorch.ops.int_arguments",
    "edutorch.ops.loss.targets", "edutorch.ops.matmul.checks",
    "edutorch.ops.norm.checks", "edutorch.ops.norm.saved_statistics",
    "edutorch.ops.number_ranges", "edutorch.ops.out_argument", "edutorch.ops.promotion",
    "edutorch.ops.rnn.arguments", "edutorch.ops.shape.reshape_checks",
    "edutorch.ops.shape.slices", "edutorch.ops.signatures", "edutorch.tensor",
    "edutorch.value_events",
    "abc", "contextlib", "functools", "importlib", "numpy", "os",
)  # fmt: skip
# For pdb: `pdb.Pdb(skip=edutorch.config.DEBUGGER_SKIP).set_trace()`. With the list,
# stepping leads from a call to its mathematics; without it, through the engine.
DEBUGGER_SKIP: Final = ("namedtuple_*", *_SKIPPED, *(f"{name}.*" for name in _SKIPPED))


def _checked(mode: str, name: str) -> str:
    if mode not in _MODES:
        raise ValueError(f"{name} expects one of {_MODES}, got {mode!r}")
    return mode


class _Choice(threading.local):
    """The kernels of a thread: those of the process, except inside `kernels`."""

    kernels = _checked(os.environ.get("EDUTORCH_KERNELS", "auto"), "EDUTORCH_KERNELS")


class _Auto:
    """The meaning of "auto" in this process: decided at import, and never changed."""

    compiled = False
    numba = False
    onednn = False


_choice = _Choice()


def set_auto_kernels(*, compiled: bool, numba: bool, onednn: bool) -> None:
    """Set whether all kernels are compiled: only then "auto" uses them.

    And whether compiled kernels include convolutions of oneDNN.
    """
    _Auto.compiled, _Auto.numba, _Auto.onednn = compiled, numba, onednn


def kernel_path() -> str:
    """The kernels that this thread runs: "plain" formulas, "numpy" or "compiled".

    Example:
        >>> import edutorch as torch
        >>> with torch.config.kernels("plain"):
        ...     torch.config.kernel_path()
        'plain'
    """
    mode = _choice.kernels
    if mode == "plain" or (mode == "auto" and under_debugger()):
        return "plain"
    return "compiled" if mode == "fast" or _Auto.compiled else "numpy"


def compiled() -> bool:
    """Whether operations of this thread use compiled kernels.

    Example:
        >>> import edutorch as torch
        >>> with torch.config.kernels("plain"):
        ...     torch.config.compiled()
        False
    """
    return kernel_path() == "compiled"


def onednn() -> bool:
    """Whether convolutions of this thread may use oneDNN.

    They do if the extra `onednn` was installed when this process began, unless the
    thread runs plain kernels.

    Example:
        >>> import edutorch as torch
        >>> with torch.config.kernels("plain"):
        ...     torch.config.onednn()
        False
    """
    return _Auto.onednn and kernel_path() != "plain"


def show() -> None:
    """Print which kernels this thread uses and why, and the settings for speed.

    Example:
        >>> import edutorch as torch
        >>> with torch.config.kernels("plain"):
        ...     torch.config.show()  # doctest: +ELLIPSIS
        kernels: plain Python and NumPy (chosen)
        memory: ...
    """
    print(f"kernels: {_describe_kernels()}")
    if onednn():
        print("convolutions: oneDNN, where it is faster")
    keeper = "kept by" if process_memory.keeps_freed_memory() else "left to"
    print(f"memory: {keeper} the C library when arrays go")
    print(f"threads: {cores.describe()}")


def _describe_kernels() -> str:
    mode = _choice.kernels
    if mode == "plain":
        return "plain Python and NumPy (chosen)"
    if mode == "auto" and under_debugger():
        return "plain Python and NumPy (a debugger is attached)"
    if compiled():
        if not _Auto.numba:
            return "NumPy (Numba is not installed)"
        chosen = "chosen" if mode == "fast" else "compiled before this process began"
        return f"compiled by Numba, and NumPy ({chosen})"
    if _Auto.numba:
        return (
            "NumPy (not compiled before this process began: python -m edutorch warmup)"
        )
    return "NumPy (Numba is not installed)"


def own_process() -> None:
    """Enable settings for speed that a host program could notice.

    The objects created by imports are exempted from garbage collection (`gc.freeze`):
    long graphs are then built faster, since the collector does not traverse all modules
    again and again. For programs that mostly train; `python -m edutorch` and
    `%load_ext edutorch` in a notebook call this.

    Example:
        >>> import edutorch as torch
        >>> torch.config.own_process()
        >>> import gc
        >>> gc.unfreeze()  # what undoes it
    """
    process_memory.freeze_collector()


def kernel_mode() -> str:
    """Which kernels this thread runs: "auto", "plain" or "fast", see `kernels`."""
    return _choice.kernels


def plain() -> bool:
    """Whether operations of this thread run the formulas of their docstrings.

    True inside `kernels("plain")`, if the environment variable EDUTORCH_KERNELS is
    "plain", and under a debugger unless "fast" was selected.

    Example:
        >>> import edutorch as torch
        >>> with torch.config.kernels("plain"):
        ...     torch.config.plain()
        True
    """
    return kernel_path() == "plain"


def under_debugger() -> bool:
    """Whether a debugger traces this thread.

    Example:
        >>> under_debugger() == (sys.gettrace() is not None)
        True
    """
    if sys.gettrace() is not None:
        return True
    if _MONITORING is None:
        return False
    return _MONITORING.get_tool(_MONITORING.DEBUGGER_ID) is not None


@contextmanager
def kernels(mode: str) -> Iterator[None]:
    """Choose the kernels of this thread inside a `with` block.

    The environment variable EDUTORCH_KERNELS chooses them for the whole process.

    Args:
        mode: "auto" uses compiled kernels if `python -m edutorch warmup` had compiled
            them before this process started, but not under a debugger; "plain" uses
            only Python and NumPy; "fast" uses compiled kernels, and compiles those that
            are missing. Without Numba, all use NumPy.

    Raises:
        ValueError: for an unknown mode.

    Example:
        >>> import edutorch as torch
        >>> with torch.config.kernels("plain"):
        ...     torch.config.kernel_mode()
        'plain'
    """
    _checked(mode, "kernels()")
    before = _choice.kernels
    try:
        _choice.kernels = mode
        yield
    finally:
        _choice.kernels = before
