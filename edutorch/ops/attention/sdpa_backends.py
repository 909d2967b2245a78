"""Selects the implementation of `scaled_dot_product_attention`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from typing import Any

__all__ = ["SDPBackend", "allowed", "sdpa_kernel"]


class SDPBackend(Enum):
    """The implementations of attention, by PyTorch's names.

    Here there are two: MATH, the steps of the formula one after the other, and
    FLASH_ATTENTION, the fused step for heads of one size. The others are those of
    GPUs: if only they are allowed, attention cannot be computed.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.attention.SDPBackend.MATH
        <SDPBackend.MATH: 0>
    """

    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4

    def __int__(self) -> int:
        return int(self.value)


class _Choice:
    """The backends currently allowed in the process."""

    fused = True
    steps = True


_choice = _Choice()


@contextmanager
def sdpa_kernel(backends: Any, set_priority: bool = False) -> Iterator[dict[Any, Any]]:
    """A context in which only some implementations of attention may be used.

    Args:
        backends: an `SDPBackend`, or a list of them.
        set_priority: accepted; the fused step goes first where both are allowed.

    Raises:
        AssertionError: for an argument that is neither.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.nn.attention import SDPBackend, sdpa_kernel
        >>> x = torch.ones(1, 1, 2, 2)
        >>> with sdpa_kernel(SDPBackend.MATH):
        ...     torch.nn.functional.scaled_dot_product_attention(x, x, x).sum()
        tensor(4.)
    """
    if not isinstance(backends, (list, SDPBackend)):
        raise AssertionError(
            "Backend must be an instance of SDPBackend or a list of SDPBackend "
            f"instances, got {type(backends).__name__}"
        )
    allowed = backends if isinstance(backends, list) else [backends]
    before = _choice.fused, _choice.steps
    _choice.fused = SDPBackend.FLASH_ATTENTION in allowed
    _choice.steps = SDPBackend.MATH in allowed
    try:
        yield {}
    finally:
        _choice.fused, _choice.steps = before


def allowed(possible: bool) -> bool:
    """Whether to use the fused implementation, if `possible`.

    Raises:
        RuntimeError: if neither way is allowed, or only the one that is not possible.
    """
    if possible and _choice.fused:
        return True
    if _choice.steps:
        return False
    if _choice.fused:
        raise RuntimeError("No available kernel.  Aborting execution.")
    raise RuntimeError(
        "No viable backend for scaled_dot_product_attention was found. This is likely "
        "due to turning off both the math kernel and the fused kernels."
    )
