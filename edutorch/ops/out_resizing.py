"""Resizing what is given as `out=`, and the warning of it."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from ..autograd.memory_overlap import overlaps_itself
from ..callers import stack_level
from ..tensor.tensor import Tensor
from .out_rules import CAST, EXACT, dtype_rule, keeps_history, names_in

__all__ = ["resize", "resizes_by_method", "resizes_quietly", "warn_of_resize"]

# These resize without a warning.
_RESIZED_QUIETLY = names_in(
    "addbmm arange bernoulli empty eye full linspace logsigmoid logspace "
    "mode.number multinomial normal ones randint randn randperm rand zeros"
)
# PyTorch resizes `out` by the method, which refuses those that require grad.
_RESIZED_BY_METHOD = names_in("empty randn")


def resizes_by_method(name: str) -> bool:
    """Whether PyTorch calls `out.resize_`, which refuses one that requires grad."""
    return name in _RESIZED_BY_METHOD


def resizes_quietly(name: str, variant: str = "") -> bool:
    """Whether `out` is resized without a warning; around tensors, `normal` warns."""
    if f"{name}.{variant}" in _RESIZED_QUIETLY:
        return True
    return name in _RESIZED_QUIETLY and (name, variant) != ("normal", "tensor")


def warn_of_resize(
    had: Sequence[int], needed: Sequence[int], function: str, variant: str = "",
    removed: int | None = None,
) -> None:  # fmt: skip
    """Warn of an `out` with elements of another shape; last, as it may be an error.

    Args:
        removed: the dimension that is removed afterwards, and still compared.

    Example:
        >>> warn_of_resize([0], [2], "exp")
    """
    if 0 in had or resizes_quietly(function, variant):
        return
    if removed is not None:
        kept = len(had) == len(needed) or (function == "mode" and len(had) >= removed)
        had = (*had[:removed], 1, *had[removed:]) if kept else had
        needed = (*needed[:removed], 1, *needed[removed:])
        if tuple(had) == needed:
            return
    warnings.warn(
        "An output with one or more elements was resized since it had shape "
        f"{list(had)}, which does not match the required output shape "
        f"{list(needed)}. This behavior is "
        "deprecated, and in a future PyTorch release outputs will not be resized "
        "unless they have zero elements. You can explicitly reuse an out tensor t "
        "by resizing it, inplace, to zero elements with t.resize_(0).",
        stacklevel=stack_level(),
    )


def resize(out: Tensor, result: Tensor, function: str) -> None:
    """Give `out` the shape of the result; only writing changes its version.

    Example:
        >>> import edutorch as torch
        >>> x = torch.zeros(0)
        >>> resize(x, torch.ones(2), "exp")
        >>> x.shape
        torch.Size([2])
    """
    version = out.untyped_storage().version
    needed = list(result._data.shape)
    grown: Any = out if keeps_history(function) else out.detach()
    grown.resize_(needed)
    strides = result.stride()
    copies_layout = dtype_rule(function) in (CAST, EXACT) or function == "nonzero"
    if copies_layout and strides != out.stride() and not overlaps_itself(result._data):
        grown.as_strided_(needed, strides)
    out._data = grown._data
    out.untyped_storage().version = version
