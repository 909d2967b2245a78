"""Numerical derivatives along dimensions."""

from __future__ import annotations

from typing import Any

from ...tensor.tensor import Tensor
from ..argument_checks import tensor_of
from ..argument_errors import parser_errors
from ..dims import dims_of, ndim_of
from ..registration import composite
from ..shape.joining import cat
from ..shape.slices import narrow

__all__ = ["gradient"]


@composite
@parser_errors
def gradient(
    input: Tensor, *, spacing: Any = 1, dim: Any = None, edge_order: int = 1
) -> tuple[Tensor, ...]:
    """Derivatives along dimensions, estimated from neighbours.

    Math: with steps a to the left and b to the right of x[i],
          y[i] = (a² x[i + 1] + (b² - a²) x[i] - b² x[i - 1]) / (a b (a + b));
          at the ends the difference to one neighbour, or of second order to two
          ∂L/∂x: each g[i] with these factors added to x[i - 1], x[i] and x[i + 1]
    Shape: (*) -> a tuple of (*), one for each dimension

    Args:
        spacing: the step; or for each dimension a step, or the coordinates.
        dim: the dimensions; all if not given.
        edge_order: 1 or 2, how exact the ends are.

    Raises:
        RuntimeError: for fewer than `edge_order + 1` elements along a dimension, and
            a number of spacings that does not fit.

    Example:
        >>> import edutorch as torch
        >>> torch.gradient(torch.tensor([1.0, 4.0, 9.0]))
        (tensor([3., 4., 5.]),)
    """
    if tensor_of(input, "gradient").dtype.short == "Byte":
        raise RuntimeError("torch.gradient does not support uint8 input.")
    if edge_order not in (1, 2):
        raise RuntimeError(
            "torch.gradient only supports edge_order=1 and edge_order=2."
        )
    spacing = 1 if spacing is None else spacing
    several = isinstance(spacing, (tuple, list))
    if dim is None:
        dims: Any = tuple(range(len(spacing))) if several else None
    else:
        dims = () if dim == () else dims_of(dim, ndim_of(input, "gradient"), "gradient")
        if several and len(spacing) != len(dims or ()):
            raise RuntimeError(
                "torch.gradient expected spacing to be unspecified, a scalar or it's "
                "spacing and dim arguments to have the same length, but got a spacing "
                f"argument of length {len(spacing)} and a dim argument of length "
                f"{len(dims or ())}."
            )
    dims = tuple(range(ndim_of(input, "gradient"))) if dims is None else dims
    if any(input.shape[d] < edge_order + 1 for d in dims):
        raise RuntimeError(
            "torch.gradient expected each dimension size to be at least edge_order+1"
        )
    x = input if input._data.dtype.kind in "fcVW" else input * 1.0
    steps = spacing if several else [spacing] * len(dims)
    return tuple(
        _differentiate(x, h, d, edge_order) for h, d in zip(steps, dims, strict=True)
    )


def _differentiate(x: Tensor, h: Any, dim: int, edge_order: int) -> Tensor:
    """The derivative along one dimension."""
    n = x.shape[dim]
    left, right = narrow(x, dim, 0, n - 1), narrow(x, dim, 1, n - 1)
    steps = _steps(h, x.ndim, dim)  # numbers, or (.., n - 1, ..)
    between = (right - left) / steps  # of each pair of neighbours
    if n == 2:
        return cat([between, between], dim)
    even = not isinstance(steps, Tensor) or steps.ndim == 0
    a, b = _slice_steps(steps, dim, 0, n - 2), _slice_steps(steps, dim, 1, n - 2)
    before, after = narrow(between, dim, 0, n - 2), narrow(between, dim, 1, n - 2)
    if even:
        middle = (narrow(x, dim, 2, n - 2) - narrow(x, dim, 0, n - 2)) / (steps * 2)
    else:  # the slopes on both sides, weighted by the opposite steps
        middle = (after * a + before * b) / (a + b)
    first, last = narrow(between, dim, 0, 1), narrow(between, dim, n - 2, 1)
    if edge_order == 2:  # as far from the slope as the middle is on the other side
        share = _slice_steps(a, dim, 0, 1) / _slice_steps(a + b, dim, 0, 1)
        first = first + (first - narrow(between, dim, 1, 1)) * share
        share = _slice_steps(b, dim, n - 3, 1) / _slice_steps(a + b, dim, n - 3, 1)
        last = last + (last - narrow(between, dim, n - 3, 1)) * share
    return cat([first, middle, last], dim)


def _steps(h: Any, ndim: int, dim: int) -> Any:
    """The distances of neighbours: one number, or one for each pair."""
    if not isinstance(h, Tensor):
        return float(h) if isinstance(h, int) else h
    if h.ndim == 0:
        return h
    shape = [-1 if d == dim else 1 for d in range(ndim)]
    return (narrow(h, 0, 1, len(h) - 1) - narrow(h, 0, 0, len(h) - 1)).reshape(shape)


def _slice_steps(steps: Any, dim: int, start: int, length: int) -> Any:
    """A stretch of the distances; a number stands for all of them."""
    if not isinstance(steps, Tensor) or steps.ndim == 0:
        return steps
    return narrow(steps, dim, start, length)
