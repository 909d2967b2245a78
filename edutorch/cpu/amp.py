"""Old names of `torch.amp`, for the CPU."""

from __future__ import annotations

import warnings

from ..amp import autocast_mode, grad_scaler
from ..dtypes import bfloat16
from ..dtypes import dtype as Dtype

__all__ = ["GradScaler", "autocast"]


def _deprecated(name: str) -> None:
    warnings.warn(
        f"`torch.cpu.amp.{name}(args...)` is deprecated. Please use "
        f"`torch.amp.{name}('cpu', args...)` instead.",
        FutureWarning,
        stacklevel=3,
    )


class autocast(autocast_mode.autocast):  # noqa: N801 (PyTorch's name)
    """The old name of `torch.amp.autocast("cpu")`.

    Example:
        >>> import warnings, edutorch as torch
        >>> with warnings.catch_warnings(action="ignore"):
        ...     torch.cpu.amp.autocast().fast_dtype
        torch.bfloat16
    """

    def __init__(
        self, enabled: bool = True, dtype: Dtype = bfloat16, cache_enabled: bool = True
    ) -> None:
        _deprecated("autocast")
        super().__init__("cpu", dtype, enabled, cache_enabled)


class GradScaler(grad_scaler.GradScaler):
    """The old name of `torch.amp.GradScaler("cpu")`.

    Example:
        >>> import warnings, edutorch as torch
        >>> with warnings.catch_warnings(action="ignore"):
        ...     torch.cpu.amp.GradScaler(init_scale=8.0).get_scale()
        8.0
    """

    def __init__(
        self,
        init_scale: float = 2.0**16,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        _deprecated("GradScaler")
        super().__init__(
            "cpu", init_scale, growth_factor, backoff_factor, growth_interval, enabled
        )
