"""Old names of `torch.amp`, for GPUs."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from ..amp import autocast_mode, grad_scaler
from ..backends import gpus
from ..dtypes import dtype as Dtype
from ..dtypes import float16

__all__ = [
    "GradScaler", "amp_definitely_not_available", "autocast", "custom_bwd",
    "custom_fwd",
]  # fmt: skip


def _deprecated(name: str, now: str) -> None:
    warnings.warn(
        f"`torch.cuda.amp.{name}(args...)` is deprecated. Please use `torch.amp.{now}` "
        "instead.",
        FutureWarning,
        stacklevel=3,
    )


def amp_definitely_not_available() -> bool:
    """Whether there is no GPU, real or simulated.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     amp_definitely_not_available()
        False
    """
    return gpus.gpus() is None


class autocast(autocast_mode.autocast):  # noqa: N801 (PyTorch's name)
    """The old name of `torch.amp.autocast("cuda")`.

    Example:
        >>> import warnings, edutorch as torch
        >>> with warnings.catch_warnings(action="ignore"):
        ...     torch.cuda.amp.autocast(enabled=False).device
        'cuda'
    """

    def __init__(
        self, enabled: bool = True, dtype: Dtype = float16, cache_enabled: bool = True
    ) -> None:
        _deprecated("autocast", "autocast('cuda', args...)")
        super().__init__("cuda", dtype, enabled, cache_enabled)


class GradScaler(grad_scaler.GradScaler):
    """The old name of `torch.amp.GradScaler("cuda")`.

    Example:
        >>> import warnings, edutorch as torch
        >>> with warnings.catch_warnings(action="ignore"):
        ...     torch.cuda.amp.GradScaler(enabled=False).is_enabled()
        False
    """

    def __init__(
        self,
        init_scale: float = 2.0**16,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        _deprecated("GradScaler", "GradScaler('cuda', args...)")
        super().__init__(
            "cuda", init_scale, growth_factor, backoff_factor, growth_interval, enabled
        )


def custom_fwd(
    fwd: Callable[..., Any] | None = None, *, cast_inputs: Dtype | None = None
) -> Any:
    """The old name of `torch.amp.custom_fwd(device_type="cuda")`."""
    _deprecated("custom_fwd", "custom_fwd(args..., device_type='cuda')")
    return autocast_mode.custom_fwd(fwd, device_type="cuda", cast_inputs=cast_inputs)


def custom_bwd(bwd: Callable[..., Any]) -> Any:
    """The old name of `torch.amp.custom_bwd(device_type="cuda")`."""
    _deprecated("custom_bwd", "custom_bwd(args..., device_type='cuda')")
    return autocast_mode.custom_bwd(bwd, device_type="cuda")
