"""Numerical derivatives along dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...tensor.tensor import Tensor
from ..argument_checks import tensor_of
from ..argument_errors import check_call, parser_errors
from ..dims import dims_of, ndim_of
from ..pointwise import sub, true_divide
from ..pointwise.with_numbers import div_number, mul_number
from ..registration import composite
from ..shape.joining import cat
from ..shape.slices import narrow
from .differences import diff

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
    check_call(type(edge_order) is not bool)
    if edge_order not in (1, 2):
        raise RuntimeError(
            "torch.gradient only supports edge_order=1 and edge_order=2."
        )
    check_call(spacing is not None or dim is None)
    spacing = 1 if spacing is None else spacing
    several = isinstance(spacing, (tuple, list))
    if dim is None:
        if several and len(spacing) != input.ndim:
            raise RuntimeError(
                "torch.gradient expected spacing to be unspecified, a scalar, or a "
                f"list of length equal to 'self.dim() = {input.ndim}', since dim "
                f"argument was not given, but got a list of length {len(spacing)}"
            )
        dims: Any = tuple(range(len(spacing))) if several else None
    else:
        count = len(dim) if isinstance(dim, (tuple, list)) else 1
        fits = not several or len(spacing) == count
        dims = ()
        if fits and count:
            dims = dims_of(dim, ndim_of(input, "gradient"), "gradient")
        if not fits:
            raise RuntimeError(
                "torch.gradient expected spacing to be unspecified, a scalar or it's "
                "spacing and dim arguments to have the same length, but got a spacing "
                f"argument of length {len(spacing)} and a dim argument of length "
                f"{count}."
            )
    dims = tuple(range(ndim_of(input, "gradient"))) if dims is None else dims
    if any(input.shape[d] < edge_order + 1 for d in dims):
        raise RuntimeError(
            "torch.gradient expected each dimension size to be at least edge_order+1"
        )
    steps = spacing if several else [spacing] * len(dims)
    if several:
        _check_coordinates(steps)
    coordinates = any(isinstance(h, Tensor) and h.ndim > 0 for h in steps)
    if input.dtype.short == "Bool" and dims and not coordinates:
        sub(input, input)  # this refuses them
    return tuple(
        _differentiate(input, h, d, edge_order)
        for h, d in zip(steps, dims, strict=True)
    )


def _check_coordinates(steps: Sequence[Any]) -> None:
    """Refuse tensors that are not vectors, one for each dimension.

    Raises:
        RuntimeError: for them.
    """
    wrong = (h.ndim for h in steps if isinstance(h, Tensor) and h.ndim != 1)
    for ndim in wrong:
        raise RuntimeError(
            "torch.gradient expected each element of spacing to have one dimension, "
            f"but got an element with {ndim} dimensions!"
        )


def _differentiate(x: Tensor, h: Any, dim: int, edge_order: int) -> Tensor:
    """The derivative along one dimension."""
    if isinstance(h, Tensor) and h.ndim > 0:
        return _at_coordinates(x, h, dim, edge_order)
    h = float(h) if isinstance(h, int) else h
    divide = true_divide if isinstance(h, Tensor) else div_number
    n = x.shape[dim]
    middle = narrow(x, dim, 2, n - 2) - narrow(x, dim, 0, n - 2)
    if edge_order == 1:
        first = narrow(x, dim, 1, 1) - narrow(x, dim, 0, 1)
        last = narrow(x, dim, n - 1, 1) - narrow(x, dim, n - 2, 1)
    else:
        u, v, w = _times(x, (-1.5, 2, 0.5), dim, 0)
        first = u + v - w
        u, v, w = _times(x, (0.5, 2, 1.5), dim, n - 3)
        last = u - v + w
    slopes = [divide(first, h), div_number(divide(middle, h), 2), divide(last, h)]
    return cat(slopes, dim)


def _times(
    x: Tensor, numbers: tuple[float, ...], dim: int, start: int
) -> tuple[Tensor, ...]:
    """Three neighbours times numbers, the first of which is at `start`."""
    return tuple(
        mul_number(narrow(x, dim, start + k, 1), factor)
        for k, factor in enumerate(numbers)
    )


def _at_coordinates(x: Tensor, places: Tensor, dim: int, edge_order: int) -> Tensor:
    """The derivative along a dimension with given coordinates.

    Every element is multiplied before any are added: a product has the precision of the
    coordinates where they have a greater one.
    """
    n = x.shape[dim]
    steps = diff(places)
    a, b = steps[:-1], steps[1:]
    shape = [-1 if d == dim else 1 for d in range(x.ndim)]
    weights = [-b / (a * (a + b)), (b - a) / (a * b), a / (b * (a + b))]
    middle = _weighted(x, [w.reshape(shape) for w in weights], dim, 0, n - 2)
    if edge_order == 1:
        first = (narrow(x, dim, 1, 1) - narrow(x, dim, 0, 1)) / steps[0]
        last = (narrow(x, dim, n - 1, 1) - narrow(x, dim, n - 2, 1)) / steps[-1]
    else:
        first = _weighted(x, _end_weights(steps[0], steps[1]), dim, 0, 1)
        weights = [-w for w in reversed(_end_weights(steps[-1], steps[-2]))]
        last = _weighted(x, weights, dim, n - 3, 1)
    return cat([first, middle, last], dim)


def _weighted(x: Tensor, weights: list[Any], dim: int, start: int, n: int) -> Tensor:
    """`n` weighted sums of three neighbours, the first of which start at `start`."""
    u, v, w = (weights[k] * narrow(x, dim, start + k, n) for k in range(3))
    return u + v + w


def _end_weights(a: Tensor, b: Tensor) -> list[Tensor]:
    """Second-order weights of the first three elements for the slope at the first."""
    return [-(a * 2 + b) / (a * (a + b)), (a + b) / (a * b), -a / (b * (a + b))]
