"""`autocast`: blocks in which public functions choose the dtype they compute in."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from ..backends import gpus
from ..dtypes import bfloat16, float16, float64
from ..dtypes import dtype as Dtype
from ..interrupts import finish, uninterrupted
from ..tensor.tensor import Tensor
from . import state
from .state import is_autocast_available

__all__ = [
    "autocast", "autocast_decorator", "custom_bwd", "custom_fwd",
    "is_autocast_available",
]  # fmt: skip

SUPPORTED = (bfloat16, float16)


def autocast_decorator(
    autocast_instance: autocast, func: Callable[..., Any]
) -> Callable[..., Any]:
    """A function that runs in an `autocast` block."""

    @functools.wraps(func)
    def decorate_autocast(*args: Any, **kwargs: Any) -> Any:
        with autocast_instance:
            return func(*args, **kwargs)

    return decorate_autocast


class autocast:  # noqa: N801 (PyTorch's name)
    """A block in which public functions cast their operands. Also a decorator.

    Matrix products and convolutions compute in the 16-bit `dtype`; losses and functions
    that need more digits or a larger range, in float32; all others, in the dtype of
    their operands. Wrap the forward pass and the loss; each gradient has the dtype of
    its tensor. A weight is cast once; the result is reused until the outermost block
    ends.

    Args:
        device_type: "cpu" or "cuda": tensors on other devices are left alone.
        dtype: bfloat16 or float16; by default bfloat16 on the CPU, float16 on GPUs.
        enabled: False switches autocast off, inside a block that has it on.
        cache_enabled: whether weights that have been cast are reused.

    Raises:
        RuntimeError: for devices without autocast.
        ValueError: if `device_type` is not a string.
        TypeError: when the block begins, if other arguments have another type.

    Example:
        >>> import edutorch as torch
        >>> x = torch.ones(2, 2)
        >>> with torch.autocast("cpu"):
        ...     y = x @ x
        ...     y.dtype, y.softmax(0).dtype, torch.nn.functional.mse_loss(y, x).dtype
        (torch.bfloat16, torch.bfloat16, torch.float32)
    """

    def __init__(
        self,
        device_type: str,
        dtype: Dtype | None = None,
        enabled: bool = True,
        cache_enabled: bool | None = None,
    ) -> None:
        _check_kind(device_type)
        chosen = state.get_autocast_dtype(device_type)
        self.device = device_type
        self.fast_dtype = chosen if dtype is None else dtype
        if not is_autocast_available(device_type):
            raise RuntimeError(
                f"User specified an unsupported autocast device_type '{device_type}'"
            )
        if cache_enabled is None:
            cache_enabled = state.is_autocast_cache_enabled()
        self._cache_enabled = cache_enabled
        if enabled and not self._is_supported():
            enabled = False
        self._enabled = enabled
        self._before: list[tuple[bool, Dtype, bool]] = []

    def _is_supported(self) -> bool:
        """Whether the device has autocast for the dtype; warns if not."""
        if self.device == "cuda":
            if gpus.gpus() is None:
                warnings.warn(
                    "CUDA is not available or torch_xla is imported. Disabling "
                    "autocast.",
                    stacklevel=3,
                )
            return gpus.gpus() is not None
        if self.fast_dtype not in SUPPORTED:
            name = self.device.upper()
            warnings.warn(
                f"In {name} autocast, but the target dtype is not supported. Disabling "
                f"autocast.\n{name} Autocast only supports dtypes of "
                f"{', '.join(map(str, SUPPORTED))} currently.",
                stacklevel=3,
            )
        return self.fast_dtype in SUPPORTED

    def __enter__(self) -> autocast:
        begun = False
        try:
            with uninterrupted():
                self._begin()
                begun = True
        except BaseException:  # the block, which would end it, does not begin
            if begun:
                self._end()
            raise
        return self

    def __exit__(self, *exception: object) -> None:
        finish(self._end)

    def _check(self) -> None:
        """Refuse arguments of other types, before anything is switched."""
        state.check_argument("set_autocast_enabled", "enabled", 2, self._enabled, bool)
        state.check_argument("set_autocast_dtype", "dtype", 2, self.fast_dtype, Dtype)
        state.check_only_argument("enabled", self._cache_enabled, bool)

    def _begin(self) -> None:
        self._check()
        kind = self.device
        self._before.append(
            (
                state.is_autocast_enabled(kind),
                state.get_autocast_dtype(kind),
                state.is_autocast_cache_enabled(),
            )
        )
        state.set_autocast_dtype(kind, self.fast_dtype)
        state.set_autocast_enabled(kind, self._enabled)
        state.autocast_increment_nesting()
        state.set_autocast_cache_enabled(self._cache_enabled)

    def _end(self) -> None:
        if state.autocast_decrement_nesting() == 0:
            state.clear_autocast_cache()
        enabled, dtype, caching = self._before.pop()
        state.set_autocast_enabled(self.device, enabled)
        state.set_autocast_dtype(self.device, dtype)
        state.set_autocast_cache_enabled(caching)

    def __call__(self, func: Callable[..., Any]) -> Callable[..., Any]:
        if not callable(func):
            raise TypeError(
                "autocast()(func) requires a callable, but got "
                f"{type(func).__name__}. Did you mean to use autocast as a context "
                "manager? For example:\n    with torch.autocast(device_type=...):\n"
                "        output = model(input)"
            )
        return autocast_decorator(self, func)


def _check_kind(device_type: Any) -> None:
    if not isinstance(device_type, str):
        raise ValueError(
            f"Expected `device_type` of type `str`, got: `{type(device_type)}`"
        )


def _cast(value: Any, device_type: str, dtype: Dtype) -> Any:
    """Cast floating-point tensors on a type of device, also inside containers."""
    if isinstance(value, Tensor):
        takes_part = (
            value.is_floating_point()
            and value.device.type == device_type
            and value.dtype is not float64
        )
        return value.to(dtype) if takes_part else value
    if isinstance(value, (str, bytes, np.ndarray)):
        return value
    if isinstance(value, Mapping):
        return {_cast(k, device_type, dtype): _cast(v, device_type, dtype)
                for k, v in value.items()}  # fmt: skip
    if isinstance(value, Iterable):
        parts = (_cast(v, device_type, dtype) for v in value)
        return type(value)(parts) if isinstance(value, (list, tuple)) else parts
    return value


def custom_fwd(
    fwd: Callable[..., Any] | None = None,
    *,
    device_type: str,
    cast_inputs: Dtype | None = None,
) -> Any:
    """Decorate the `forward` of a Function, which autocast cannot look into.

    Args:
        cast_inputs: in an autocast block, `forward` gets its tensors with this dtype
            and runs with autocast off; None leaves autocast as it is.

    Raises:
        ValueError: if `device_type` is not a string.

    Example:
        >>> import edutorch as torch
        >>> class Product(torch.autograd.Function):
        ...     @staticmethod
        ...     @torch.amp.custom_fwd(device_type="cpu", cast_inputs=torch.float32)
        ...     def forward(ctx, a, b):
        ...         return a @ b
        >>> with torch.autocast("cpu"):
        ...     Product.apply(torch.ones(1, 1), torch.ones(1, 1).bfloat16()).dtype
        torch.float32
    """
    _check_kind(device_type)
    if fwd is None:
        return functools.partial(
            custom_fwd, device_type=device_type, cast_inputs=cast_inputs
        )

    @functools.wraps(fwd)
    def decorate_fwd(*args: Any, **kwargs: Any) -> Any:
        ctx, on = args[0], state.is_autocast_enabled(device_type)
        ctx._dtype = state.get_autocast_dtype(device_type)
        ctx._fwd_used_autocast = on and cast_inputs is None
        if cast_inputs is None or not on:
            return fwd(*args, **kwargs)
        with autocast(device_type, enabled=False):
            return fwd(
                *_cast(args, device_type, cast_inputs),
                **_cast(kwargs, device_type, cast_inputs),
            )

    return decorate_fwd


def custom_bwd(bwd: Callable[..., Any] | None = None, *, device_type: str) -> Any:
    """Decorate the `backward` of a Function: it runs with the autocast of `forward`.

    Raises:
        ValueError: if `device_type` is not a string.

    Example:
        >>> import edutorch as torch
        >>> torch.amp.custom_bwd(lambda ctx, g: g, device_type="cpu").__name__
        '<lambda>'
    """
    _check_kind(device_type)
    if bwd is None:
        return functools.partial(custom_bwd, device_type=device_type)

    @functools.wraps(bwd)
    def decorate_bwd(*args: Any, **kwargs: Any) -> Any:
        ctx = args[0]
        with autocast(device_type, ctx._dtype, ctx._fwd_used_autocast):
            return bwd(*args, **kwargs)

    return decorate_bwd
