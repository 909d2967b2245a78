"""Whether autocast is enabled, for which device type, and with which dtype.

Each thread has its own state. Public functions look at `modes.autocast`, which holds
the functions whose operands are cast: none while autocast is off.
"""

from __future__ import annotations

import threading
import warnings
from typing import Any

from ..autograd.modes import count_special_mode, modes
from ..devices import device
from ..dtypes import bfloat16, dtype, float16
from ..dtypes import dtype as Dtype
from ..interrupts import finish, uninterrupted
from .casting import Autocast, weights

__all__ = [
    "AutocastState", "autocast_decrement_nesting", "autocast_increment_nesting",
    "check_argument", "check_only_argument", "clear_autocast_cache",
    "get_autocast_cpu_dtype", "get_autocast_dtype", "get_autocast_gpu_dtype",
    "is_autocast_available", "is_autocast_cache_enabled", "is_autocast_cpu_enabled",
    "is_autocast_enabled", "set_autocast_cache_enabled", "set_autocast_cpu_dtype",
    "set_autocast_cpu_enabled", "set_autocast_dtype", "set_autocast_enabled",
    "set_autocast_gpu_dtype",
]  # fmt: skip

# The kinds of device that PyTorch knows, and the dtype that each begins with.
FIRST = {
    "cpu": bfloat16, "cuda": float16, "hpu": bfloat16, "ipu": float16,
    "maia": bfloat16, "mps": float16, "mtia": float16, "privateuseone": float16,
    "xla": bfloat16, "xpu": float16,
}  # fmt: skip


class _State(threading.local):
    def __init__(self) -> None:
        self.enabled: dict[str, bool] = {}
        self.dtypes: dict[str, dtype] = dict(FIRST)
        self.nesting = 0


_state = _State()
ABSENT: Any = object()  # an argument that was left out


def is_autocast_available(device_type: str) -> bool:
    """Whether autocast supports a type of device.

    Raises:
        RuntimeError: for anything other than a type of device.

    Example:
        >>> import edutorch as torch
        >>> torch.amp.is_autocast_available("cpu")
        True
    """
    check_argument("_is_autocast_available", "device_type", 1, device_type, str)
    return device(device_type).type in FIRST


def check_argument(
    function: str, name: str, position: int, value: Any, expected: type
) -> None:
    """Refuse an argument of another type, as functions written in C++ do.

    Raises:
        TypeError: if it is not of the expected type.
    """
    if not isinstance(value, expected):
        wanted = "torch.dtype" if expected is Dtype else expected.__name__
        found = type(value).__name__
        found = f"torch.{found}" if isinstance(value, (device, Dtype)) else found
        raise TypeError(
            f"{function}(): argument '{name}' (position {position}) must be {wanted}, "
            f"not {found}"
        )


def check_only_argument(name: str, value: Any, expected: type) -> None:
    """The same for functions of one argument.

    Raises:
        TypeError: if it is not of the expected type.
    """
    if not isinstance(value, expected):
        wanted = "torch.dtype" if expected is Dtype else expected.__name__
        raise TypeError(f"{name} must be a {wanted} (got {type(value).__name__})")


def _checked_device_type(function: str, device_type: Any, words: str) -> str:
    check_argument(function, "device_type", 1, device_type, str)
    kind = device(device_type).type
    if kind not in FIRST:
        raise RuntimeError(words)
    return kind


_NO_DTYPE = "unsupported scalarType"
_NO_KEY = (
    "unknown device type for autocast in get_autocast_dispatch_key_from_device_type"
)


def is_autocast_enabled(device_type: str = "cuda") -> bool:
    """Whether public functions cast their operands in this thread.

    Raises:
        RuntimeError: for devices without autocast.

    Example:
        >>> import edutorch as torch
        >>> with torch.autocast("cpu"):
        ...     torch.is_autocast_enabled("cpu")
        True
    """
    kind = _checked_device_type("is_autocast_enabled", device_type, _NO_KEY)
    return _state.enabled.get(kind, False)


def set_autocast_enabled(device_type: Any = ABSENT, enabled: Any = ABSENT) -> None:
    """Switch autocast on or off; `torch.autocast` does it for a block.

    Args:
        device_type: may be omitted: `set_autocast_enabled(True)` is for "cuda".

    Raises:
        RuntimeError: for devices without autocast.
        TypeError: for arguments of other types.

    Example:
        >>> import edutorch as torch
        >>> torch.set_autocast_enabled("cpu", False)
    """
    name = "set_autocast_enabled"
    if device_type is enabled is ABSENT:
        raise TypeError(
            f"{name}() received an invalid combination of arguments - got (), but "
            "expected one of:\n * (str device_type, bool enabled)\n * (bool enabled)\n"
        )
    if enabled is ABSENT:
        check_argument(name, "enabled", 1, device_type, bool)
        device_type, enabled = "cuda", device_type
    elif device_type is ABSENT:
        device_type = "cuda"
    kind = _checked_device_type(name, device_type, _NO_KEY)
    check_argument(name, "enabled", 2, enabled, bool)
    _state.enabled[kind] = enabled
    _update_dispatch()


def get_autocast_dtype(device_type: str) -> dtype:
    """The dtype that autocast uses, or would use, for products.

    Raises:
        RuntimeError: for devices without autocast.

    Example:
        >>> import edutorch as torch
        >>> torch.get_autocast_dtype("cpu"), torch.get_autocast_dtype("cuda")
        (torch.bfloat16, torch.float16)
    """
    return _state.dtypes[
        _checked_device_type("get_autocast_dtype", device_type, _NO_DTYPE)
    ]


def set_autocast_dtype(device_type: str, dtype: dtype) -> None:
    """Choose the dtype that autocast uses for products.

    Raises:
        RuntimeError: for devices without autocast.

    Example:
        >>> import edutorch as torch
        >>> torch.set_autocast_dtype("cpu", torch.bfloat16)
    """
    kind = _checked_device_type("set_autocast_dtype", device_type, _NO_DTYPE)
    check_argument("set_autocast_dtype", "dtype", 2, dtype, Dtype)
    _state.dtypes[kind] = dtype
    _update_dispatch()


def _update_dispatch() -> None:
    """Tell dispatch whether this thread casts."""
    on = {kind: _state.dtypes[kind] for kind, on in _state.enabled.items() if on}
    before = modes.autocast
    now: Any = Autocast(on) if on else frozenset()
    if now and not before:  # counted too long rather than too short, on Ctrl-C
        count_special_mode(1)
    modes.autocast = now
    if before and not now:
        count_special_mode(-1)


class AutocastState:
    """A snapshot of autocast's state; a `with` block restores it.

    Example:
        >>> import edutorch as torch
        >>> with torch.autocast("cpu"):
        ...     then = AutocastState()
        >>> with then:
        ...     torch.is_autocast_enabled("cpu")
        True
    """

    def __init__(self) -> None:
        self.state = dict(_state.enabled), dict(_state.dtypes), weights.caching

    def __enter__(self) -> None:
        self.before = AutocastState()
        with uninterrupted():
            self._restore()
            autocast_increment_nesting()

    def __exit__(self, *exception: object) -> None:
        finish(self._end)

    def _end(self) -> None:
        if autocast_decrement_nesting() == 0:
            clear_autocast_cache()
        self.before._restore()

    def _restore(self) -> None:
        enabled, dtypes, weights.caching = self.state
        _state.enabled, _state.dtypes = dict(enabled), dict(dtypes)
        _update_dispatch()


def is_autocast_cache_enabled() -> bool:
    """Whether weights that have been cast are reused until the outermost block ends.

    Example:
        >>> import edutorch as torch
        >>> torch.is_autocast_cache_enabled()
        True
    """
    return weights.caching


def set_autocast_cache_enabled(enabled: bool) -> None:
    """Choose whether weights that have been cast are reused, or cast each time.

    Example:
        >>> import edutorch as torch
        >>> torch.set_autocast_cache_enabled(True)
    """
    check_only_argument("enabled", enabled, bool)
    weights.caching = enabled


def clear_autocast_cache() -> None:
    """Forget the weights that have been cast.

    Example:
        >>> import edutorch as torch
        >>> torch.clear_autocast_cache()
    """
    weights.casts.clear()


def autocast_increment_nesting() -> int:
    """Enter a block; returns how many are open.

    Example:
        >>> import edutorch as torch
        >>> torch.autocast_increment_nesting(), torch.autocast_decrement_nesting()
        (1, 0)
    """
    _state.nesting += 1
    return _state.nesting


def autocast_decrement_nesting() -> int:
    """Leave a block; returns how many are still open."""
    _state.nesting -= 1
    return _state.nesting


# ---- old names


def _deprecated(name: str, now: str) -> None:
    warnings.warn(
        f"torch.{name}() is deprecated. Please use torch.{now} instead.",
        DeprecationWarning,
        stacklevel=3,
    )


def is_autocast_cpu_enabled() -> bool:
    """The old name of `is_autocast_enabled("cpu")`."""
    _deprecated("is_autocast_cpu_enabled", "is_autocast_enabled('cpu')")
    return is_autocast_enabled("cpu")


def set_autocast_cpu_enabled(enabled: bool) -> None:
    """The old name of `set_autocast_enabled("cpu", enabled)`."""
    _deprecated("set_autocast_cpu_enabled", "set_autocast_enabled('cpu', enabled)")
    check_only_argument("enabled", enabled, bool)
    set_autocast_enabled("cpu", enabled)


def get_autocast_cpu_dtype() -> dtype:
    """The old name of `get_autocast_dtype("cpu")`."""
    _deprecated("get_autocast_cpu_dtype", "get_autocast_dtype('cpu')")
    return get_autocast_dtype("cpu")


def get_autocast_gpu_dtype() -> dtype:
    """The old name of `get_autocast_dtype("cuda")`."""
    _deprecated("get_autocast_gpu_dtype", "get_autocast_dtype('cuda')")
    return get_autocast_dtype("cuda")


def set_autocast_cpu_dtype(dtype: dtype) -> None:
    """The old name of `set_autocast_dtype("cpu", dtype)`."""
    _deprecated("set_autocast_cpu_dtype", "set_autocast_dtype('cpu', dtype)")
    check_only_argument("dtype", dtype, Dtype)
    set_autocast_dtype("cpu", dtype)


def set_autocast_gpu_dtype(dtype: dtype) -> None:
    """The old name of `set_autocast_dtype("cuda", dtype)`."""
    _deprecated("set_autocast_gpu_dtype", "set_autocast_dtype('cuda', dtype)")
    check_only_argument("dtype", dtype, Dtype)
    set_autocast_dtype("cuda", dtype)
