"""Settings of PyTorch's libraries, accepted and stored.

Results of edutorch on the CPU are the same in every run, so that these switches have
nothing to change there; their values can be read back. Only the precision of matrix
products has an effect, on GPUs.
"""

from __future__ import annotations

import warnings

from ..callers import stack_level
from .cuda import matmul

__all__ = [
    "are_deterministic_algorithms_enabled",
    "compiled_with_cxx11_abi",
    "get_deterministic_debug_mode",
    "get_float32_matmul_precision",
    "has_lapack",
    "has_mkl",
    "has_openmp",
    "has_spectral",
    "init_num_threads",
    "is_deterministic_algorithms_warn_only_enabled",
    "is_warn_always_enabled",
    "set_deterministic_debug_mode",
    "set_flush_denormal",
    "set_float32_matmul_precision",
    "set_warn_always",
    "use_deterministic_algorithms",
    "warn_once",
]

_PRECISIONS = ("highest", "high", "medium")
_deterministic = False
_warn_only = False
_precision = "highest"
_warn_always = False
_warned: set[str] = set()  # messages that the process has seen
_MODES = ("default", "warn", "error")

# Features: LAPACK comes with SciPy, Fourier transforms with NumPy.
has_lapack = True
has_spectral = True
has_mkl = False
has_openmp = False


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Require the same results in every run, as the CPU always gives.

    Example:
        >>> import edutorch as torch
        >>> torch.use_deterministic_algorithms(True)
        >>> torch.are_deterministic_algorithms_enabled()
        True
        >>> torch.use_deterministic_algorithms(False)
    """
    global _deterministic, _warn_only
    _deterministic, _warn_only = bool(mode), bool(warn_only)


def are_deterministic_algorithms_enabled() -> bool:
    """Whether `use_deterministic_algorithms` was last switched on.

    Example:
        >>> import edutorch as torch
        >>> torch.are_deterministic_algorithms_enabled()
        False
    """
    return _deterministic


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """Whether `use_deterministic_algorithms` was last set to warn only.

    Example:
        >>> import edutorch as torch
        >>> torch.is_deterministic_algorithms_warn_only_enabled()
        False
    """
    return _warn_only


def set_float32_matmul_precision(precision: str) -> None:
    """Allow matrix products of float32 on GPUs to use TF32, where the GPU has it.

    TF32 has 10 bits of mantissa instead of 23: real GPUs round, simulated ones only
    take less time. On the CPU products always have full precision.

    Raises:
        RuntimeError: for another word than "highest", "high" or "medium".

    Example:
        >>> import edutorch as torch
        >>> torch.set_float32_matmul_precision("high")
        >>> torch.get_float32_matmul_precision()
        'high'
        >>> torch.set_float32_matmul_precision("highest")
    """
    global _precision
    if precision not in _PRECISIONS:
        raise RuntimeError(
            f"Unknown float32 matmul precision '{precision}', expected one of "
            f"{', '.join(_PRECISIONS)}"
        )
    _precision = precision
    matmul.allow_tf32 = precision != "highest"


def get_float32_matmul_precision() -> str:
    """The precision last set by `set_float32_matmul_precision`.

    Example:
        >>> import edutorch as torch
        >>> torch.get_float32_matmul_precision()
        'highest'
    """
    return _precision


def set_deterministic_debug_mode(debug_mode: int | str) -> None:
    """`use_deterministic_algorithms` by one word or number.

    Args:
        debug_mode: "default" or 0, "warn" or 1, "error" or 2.

    Raises:
        RuntimeError: for an unknown mode.

    Example:
        >>> import edutorch as torch
        >>> torch.set_deterministic_debug_mode("warn")
        >>> torch.get_deterministic_debug_mode()
        1
        >>> torch.set_deterministic_debug_mode(0)
    """
    if isinstance(debug_mode, str):
        if debug_mode not in _MODES:
            raise RuntimeError(
                "invalid value of debug_mode, expected one of `default`, `warn`, "
                f"`error`, but got {debug_mode}"
            )
        debug_mode = _MODES.index(debug_mode)
    if debug_mode not in (0, 1, 2):
        raise RuntimeError(
            f"invalid value of debug_mode, expected 0, 1, or 2, but got {debug_mode}"
        )
    use_deterministic_algorithms(debug_mode > 0, warn_only=debug_mode == 1)


def get_deterministic_debug_mode() -> int:
    """The mode last set by `set_deterministic_debug_mode`: 0, 1 or 2.

    Example:
        >>> import edutorch as torch
        >>> torch.get_deterministic_debug_mode()
        0
    """
    return (1 if _warn_only else 2) if _deterministic else 0


def set_warn_always(b: bool, /) -> None:
    """Whether what warns once per process warns every time; see `warn_once`.

    Example:
        >>> import edutorch as torch
        >>> torch.set_warn_always(True)
        >>> torch.is_warn_always_enabled()
        True
        >>> torch.set_warn_always(False)
    """
    global _warn_always
    _warn_always = bool(b)


def warn_once(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn the first time that the process has reason to, or with `set_warn_always`.

    Example:
        >>> with warnings.catch_warnings(record=True, action="always") as shown:
        ...     warn_once("a note")
        ...     warn_once("a note")
        >>> len(shown)
        1
    """
    if _warn_always or message not in _warned:
        _warned.add(message)
        warnings.warn(message, category, stacklevel=stack_level())


def is_warn_always_enabled() -> bool:
    """The value last set by `set_warn_always`.

    Example:
        >>> import edutorch as torch
        >>> torch.is_warn_always_enabled()
        False
    """
    return _warn_always


def set_flush_denormal(mode: bool) -> bool:
    """Flush denormal numbers to 0: not supported by NumPy, returns False.

    Example:
        >>> import edutorch as torch
        >>> torch.set_flush_denormal(True)
        False
    """
    return False


def init_num_threads() -> None:
    """Initialise threads: nothing to do.

    Example:
        >>> import edutorch as torch
        >>> torch.init_num_threads()
    """


def compiled_with_cxx11_abi() -> bool:
    """Whether C++ parts use the newer ABI: always True, as there are none.

    Example:
        >>> import edutorch as torch
        >>> torch.compiled_with_cxx11_abi()
        True
    """
    return True
