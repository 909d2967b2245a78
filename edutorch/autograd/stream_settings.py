"""PyTorch's settings for streams and compiled regions, which have no effect here.

A device runs all its work in one order, and nothing is captured or compiled. The
arguments are checked as in PyTorch.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

__all__ = [
    "region_activation_memory_budget",
    "set_override_stale_capture_stream",
    "set_warn_on_accumulate_grad_stream_mismatch",
]


def _need_bool(enabled: Any) -> None:
    if not isinstance(enabled, bool):
        raise RuntimeError(f"enabled must be a bool, but got {type(enabled).__name__}")


def set_warn_on_accumulate_grad_stream_mismatch(enabled: bool) -> None:
    """Whether to warn if a gradient comes from another stream than its leaf's.

    All work of a device is in one stream here, so there is nothing to warn of.

    Raises:
        RuntimeError: for flags that are not bool.

    Example:
        >>> import edutorch as torch
        >>> torch.autograd.graph.set_warn_on_accumulate_grad_stream_mismatch(False)
    """
    _need_bool(enabled)


def set_override_stale_capture_stream(enabled: bool) -> None:
    """Whether a captured GPU graph takes over streams that are not captured.

    GPU graphs are not captured here, so there is nothing to take over.

    Raises:
        RuntimeError: for flags that are not bool.

    Example:
        >>> import edutorch as torch
        >>> torch.autograd.graph.set_override_stale_capture_stream(True)
    """
    _need_bool(enabled)


def region_activation_memory_budget(budget: float) -> AbstractContextManager[None]:
    """The share of its activations that a compiled region may keep.

    It is for regions that are compiled, which none is here: as in PyTorch, eager
    programs are refused. `utils.checkpoint` saves memory in these.

    Args:
        budget: from 0 (keep nothing, compute again) to 1.

    Raises:
        TypeError: for arguments that are not numbers.
        ValueError: for a number outside of 0 to 1.
        RuntimeError: otherwise, since nothing is compiled.

    Example:
        >>> import edutorch as torch
        >>> torch.autograd.graph.region_activation_memory_budget(2.0)
        Traceback (most recent call last):
        ValueError: torch.autograd.graph.region_activation_memory_budget: must be in \
[0, 1], got 2.0
    """
    name = "torch.autograd.graph.region_activation_memory_budget"
    if isinstance(budget, bool) or not isinstance(budget, (int, float)):
        raise TypeError(f"{name}: expects a float, got {type(budget).__name__}")
    if not 0.0 <= budget <= 1.0:
        raise ValueError(f"{name}: must be in [0, 1], got {budget}")
    raise RuntimeError(
        f"{name} can only be used inside a torch.compile region; it has no effect in "
        "eager mode."
    )
