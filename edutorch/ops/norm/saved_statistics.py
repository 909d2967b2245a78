"""The mean and variance that normalisation saves for its gradient."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.half_precision import SINGLE, is_half

__all__ = ["as_saved", "half_dtype"]


def half_dtype(x: Any, w: Any, b: Any) -> Any:
    """The common 16-bit dtype of the operands, or None.

    Example:
        >>> import edutorch as torch
        >>> half_dtype(torch.ones(2).half(), None, None)
        dtype('float16')
    """
    dtype = x._data.dtype
    if not is_half(dtype):
        return None
    same_dtype = all(p is None or p._data.dtype == dtype for p in (w, b))
    return dtype if same_dtype else None


def as_saved(mean: Any, var: Any, eps: float, narrow: Any) -> tuple[Any, Any]:
    """Mean and variance, rounded as PyTorch saves them.

    Of 16-bit inputs it rounds the mean and 1/√(var + eps) to 16 bits, so the gradient
    belongs to these; the variance given back is the one that has this root.
    """
    if narrow is None:
        return mean, var
    with np.errstate(all="ignore"):
        rate = (1 / np.sqrt(var + eps)).astype(narrow).astype(SINGLE)
        return mean.astype(narrow).astype(SINGLE), 1 / rate**2 - SINGLE.type(eps)
