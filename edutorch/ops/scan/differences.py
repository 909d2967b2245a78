"""Differences and integrals along a dimension."""

from __future__ import annotations

from typing import Any

from ...op_events import reported
from ...tensor.tensor import Tensor
from ..argument_checks import need_optional, type_error
from ..argument_errors import check_call, parser_errors
from ..create.like import empty_like
from ..dims import ABSENT, axis_for, dim_of, dim_unless_scalar, ndim_of
from ..int_arguments import int_of
from ..out_resizing import warn_of_resize
from ..pointwise.with_numbers import div_number, mul_number
from ..reduce.sums import sum
from ..registration import composite, copyto, public
from ..shape.joining import cat
from ..shape.slices import narrow, select
from .cumulative import cumsum

__all__ = ["cumulative_trapezoid", "diff", "trapezoid", "trapz"]


@public("diff")
@composite
@parser_errors
@reported
def diff(
    input: Tensor,
    n: int = 1,
    dim: int = -1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
    *,
    out: Tensor | None = None,
    axis: Any = None,
) -> Tensor:
    """Differences of neighbours along a dimension, repeated n times.

    Math: y[i] = x[i + 1] - x[i]
          ∂L/∂x[i] = g[i - 1] - g[i], where they exist; n times
    Shape: (.., m, ..) -> (.., m - n, ..)

    Args:
        prepend: the values to join before the input.
        append: the values to join after it.

    Raises:
        RuntimeError: for no dimensions, or a negative n.

    Example:
        >>> import edutorch as torch
        >>> torch.diff(torch.tensor([1, 3, 6]))
        tensor([2, 3])
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis, -1)
    if ndim_of(input, "diff") == 0:
        raise RuntimeError("diff expects input to be at least one-dimensional")
    n = int_of(n, "n", "diff")
    need_optional("diff", 4, prepend=prepend, append=append)
    if n < 0:
        raise RuntimeError(f"order must be non-negative but got {n}")
    if n == 0 and prepend is append is None:
        check_call(isinstance(dim, int) and type(dim) is not bool)
        return _copied(input, out)
    along = dim_of(dim, ndim_of(input, "diff"), "diff")
    if any(x is not None and x.ndim != input.ndim for x in (prepend, append)):
        raise RuntimeError(
            "diff expects prepend or append to be the same dimension as input"
        )
    for x in (prepend, append):
        _check_sides(input, x, along)
    if n == 0:
        return _copied(input, out)
    parts = [x for x in (prepend, input, append) if x is not None]
    result = cat(parts, along) if len(parts) > 1 else input
    for _ in range(min(n, result.shape[along])):
        result = _neighbour_sums(result, along)
    if out is None:
        return result
    read: tuple[Any, ...] = ()
    if n == 1 and len(parts) == 1:  # else the last step reads new memory
        k = input.shape[along] - 1
        read = (input.narrow(along, 0, k), input.narrow(along, 1, k)) if k > 0 else ()
    return copyto(out, result, "diff", read)


def _copied(input: Tensor, out: Tensor | None) -> Tensor:
    """The differences of order 0, which PyTorch copies into `out`.

    Raises:
        RuntimeError: for an `out` of another dtype, or on another device.
    """
    if out is None:
        return empty_like(input).copy_(input)
    if not isinstance(out, Tensor):
        raise type_error("Tensor", "out", out, "diff")
    if out.dtype is not input.dtype:
        raise RuntimeError(
            f"expected scalar_type {input.dtype.short} but found {out.dtype.short}"
        )
    if out._device is not input._device:
        raise RuntimeError(f"expected device {input._device} but found {out._device}")
    grown: Any = out
    had = out.shape
    if had != input.shape:
        grown.resize_(input.shape)
    out.copy_(input)
    if had != out.shape:
        warn_of_resize(had, out.shape, "diff")
    return out


def _check_sides(input: Tensor, x: Tensor | None, along: int) -> None:
    """Check that `prepend` or `append` has the input's shape, except along `along`."""
    for dim, n in enumerate(() if x is None else x.shape):
        if dim != along and n != input.shape[dim]:
            raise RuntimeError(
                "diff expects the shape of tensor to prepend or append to match that "
                "of input except along the differencing dimension; "
                f"input.size({dim}) = {input.shape[dim]}, but got tensor.size({dim}) = "
                f"{n}"
            )


def _neighbour_sums(x: Tensor, dim: int) -> Tensor:
    size = x.shape[dim]
    count = max(size - 1, 0)
    later = narrow(x, dim, size - count, count)
    earlier = narrow(x, dim, 0, count)
    return later ^ earlier if x._data.dtype.kind == "b" else later - earlier


def _pairs(y: Tensor, along: int) -> Tensor:
    """The sums of neighbours."""
    size = y.shape[along]
    count = max(size - 1, 0)
    pairs: Tensor = narrow(y, along, size - count, count) + narrow(y, along, 0, count)
    return pairs


def _trapezoid_areas(y: Tensor, x: Tensor, along: int) -> Tensor:
    """Twice the areas of the trapezoids between neighbours.

    They are halved after summing, since small areas in 16 bits would lose precision.
    """
    pairs = _pairs(y, along)
    if x.ndim == 1:
        x = x.reshape([-1 if d == along else 1 for d in range(y.ndim)])
    elif x.ndim < y.ndim:
        x = x.reshape([1] * (y.ndim - x.ndim) + list(x.shape))
    # The dimension is counted in y, also where x has more of them.
    return pairs * _neighbour_sums(x, along)


@composite
@parser_errors
@reported
def trapezoid(y: Tensor, x: Any = ABSENT, *, dx: float = 1.0, dim: int = -1) -> Tensor:
    """Integral along a dimension by the trapezoidal rule.

    Math: z = Σ (y[i] + y[i + 1]) / 2 · (x[i + 1] - x[i]), or · dx
          ∂L/∂y[i] = g · (x[i + 1] - x[i - 1]) / 2, at the ends half of the one step
          ∂L/∂x[i] = g · (y[i - 1] - y[i + 1]) / 2
    Shape: (.., n, ..) -> (.., ..)

    Raises:
        RuntimeError: for booleans.

    Example:
        >>> import edutorch as torch
        >>> torch.trapezoid(torch.tensor([1.0, 2.0, 3.0]))
        tensor(4.)
    """
    _check_numbers("trapezoid", y, x, dx, dim)
    along = dim_of(dim, y.ndim, "trapezoid")
    if y.shape[along] == 0:
        return sum(y.detach(), along, dtype=y.dtype)
    if x is not ABSENT:
        return div_number(sum(_trapezoid_areas(y, x, along), along), 2)
    # The ends have half weight: one sum, in the accumulation dtype.
    ends = select(y, along, 0) + select(y, along, -1)
    return mul_number(sum(y, along) - mul_number(ends, 0.5), dx)


@composite
@parser_errors
def trapz(y: Tensor, x: Any = ABSENT, *, dx: float = 1.0, dim: int = -1) -> Tensor:
    """`trapezoid` by its older name, which takes only real numbers for `dx`.

    Math: z = Σ (y[i] + y[i + 1]) / 2 · (x[i + 1] - x[i]), or · dx
          ∂L/∂y, ∂L/∂x: as of `trapezoid`
    Shape: (.., n, ..) -> (.., ..)

    Raises:
        RuntimeError: for booleans.

    Example:
        >>> import edutorch as torch
        >>> torch.trapz(torch.tensor([1.0, 2.0, 3.0]), dx=2)
        tensor(8.)
    """
    check_call(isinstance(dx, (int, float)) and x is not None)
    return trapezoid(y, x, dx=float(dx), dim=dim)


def _check_numbers(name: str, y: Tensor, x: Any, dx: Any, dim: int) -> None:
    """Raise for booleans, complex steps, and vectors x without a value for each y."""
    check_call(x is not None)
    if name == "cumulative_trapezoid" and not y.ndim:
        if isinstance(x, Tensor):
            dim_of(dim, 0, name)
        if not (isinstance(x, Tensor) and x.ndim == 1):
            raise IndexError("slice() cannot be applied to a 0-dim tensor.")
    if isinstance(x, Tensor) and not y.ndim:
        dim_unless_scalar(dim_of(dim, 0, name), 0)
    if x is not ABSENT:  # excludes dx
        check_call(type(dx) is float and dx == 1)
    check_call(not isinstance(dx, Tensor) or dx.ndim == 0)
    size = y.size(dim)
    if not size and name == "trapezoid":  # which is then 0 for any steps
        return
    given = [t for t in (x, y) if isinstance(t, Tensor)]
    if any(t.dtype.short == "Bool" for t in given):
        which = "`y`" if x is ABSENT else "`x` or `y`"
        raise RuntimeError(
            f"{name}: received a bool input for {which}, but bool is not supported"
        )
    if isinstance(dx, Tensor):
        dx = dx.item()
    if isinstance(dx, (bool, complex)) and x is ABSENT:
        raise RuntimeError(f"{name}: Currently, we only support dx as a real number.")
    if x is not ABSENT and x.ndim == 1 and x.shape[0] != size:
        raise RuntimeError(f"{name}: There must be one `x` value for each sample point")


@composite
@parser_errors
def cumulative_trapezoid(
    y: Tensor, x: Any = ABSENT, *, dx: float = 1.0, dim: int = -1
) -> Tensor:
    """Cumulative integral along a dimension by the trapezoidal rule.

    Math: z[k] = Σ_(i<=k) (y[i] + y[i + 1]) / 2 · (x[i + 1] - x[i]), or · dx
          ∂L/∂y, ∂L/∂x: as of `trapezoid`, with Σ_(k>=i) g[k] for g
    Shape: (.., n, ..) -> (.., n - 1, ..)

    Raises:
        RuntimeError: for booleans.

    Example:
        >>> import edutorch as torch
        >>> torch.cumulative_trapezoid(torch.tensor([1.0, 2.0, 3.0]))
        tensor([1.5000, 4.0000])
    """
    _check_numbers("cumulative_trapezoid", y, x, dx, dim)
    along = dim_of(dim, y.ndim, "cumulative_trapezoid")
    if x is not ABSENT:
        return div_number(cumsum(_trapezoid_areas(y, x, along), along), 2)
    return cumsum(mul_number(_pairs(y, along), dx / 2), along)
