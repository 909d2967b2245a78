"""Copies of a tensor with one part replaced: the counterparts of views."""

from __future__ import annotations

from typing import Any

from ...tensor.tensor import Tensor
from ..attach import composite, public
from ..convert.copies import clone
from ..dims import dim_of
from .diagonals import diagonal
from .slices import part, select
from .strides import as_strided

__all__ = ["as_strided_scatter", "diagonal_scatter", "select_scatter", "slice_scatter"]


def _placed(whole: Tensor, view: Tensor, src: Tensor) -> Tensor:
    """Write `src` through a view of `whole`, which has been made for this."""
    if view._data.shape != src._data.shape:
        raise RuntimeError(
            f"expected src to have a size equal to the slice of self. src size = "
            f"{list(src._data.shape)}, slice size = {list(view._data.shape)}"
        )
    view.copy_(src)
    return whole


@public("select_scatter")
@composite
def select_scatter(input: Tensor, src: Tensor, dim: int, index: int) -> Tensor:
    """A copy with one entry along a dimension replaced by `src`.

    Math: y = x, y[.., index, ..] = src      ∂L/∂x = g, 0 there      ∂L/∂src = g there

    Raises:
        RuntimeError: if `src` has another shape than the entry.

    Example:
        >>> import edutorch as torch
        >>> torch.select_scatter(torch.zeros(2, 2), torch.ones(2), 0, 1)
        tensor([[0., 0.],
                [1., 1.]])
    """
    whole = clone(input)
    return _placed(whole, select(whole, dim, index), src)


@public("slice_scatter")
@composite
def slice_scatter(
    input: Tensor, src: Tensor, dim: int = 0, start: int | None = None,
    end: int | None = None, step: int = 1,
) -> Tensor:  # fmt: skip
    """A copy with a range of entries along a dimension replaced by `src`.

    Math: y = x, y[.., start:end:step, ..] = src
          ∂L/∂x = g, 0 there      ∂L/∂src = g there

    Raises:
        RuntimeError: if `src` has another shape than the range.

    Example:
        >>> import edutorch as torch
        >>> torch.slice_scatter(torch.zeros(4), torch.ones(2), start=1, end=3)
        tensor([0., 1., 1., 0.])
    """
    whole = clone(input)
    dim = dim_of(dim, input.ndim)
    first, last, step = slice(start, end, step).indices(input.shape[dim])
    return _placed(whole, part(whole, dim, first, max(first, last), step), src)


@public("diagonal_scatter")
@composite
def diagonal_scatter(
    input: Tensor, src: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1
) -> Tensor:
    """A copy with a diagonal replaced by `src`.

    Math: y = x, diagonal(y) = src      ∂L/∂x = g, 0 there      ∂L/∂src = g there

    Raises:
        RuntimeError: if `src` has another shape than the diagonal.

    Example:
        >>> import edutorch as torch
        >>> torch.diagonal_scatter(torch.zeros(2, 2), torch.ones(2))
        tensor([[1., 0.],
                [0., 1.]])
    """
    whole = clone(input)
    return _placed(whole, diagonal(whole, offset, dim1, dim2), src)


@public("as_strided_scatter")
@composite
def as_strided_scatter(
    input: Tensor,
    src: Tensor,
    size: Any,
    stride: Any,
    storage_offset: int | None = None,
) -> Tensor:
    """A copy with the elements that shape, strides and offset reach replaced by `src`.

    Math: y = src at offset + Σ strideₖ · iₖ, elsewhere x
          ∂L/∂x = g, 0 where replaced; PyTorch 2.13 gives other numbers here, which
          differences contradict      ∂L/∂src = g there

    Raises:
        RuntimeError: if `src` has another shape.

    Example:
        >>> import edutorch as torch
        >>> torch.as_strided_scatter(torch.zeros(4), torch.ones(2), (2,), (2,))
        tensor([1., 0., 1., 0.])
    """
    whole = clone(input)
    return _placed(whole, as_strided(whole, size, stride, storage_offset), src)
