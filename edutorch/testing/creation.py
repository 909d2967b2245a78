"""Random tensors for tests."""

from __future__ import annotations

import math
import warnings
from typing import Any

from .. import dtypes
from ..ops.convert.complex_numbers import view_as_real
from ..ops.create import empty
from ..ops.sampling import randint
from ..tensor.tensor import Tensor

__all__ = ["make_tensor"]


def make_tensor(
    *shape: Any,
    dtype: dtypes.dtype,
    device: Any,
    low: float | None = None,
    high: float | None = None,
    requires_grad: bool = False,
    noncontiguous: bool = False,
    exclude_zero: bool = False,
    memory_format: Any = None,
) -> Tensor:
    """A tensor of uniform random values that suit a dtype.

    Args:
        shape: the sizes, or one sequence of them.
        low: the least value; by default -9, or 0 for booleans and unsigned integers.
        high: the upper bound (exclusive); by default 10 for integers, 9 for floats, 2
            for booleans.
        noncontiguous: whether the elements are apart from each other in memory.
        exclude_zero: replace zeros by 1 (integers) or by the smallest normal number.
        memory_format: the order in memory; not with `noncontiguous`.

    Raises:
        ValueError: for bounds without a value between them, or options that exclude
            each other.

    Example:
        >>> import edutorch as torch
        >>> x = torch.testing.make_tensor(2, 3, dtype=torch.int8, device="cpu", low=4)
        >>> x.shape, bool(((x >= 4) & (x < 10)).all())
        (torch.Size([2, 3]), True)
    """
    sizes = shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape
    sizes = tuple(sizes)
    if noncontiguous and memory_format is not None:
        raise ValueError(
            "The parameters `noncontiguous` and `memory_format` are mutually "
            f"exclusive, but got noncontiguous={noncontiguous} and "
            f"memory_format={memory_format}"
        )
    floats = dtype.is_floating_point or dtype.is_complex
    if requires_grad and not floats:
        raise ValueError(
            "`requires_grad=True` is not supported for boolean and integral dtypes, "
            f"but got dtype={dtype}"
        )
    apart = noncontiguous and math.prod(sizes) > 1
    if apart:
        sizes = (*sizes[:-1], 2 * sizes[-1])
    result = _random_values(sizes, dtype, device, _bounds(dtype, low, high))
    if apart:
        result = result[..., 1::2]
    elif memory_format is not None:
        result = result.clone(memory_format=memory_format)
    if exclude_zero:
        result[result == 0] = dtypes.finfo(dtype).tiny if floats else 1
    return result.requires_grad_(requires_grad) if floats else result


def _random_values(sizes: Any, dtype: dtypes.dtype, device: Any, bounds: Any) -> Tensor:
    low, high = bounds
    if not (dtype.is_floating_point or dtype.is_complex):
        return randint(low, high, sizes, dtype=dtype, device=device)
    result = empty(sizes, dtype=dtype, device=device)
    values = view_as_real(result) if dtype.is_complex else result
    if high - low >= dtypes.finfo(dtype).max:
        values.uniform_(low / 2, high / 2).mul_(2)  # the distance would overflow
    else:
        values.uniform_(low, high)
    return result


def _bounds(
    dtype: dtypes.dtype, low: float | None, high: float | None
) -> tuple[float, float]:
    """The bounds of the values, moved into the range of the dtype.

    Raises:
        ValueError: if they leave no value.
    """
    floats = dtype.is_floating_point or dtype.is_complex
    least, most = _range(dtype)
    low = low if low is not None else 0 if dtype is dtypes.bool_ else -9
    if high is None:
        high = 2 if dtype is dtypes.bool_ else 9 if floats else 10
    if low != low or high != high:
        raise ValueError(f"`low` and `high` cannot be NaN, but got {low=} and {high=}")
    if low == high and floats:
        warnings.warn(
            "Passing `low==high` to `torch.testing.make_tensor` for floating or "
            "complex types is deprecated since 2.1 and will be removed in 2.3. Use "
            "`torch.full(...)` instead.",
            FutureWarning,
            stacklevel=4,
        )
    elif low >= high:
        raise ValueError(f"`low` must be less than `high`, but got {low} >= {high}")
    elif high < least or low >= most:
        raise ValueError(
            f"The value interval specified by `low` and `high` is [{low}, {high}), but "
            f"{dtype} only supports [{least}, {most})"
        )
    low, high = (min(max(v, least), most) for v in (low, high))
    return (low, high) if floats else (math.ceil(low), math.ceil(high))


def _range(dtype: dtypes.dtype) -> tuple[float, float]:
    """The least value of a dtype, and the one above which there is none."""
    if dtype is dtypes.bool_:
        return 0, 2
    if dtype.is_floating_point or dtype.is_complex:
        return dtypes.finfo(dtype).min, dtypes.finfo(dtype).max
    found = dtypes.iinfo(dtype)
    return found.min, found.max + (dtype is not dtypes.int64)
