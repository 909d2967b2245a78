"""Reductions of segments: consecutive elements along a dimension."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...backends import array_module
from ...tensor.tensor import Tensor, wrap
from ..argument_checks import type_error
from ..dims import dim_of
from ..index.scatter_reductions import identity, scatter_reduce
from ..pointwise.ternary import where
from ..registration import composite
from ..shape.views import expand

__all__ = ["segment_reduce"]

REDUCTIONS = {"sum": "sum", "mean": "sum", "max": "amax", "min": "amin", "prod": "prod"}


@composite
def segment_reduce(
    data: Tensor, reduce: str, *, lengths: Tensor | None = None,
    indices: Tensor | None = None, offsets: Tensor | None = None, axis: int = 0,
    unsafe: bool = False, initial: Any = None,
) -> Tensor:  # fmt: skip
    """Reduce each of several runs of consecutive elements along a dimension.

    Math: y[s] = reduce x[i] for i in segment s; an empty one gives `initial`, or
          0 (sum), 1 (prod), nan (mean), -inf (max), inf (min)
          ∂L/∂x[i] = g[s] (sum), g[s] / count (mean), g[s] · the product of the others
          (prod), g[s] shared by those that equal y[s] (max, min)
    Shape: (n, *) with lengths (s) -> (s, *) for axis 0

    Args:
        reduce: "sum", "mean", "max", "min" or "prod".
        lengths: of the segments, one after the other.
        offsets: where they begin, and where the last one ends; instead of `lengths`.
        unsafe: whether lengths are taken on trust.
        initial: what each reduction starts with.

    Raises:
        RuntimeError: for lengths that do not fit.

    Example:
        >>> import edutorch as torch
        >>> x, n = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([2, 1])
        >>> torch.segment_reduce(x, "sum", lengths=n)
        tensor([3., 3.])
    """
    if unsafe is not False and unsafe is not True:
        raise type_error("bool", "unsafe", unsafe, "segment_reduce")
    if reduce not in REDUCTIONS:
        raise RuntimeError(
            "reduce argument must be either sum, prod, mean, amax or amin, got "
            f"{reduce}"
        )
    axis = dim_of(axis, data.ndim, "segment_reduce")
    counts = _lengths(lengths, offsets, indices)
    if not unsafe:
        _check(data, counts, axis)
    reduction = REDUCTIONS[reduce]
    shape = (*counts.shape, *data.shape[axis + 1 :])
    first = identity(reduction, data._data.dtype) if initial is None else initial
    rest = (1,) * (data.ndim - axis - 1)
    index = expand(wrap(_segments(counts, data.shape[axis]), data.device).reshape(
        *counts.shape[:-1], data.shape[axis], *rest), data.shape)  # fmt: skip
    y = scatter_reduce(data.new_full(shape, first), axis, index, data, reduction)
    if reduce != "mean":
        return y
    n = counts.reshape(*counts.shape, *rest).astype(data._data.dtype)
    empty = float("nan") if initial is None else initial
    result: Tensor = where(
        wrap(n == 0, data.device), empty, y / wrap(np.maximum(n, 1), data.device)
    )
    return result


def _lengths(lengths: Any, offsets: Any, indices: Any) -> Any:
    if indices is not None:
        raise RuntimeError(
            "segment_reduce(): indices based reduction is not supported yet."
        )
    if lengths is None and offsets is None:
        raise RuntimeError(
            "segment_reduce(): Either lengths or offsets must be defined."
        )
    given = offsets if lengths is None else lengths
    if given._data.dtype.kind not in "iu":
        raise NotImplementedError(
            '"_segment_reduce_lengths_cpu_kernel1" not implemented for '
            f"'{given.dtype.short}'"
        )
    return np.diff(given._data) if lengths is None else given._data


def _check(data: Tensor, counts: Any, axis: int) -> None:
    if counts.ndim - 1 != axis or counts.shape[:-1] != data.shape[:axis]:
        raise RuntimeError(
            "segment_reduce(): Expected all dims of lengths except last to match data"
        )
    if counts.size and counts.min() < 0:
        raise RuntimeError("lengths contains negative value!")
    if (counts.sum(-1) != data.shape[axis]).any():
        raise RuntimeError(
            "segment_reduce(): Expected all rows of lengths along axis to sum to "
            "data.size(lengths.dim()-1) when !unsafe."
        )


def _segments(counts: Any, n: int) -> Any:
    """The segment of each element along the axis: (.., s) -> (.., n)."""
    ends = np.cumsum(counts, -1)  # (.., s)
    return (array_module(ends).arange(n) >= ends[..., None]).sum(-2)
