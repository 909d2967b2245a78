"""Refusals of `out=` that come before those of an op that lacks a kernel.

PyTorch's elementwise ops compare shapes, resize `out` and check its dtype, device and
memory before they look for the kernel of a dtype.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tensor.tensor import Tensor, wrap
from .out_argument import fit
from .signatures import entry_call

__all__ = ["out_error"]


def out_error(operands: tuple[Any, ...], error: Any) -> Exception | None:
    """What PyTorch refuses of the running call's `out`; None if it takes it.

    Args:
        operands: those of the op.
        error: why it failed; `error.result` has the shape and dtype of the result.

    Example:
        >>> import edutorch as torch
        >>> try:
        ...     torch.abs(torch.tensor(True), out=torch.tensor(0.0))
        ... except RuntimeError as error:
        ...     print(error)
        Found dtype Float but expected Bool
    """
    call = entry_call()
    out = None if call is None else call.values().get("out")
    if call is None or not isinstance(out, Tensor):
        return None
    shape, dtype = error.result
    tensors = tuple([t for t in operands if isinstance(t, Tensor)])
    result = wrap(np.empty(shape, dtype.numpy))
    result._device = tensors[0]._device
    result._requires_grad = any(t._requires_grad for t in tensors)
    try:
        fit(out, result, call.name, tensors)
    except (RuntimeError, TypeError) as refusal:
        return refusal
    return None
