"""Masks, dimensions and neutral elements of masked functions."""

from __future__ import annotations

import math
from typing import Any

from .. import dtypes
from ..layouts import strided
from ..ops import broadcast_to, tensor, where
from ..tensor.tensor import Tensor

__all__ = ["needs_strided", "data_and_mask", "reduced_dims"]


def data_and_mask(input: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor | None]:
    """The numbers, and the mask: that of a masked tensor, or the one given."""
    own = getattr(input, "_masked_mask", None)
    if own is not None:
        return input.get_data(), own
    return input, None if mask is None else _input_mask(input, mask=mask)


def needs_strided(name: str, x: Tensor, kind: str = "tensor") -> None:
    """Refuse sparse tensors."""
    if x.layout is not strided:
        raise ValueError(
            f"masked {name} expects strided tensor (got {x.layout} {kind})"
        )


def reduced_dims(input: Tensor, dim: Any) -> tuple[int, ...]:
    """The dimensions to reduce."""
    return _canonical_dim(dim, input.ndim)


def _canonical_dim(dim: Any, ndim: int) -> tuple[int, ...]:
    """Dimensions counted from the first; without any, all of them."""
    if dim is None or dim == ():
        return tuple(range(ndim))
    n, found = max(ndim, 1), []
    for d in (dim,) if isinstance(dim, int) else dim:
        if d in found:
            raise RuntimeError(f"dim={d} appears multiple times in the list of dims")
        if d >= n or d < -n:
            raise IndexError(
                f"Dimension out of range (expected to be in range of [{-n}, {n - 1}], "
                f"but got {d})"
            )
        found.append(d % n)
    return tuple(sorted(found))


def _input_mask(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """The mask in the shape of the input."""
    mask = kwargs.get("mask")
    if mask is None:
        raise ValueError("_input_mask requires explicit mask")
    if mask.shape != input.shape:
        if mask.ndim > input.ndim:
            raise IndexError(
                "_input_mask expected broadcastable mask (got mask dimensionality "
                "higher than of the input)"
            )
        mask = broadcast_to(mask.clone(), input.shape)
    if mask.layout is not strided:
        mask = mask.to_dense()
    return mask.to(dtype=dtypes.bool_)


REDUCTIONS = (
    "sum", "prod", "amax", "amin", "argmax", "argmin", "mean", "median", "norm", "var",
    "std", "logsumexp",
)  # fmt: skip
ALONG = ("softmax", "log_softmax", "softmin", "normalize", "cumsum", "cumprod")


def _output_mask(op: Any, input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """The mask of the result of a masked function."""
    name = getattr(op, "__name__", type(op).__name__)
    if name in ALONG:
        return _input_mask(input, *args, **kwargs)
    if name not in REDUCTIONS:
        what = f"callable {op.__module__}.{name}" if callable(op) else f"{name} object"
        raise ValueError(f"_output_mask expected masked operation (got {what})")
    if name == "norm" and args:
        args = args[1:]
    dims = _canonical_dim(args[0] if args else kwargs.get("dim"), input.ndim)
    mask = _input_mask(input, **kwargs)
    return mask.any(dims, keepdim=bool(kwargs.get("keepdim", False))) if dims else mask


def _reduction_identity(op_name: str, input: Tensor, *args: Any) -> Tensor | None:
    """The neutral element, or the value that a function uses for missing ones."""
    value = _neutral(op_name.rpartition(".")[2], input, *args)
    if value is None:
        return None
    dtype = input.dtype
    if op_name == "median" and not dtype.is_floating_point:
        dtype = dtypes.float32
    return tensor(value, dtype=dtype, device=input.device)


def _neutral(name: str, input: Tensor, *args: Any) -> Any:
    if name in ("mean", "var", "std"):
        return None
    if name in ("sum", "cumsum"):
        return 0
    if name in ("prod", "cumprod"):
        return 1
    if name == "median":
        return math.nan
    if name == "norm":
        if not args or args[0] != -math.inf:
            return 0
        if not input.dtype.is_floating_point:
            raise AssertionError(f"input must be floating point, got {input.dtype}")
        return math.inf
    if name in ("amax", "argmax", "logaddexp", "logsumexp"):
        return _end(name, input, -1)
    if name in ("amin", "argmin"):
        return _end(name, input, 1)
    raise NotImplementedError(f"identity of {name} on {input.dtype} input")


def _end(name: str, input: Tensor, sign: int) -> Any:
    """The least (-1) or the largest (1) number of a dtype."""
    dtype = input.dtype
    if dtype.is_floating_point or (dtype.is_complex and name == "logsumexp"):
        return sign * math.inf
    if dtype.is_complex or dtype is dtypes.bool_:
        raise NotImplementedError(f"identity of {name} on {dtype} input")
    info = dtypes.iinfo(dtype)
    return info.max if sign > 0 else info.min


def _where(mask: Tensor, input: Tensor, fill_value: Tensor) -> Tensor:
    """The input where the mask is true, elsewhere one value."""
    return where(mask, input, fill_value)


def _combine_input_and_mask(
    op: Any, input: Tensor, mask: Tensor | None, *args: Any
) -> Tensor:
    """The input, with the neutral element of a function where it is masked out."""
    x, mask = data_and_mask(input, mask)
    if mask is None:
        return x
    neutral = _reduction_identity(op if isinstance(op, str) else op.__name__, x, *args)
    if neutral is None:
        return x
    return _where(mask, x, neutral)
