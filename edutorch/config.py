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

__all__ = [
    "DEBUGGER_SKIP", "compiled", "kernel_mode", "kernel_path", "kernels", "own_process",
    "plain", "show", "under_debugger",
]  # fmt: skip

_MODES: Final = ("auto", "plain", "fast")
_MONITORING: Any = getattr(sys, "monitoring", None)  # from Python 3.12 on


# Modules and packages that "step into" passes over: argument checks, dispatch, storage,
# indices, and files that only choose the formula (kernels/norm ...) or a dtype.
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
# For pdb: `pdb.Pdb(skip=edutorch.config.DEBUGGER_SKIP).set_trace()`. The list leads
# from a call to its mathematics; to step through the engine, leave it out.
DEBUGGER_SKIP: Final = ("namedtuple_*", *_SKIPPED, *(f"{name}.*" for name in _SKIPPED))


def _checked(mode: str, name: str) -> str:
    if mode not in _MODES:
        raise ValueError(f"{name} expects one of {_MODES}, got {mode!r}")
    return mode


class _Choice(threading.local):
    """The kernels of a thread: those of the whole process, but inside `kernels`."""

    kernels = _checked(os.environ.get("EDUTORCH_KERNELS", "auto"), "EDUTORCH_KERNELS")


class _Auto:
    """What "auto" means in this process: settled at import, and never changed."""

    compiled = False
    numba = False


_choice = _Choice()


def settle_auto(*, compiled: bool, numba: bool) -> None:
    """Say whether all kernels are compiled: only then "auto" uses them."""
    _Auto.compiled, _Auto.numba = compiled, numba


def kernel_path() -> str:
    """What operations of this thread run: "plain" formulas, "numpy" or "compiled".

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


def show() -> None:
    """Print which kernels this thread uses and why, and what serves speed alone.

    Example:
        >>> import edutorch as torch
        >>> with torch.config.kernels("plain"):
        ...     torch.config.show()  # doctest: +ELLIPSIS
        kernels: plain Python and NumPy (chosen)
        memory: ...
    """
    print(f"kernels: {_kernels_in_words()}")
    keeper = "kept by" if process_memory.is_kept() else "left to"
    print(f"memory: {keeper} the C library when arrays go")


def _kernels_in_words() -> str:
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
    """Let this process give up for speed what a host program could notice.

    What importing has made is set aside for the garbage collector (`gc.freeze`): a long
    graph then grows faster, as the collector does not look through all modules again
    and again. For programs that are mostly training; `python -m edutorch` and
    `%load_ext edutorch` in a notebook do so.

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

    So it is inside `kernels("plain")`, where the environment variable EDUTORCH_KERNELS
    is "plain", and under a debugger unless "fast" was chosen.

    Example:
        >>> import edutorch as torch
        >>> with torch.config.kernels("plain"):
        ...     torch.config.plain()
        True
    """
    return kernel_path() == "plain"


def under_debugger() -> bool:
    """Whether somebody steps through this thread, and wants to see plain Python.

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
        mode: "auto" takes compiled kernels if `python -m edutorch warmup` had compiled
            them before this process began, never under a debugger; "plain" takes
            Python and NumPy only; "fast" takes compiled kernels, and compiles them
            where they are not. All take NumPy's where Numba is not installed.

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
