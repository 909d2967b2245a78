"""Modes of recording: no_grad, enable_grad, anomaly detection.

The modes are per thread, as in PyTorch.
"""

from __future__ import annotations

import functools
import inspect
import os
import threading
import warnings
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

__all__ = [
    "no_grad",
    "enable_grad",
    "set_grad_enabled",
    "is_grad_enabled",
    "detect_anomaly",
    "enforce_grad_layout_policy",
    "set_detect_anomaly",
    "is_anomaly_check_nan_enabled",
    "is_anomaly_enabled",
    "set_anomaly_enabled",
    "set_multithreading_enabled",
]


P = ParamSpec("P")
R = TypeVar("R")


class _Modes(threading.local):
    grad = True
    inference = False
    grad_in_inference = True  # the value of `is_grad_enabled` in inference mode
    saved_hooks: tuple[Any, ...] = ()  # (pack, unpack) pairs; the last is active
    hooks_refused: str | None = None  # why they are disabled, if they are
    task: Any = None  # the current backward pass
    takes_arrays = False  # whether functions take arrays, as in formulas of backward
    dual = False  # whether forward mode needs the graph, even under `no_grad`
    grad_in_dual = True  # the value of `is_grad_enabled` then
    unrecorded: Any = ()  # references to results that it recorded only for itself
    forward = False  # whether the backward pass is part of forward mode
    layouts = True  # whether gradients have the memory layout of their leaves
    autocast: Any = frozenset()  # the functions whose operands `edutorch.amp` casts


modes = _Modes()
pauses = 0  # threads and blocks that do not record; if 0, `modes` is not read
_lock = threading.Lock()


def set_grad(on: bool) -> bool:
    """Enable or disable recording in this thread; returns the previous value."""
    global pauses
    if modes.inference:  # nothing is recorded, even if `on`
        before, modes.grad_in_inference = modes.grad_in_inference, on
        return before
    if modes.dual:  # everything is recorded, even if not `on`
        before, modes.grad_in_dual = modes.grad_in_dual, on
        return before
    before = modes.grad
    if on is not before:
        # In case of Ctrl-C in between, the count is too high rather than too low.
        if on:
            modes.grad = True
        with _lock:
            pauses += -1 if on else 1
        modes.grad = on
    return before


def switch_recording(on: bool) -> None:
    """Begin or stop recording, whatever the modes are."""
    inference, dual = modes.inference, modes.dual
    modes.inference = modes.dual = False
    set_grad(on)
    modes.inference, modes.dual = inference, dual


anomaly = False  # process-wide, as in PyTorch
anomaly_check_nan = True
# whether 16-bit floats or complex32 have ever been operands, for the engine
half_used = False
special_modes = False  # whether any is active, so that dispatch must check them
_special_count = 0  # how many are active, in all threads


def count_special_mode(change: int) -> None:
    """Count one more (1) or one less (-1) active special mode.

    Special modes are hooks on saved tensors, `vmap`, autocast, anomaly detection, and
    inference mode, which counts forever, since its tensors outlive it.
    """
    global special_modes, _special_count
    with _lock:
        _special_count += change
        special_modes = _special_count > 0


def autocast(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Call a function on autocast's lists with its operands cast.

    The functions call this themselves, in their first lines; see
    Note [Functions that autocast] in `amp/casting.py`.
    """
    result: R = modes.autocast.call(function, args, kwargs)
    return result


class ContextDecorator:
    """A context manager that is also a decorator, for functions and generators."""

    def __enter__(self) -> Any:
        raise NotImplementedError

    def __exit__(self, *exception: object) -> None:
        raise NotImplementedError

    def _clone(self) -> ContextDecorator:
        return type(self)()

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        if inspect.isgeneratorfunction(function):
            return self._around_generator(function)
        if inspect.isclass(function):
            warnings.warn(
                "Decorating classes is deprecated and will be disabled in future "
                "versions. You should only decorate functions or methods. To preserve "
                "the current behavior of class decoration, you can directly decorate "
                "the `__init__` method and nothing else.",
                FutureWarning,
                stacklevel=2,
            )

        @functools.wraps(function)
        def switched(*args: Any, **kwargs: Any) -> Any:
            with self._clone():
                return function(*args, **kwargs)

        return switched

    def _around_generator(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def switched(*args: Any, **kwargs: Any) -> Any:
            generator = function(*args, **kwargs)
            resume, given = generator.send, None
            while True:
                with self._clone():
                    try:
                        item = resume(given)
                    except StopIteration as stop:
                        return stop.value
                try:
                    resume, given = generator.send, (yield item)
                except GeneratorExit:
                    with self._clone():
                        generator.close()
                    raise
                except BaseException as error:  # noqa: BLE001 (it is thrown on)
                    resume, given = generator.throw, error

        return switched


class _GradMode(ContextDecorator):
    grad = True

    def __enter__(self) -> None:
        self.before = set_grad(self.grad)

    def __exit__(self, *exception: object) -> None:
        set_grad(self.before)


class no_grad(_GradMode):  # noqa: N801 (PyTorch's name)
    """Record nothing: results do not require grad. Also a decorator.

    Example:
        >>> import edutorch as torch
        >>> x = torch.ones(1, requires_grad=True)
        >>> with torch.no_grad():
        ...     (x * 2).requires_grad
        False
    """

    grad = False

    def __new__(cls, function: Callable[..., Any] | None = None) -> Any:
        made = super().__new__(cls)
        return made if function is None else made(function)


class enable_grad(_GradMode):  # noqa: N801 (PyTorch's name)
    """Record again, inside `no_grad`. Also a decorator.

    Example:
        >>> import edutorch as torch
        >>> x = torch.ones(1, requires_grad=True)
        >>> with torch.no_grad(), torch.enable_grad():
        ...     (x * 2).requires_grad
        True
    """

    def __new__(cls, function: Callable[..., Any] | None = None) -> Any:
        made = super().__new__(cls)
        return made if function is None else made(function)


class set_grad_enabled(_GradMode):  # noqa: N801 (PyTorch's name)
    """Switch recording on or off: at once, and until the end of a `with` block.

    Raises:
        TypeError: for flags that are not bool.

    Example:
        >>> import edutorch as torch
        >>> with torch.set_grad_enabled(False):
        ...     torch.is_grad_enabled()
        False
    """

    def __init__(self, mode: bool) -> None:
        if type(mode) is not bool:
            raise TypeError(
                "set_grad_enabled(): argument 'enabled' (position 1) must be bool, not "
                f"{type(mode).__name__}"
            )
        self.grad = mode
        self.before = set_grad(mode)

    def __enter__(self) -> None:
        set_grad(self.grad)

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        set_grad(self.before)  # as a decorator it must not act at once
        return super().__call__(function)

    def _clone(self) -> ContextDecorator:
        return set_grad_enabled(self.grad)


def is_grad_enabled() -> bool:
    """Whether operations are being recorded in this thread.

    Example:
        >>> import edutorch as torch
        >>> torch.is_grad_enabled()
        True
    """
    if modes.inference:
        return modes.grad_in_inference
    return modes.grad_in_dual if modes.dual else modes.grad


class set_detect_anomaly:  # noqa: N801 (PyTorch's name)
    """Switch anomaly detection: at once, and until the end of a `with` block.

    Args:
        mode: whether ops remember the line that ran them.
        check_nan: whether backward raises where a gradient becomes nan.

    Example:
        >>> import edutorch as torch
        >>> with torch.autograd.set_detect_anomaly(True):
        ...     torch.is_anomaly_enabled()
        True
    """

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self.before = anomaly, anomaly_check_nan
        _detect(mode, check_nan)

    def __enter__(self) -> None:
        return None

    def __exit__(self, *exception: object) -> None:
        _detect(*self.before)


def _detect(mode: bool, check_nan: bool) -> None:
    global anomaly, anomaly_check_nan
    if bool(mode) is not bool(anomaly):
        count_special_mode(1 if mode else -1)
    anomaly, anomaly_check_nan = mode, check_nan


class detect_anomaly(set_detect_anomaly):  # noqa: N801 (PyTorch's name)
    """In this block backward names the forward line of a failing or nan-making op.

    Example:
        >>> import edutorch as torch
        >>> with torch.autograd.detect_anomaly():
        ...     torch.is_anomaly_enabled()
        True
    """

    def __init__(self, check_nan: bool = True) -> None:
        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime "
            "and should only be enabled for debugging.",
            stacklevel=2,
        )
        self.check_nan = check_nan

    def __enter__(self) -> None:
        super().__init__(True, self.check_nan)


def is_anomaly_enabled() -> bool:
    """Whether anomaly detection is on.

    Example:
        >>> import edutorch as torch
        >>> torch.is_anomaly_enabled()
        False
    """
    return anomaly


def is_anomaly_check_nan_enabled() -> bool:
    """Whether anomaly detection, when it is on, looks for nan in gradients.

    Example:
        >>> import edutorch as torch
        >>> torch.is_anomaly_check_nan_enabled()
        True
    """
    return anomaly_check_nan


def set_anomaly_enabled(mode: bool, check_nan: bool = True) -> None:
    """Switch anomaly detection for all threads.

    Args:
        mode: whether ops remember the line that ran them.
        check_nan: whether backward raises where a gradient becomes nan.

    Example:
        >>> import edutorch as torch
        >>> torch.set_anomaly_enabled(True, check_nan=False)
        >>> torch.is_anomaly_check_nan_enabled()
        False
        >>> torch.set_anomaly_enabled(False)
    """
    set_detect_anomaly(mode, check_nan)


class set_multithreading_enabled(ContextDecorator):  # noqa: N801 (PyTorch's name)
    """Accepted without effect: backward always runs on the calling thread.

    Example:
        >>> import edutorch as torch
        >>> with torch.autograd.set_multithreading_enabled(False):
        ...     pass
    """

    def __init__(self, mode: bool) -> None:
        self.mode = mode

    def __enter__(self) -> None:
        return None

    def __exit__(self, *exception: object) -> None:
        return None

    def _clone(self) -> ContextDecorator:
        return set_multithreading_enabled(self.mode)


class enforce_grad_layout_policy(ContextDecorator):  # noqa: N801 (PyTorch's name)
    """Whether `.grad` gets the memory layout of its leaf: from now on, or for a block.

    Optimizers are fastest if both have the same layout. With False, a gradient without
    other references is used as it is, which saves a copy.

    Example:
        >>> import edutorch as torch
        >>> w = torch.ones(3, 2).t().requires_grad_()
        >>> (w * 2).sum().backward()
        >>> w.grad.stride()
        (1, 2)
        >>> w.grad = None
        >>> with torch.autograd.enforce_grad_layout_policy(False):
        ...     (w * 2).sum().backward()
    """

    def __init__(self, enable: bool = True) -> None:
        self.before, self.mode = modes.layouts, enable
        modes.layouts = enable

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        modes.layouts = self.before  # as a decorator it must not act at once
        return super().__call__(function)

    def __enter__(self) -> None:
        modes.layouts = self.mode

    def __exit__(self, *exception: object) -> None:
        modes.layouts = self.before

    def _clone(self) -> ContextDecorator:
        return enforce_grad_layout_policy(self.mode)


def _after_fork() -> None:
    """Renew the lock: the thread that held it does not exist in a forked process."""
    global _lock
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
