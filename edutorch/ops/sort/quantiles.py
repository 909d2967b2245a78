"""Quantiles: quantile and nanquantile."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd import modes as _m
from ...autograd.batched_tensor import Batched
from ...op_events import reported
from ...tensor.tensor import Tensor, wrap
from ..argument_checks import type_error
from ..argument_errors import check_call, parser_errors
from ..dims import dim_of
from ..pointwise.interpolation import lerp
from ..registration import composite, copyto, public
from ..shape.squeezing import unsqueeze
from ..shape.transposing import movedim, transpose
from ..shape.views import flatten, reshape
from .ordering import sort

__all__ = ["nanquantile", "quantile"]

INTERPOLATIONS = ("linear", "lower", "higher", "midpoint", "nearest")


def _check_interpolation(name: str) -> None:
    if name not in INTERPOLATIONS:
        raise RuntimeError(
            "quantile() interpolation must be one of linear, lower, higher, midpoint "
            f"or nearest, but got {name}"
        )


def _check(x: Tensor, q: Tensor) -> None:
    """Check the arguments; messages name `quantile` for `nanquantile`, too."""
    if not x.numel():
        raise RuntimeError("quantile() input tensor must be non-empty")
    if q.ndim > 1:
        raise RuntimeError("quantile() q must be a scalar or 1D tensor")
    if x._data.dtype not in (np.float32, np.float64):
        raise RuntimeError(
            "quantile() input tensor must be either float or double dtype"
        )
    if q._data.dtype != x._data.dtype:
        raise RuntimeError("quantile() q tensor must be same dtype as the input tensor")
    if not ((q._data >= 0) & (q._data <= 1)).all():
        raise RuntimeError("quantile() q values must be in the range [0, 1]")


def _quantile(
    x: Tensor, q: Any, dim: int | None, keepdim: bool, interpolation: str, skip: bool
) -> Tensor:
    if not isinstance(q, Tensor):
        if not 0 <= q <= 1:
            raise RuntimeError(
                f"quantile() q must be in the range [0, 1] but got {q:g}"
            )
        check_call(not isinstance(q, np.ndarray))
        q = x.new_tensor(q)
    _check_interpolation(interpolation)
    _check(x, q)
    ndim = x.ndim
    along = 0 if dim is None else dim_of(dim, ndim)
    rows = sort(_rows(x, dim, along), -1).values  # (.., n), nan last
    rest = [1 if dim is None or d == along else n for d, n in enumerate(x.shape)]
    if not keepdim:
        rest = [n for d, n in enumerate(rest) if dim is not None and d != along]
    rows = rows.view(*rest, rows.shape[-1])
    y = _interpolate(rows, reshape(q, (-1,)), interpolation, skip)  # (.., m)
    if type(y) is Batched:
        y = movedim(y, -1, 0)  # (m, ..)
        return y[0] if q.ndim == 0 else y
    if q.ndim == 0:
        return y.squeeze_(-1)
    return y.unsqueeze_(0).transpose_(0, -1).squeeze_(-1)


def _rows(x: Tensor, dim: int | None, along: int) -> Tensor:
    """The elements with those of a dimension, or all, as the last dimension."""
    if dim is None or x.ndim == 0:
        return flatten(x)
    if along == x.ndim - 1:
        return x
    return transpose(unsqueeze(x, -1), along, -1)


def _interpolate(rows: Tensor, q: Tensor, interpolation: str, skip: bool) -> Tensor:
    """The values at positions q · (n - 1) of sorted rows, interpolated."""
    a = rows._data
    n = a.shape[-1]
    count = (~np.isnan(a)).sum(-1, keepdims=True)  # (.., 1)
    last = np.maximum((count if skip else np.full_like(count, n)) - 1, 0)
    places = q * wrap(last.astype(a.dtype), rows.device)  # (.., m)
    p = places._data
    if interpolation == "nearest":
        low = high = np.rint(p)
    else:
        low = np.ceil(p) if interpolation == "higher" else np.floor(p)
        high = np.floor(p) if interpolation == "lower" else np.ceil(p)
    if not skip:  # a row with nan, which is last, has nan for every quantile
        low, high = (np.where(count < n, n - 1, v) for v in (low, high))
    below = rows.gather(-1, wrap(low.astype(np.int64), rows.device))
    if interpolation in ("lower", "higher", "nearest"):
        return below
    above = rows.gather(-1, wrap(high.astype(np.int64), rows.device))
    if interpolation == "midpoint":
        return lerp(below, above, below.new_full(below.shape, 0.5))
    return lerp(below, above, places - wrap(np.floor(p), rows.device))


@public("quantile")
@composite
@parser_errors
@reported
def quantile(
    input: Tensor, q: Any, dim: int | None = None, keepdim: bool = False,
    *, interpolation: str = "linear", out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """The `q`-th quantiles of the elements; nan if any element is nan.

    Math: y = the sorted elements at q · (n - 1), between two as `interpolation` says
          ∂L/∂x = g at the two neighbours, in proportion to their weights
    Shape: (*), () or (m) -> (* without dim), with m before it if `q` has m elements

    Args:
        q: a number or tensor in [0, 1].
        interpolation: "linear", "lower", "higher", "midpoint" or "nearest".

    Raises:
        TypeError: for a flag that is not a bool.

    Example:
        >>> import edutorch as torch
        >>> torch.quantile(torch.tensor([1.0, 2.0, 3.0, 4.0]), 0.5)
        tensor(2.5000)
    """
    if _m.special_modes and quantile in _m.modes.autocast:
        return _m.autocast(
            quantile, input, q, dim, keepdim, interpolation=interpolation, out=out
        )
    if keepdim is not False and keepdim is not True:
        raise type_error("bool", "keepdim", keepdim, "quantile")
    result = _quantile(input, q, dim, keepdim, interpolation, skip=False)
    return result if out is None else copyto(out, result, "quantile", (input, q))


@public("nanquantile")
@composite
@parser_errors
@reported
def nanquantile(
    input: Tensor, q: Any, dim: int | None = None, keepdim: bool = False,
    *, interpolation: str = "linear", out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Quantiles of the elements ignoring nan; see `quantile`.

    Math: y = x₍ₖ₎ + (q (n - 1) - k) · (x₍ₖ₊₁₎ - x₍ₖ₎), k = ⌊q (n - 1)⌋, without the nan
          ∂L/∂x = g at the two neighbours, in proportion to their weights
    Shape: (*), () or (m) -> (* without dim), with m before it if `q` has m elements

    Raises:
        TypeError: for a flag that is not a bool.

    Example:
        >>> import edutorch as torch
        >>> torch.nanquantile(torch.tensor([1.0, float("nan"), 3.0]), 0.5)
        tensor(2.)
    """
    if _m.special_modes and nanquantile in _m.modes.autocast:
        return _m.autocast(
            nanquantile, input, q, dim, keepdim, interpolation=interpolation, out=out
        )
    if keepdim is not False and keepdim is not True:
        raise type_error("bool", "keepdim", keepdim, "nanquantile")
    result = _quantile(input, q, dim, keepdim, interpolation, skip=True)
    return result if out is None else copyto(out, result, "nanquantile", (input, q))
