"""Ranges: arange, linspace, logspace."""

from __future__ import annotations

import warnings
from math import ceil, floor
from typing import Any

import numpy as np

from ... import dtypes
from ...autograd.batched_tensor import NeedsSampleValues, any_batched
from ...callers import stack_level
from ...devices import to_device
from ...kernels.casts import cast
from ...kernels.multiply_add import multiply_add
from ...op_events import reported
from ...process_memory import check_memory
from ...tensor.tensor import Tensor, strided
from ..argument_checks import number_of
from ..argument_errors import argument_error, invalid_combination, parser_errors
from ..dims import ABSENT
from ..int_arguments import int_of
from ..number_ranges import checked_number, in_range, overflow_error, real_number
from ..promotion import refuse_dtype
from ..registration import copyto
from .factory import numpy_dtype, refuse_layout, same_dtype, tensor_on_device

__all__ = ["arange", "linspace", "logspace", "range"]

INT64_MAX = 2**63 - 1
NOT_INT64 = "value cannot be converted to type int64_t without overflow"


@reported
def arange(
    start: Any = ABSENT,
    end: Any = ABSENT,
    step: Any = 1,
    *,
    out: Tensor | None = None,
    dtype: dtypes.dtype | None = None,
    layout: Any = strided,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """Numbers from `start` up to but excluding `end`; a single argument is `end`.

    Math: y[i] = start + i · step, for i < (end - start) / step
    Shape: () -> (⌈(end - start) / step⌉)

    Raises:
        RuntimeError: for a step of zero, or one that leads away from `end`.
        ValueError: for a step that becomes zero as an integer.
        NotImplementedError: for booleans and complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.arange(5), torch.arange(1, 2, 0.5)
        (tensor([0, 1, 2, 3, 4]), tensor([1.0000, 1.5000]))
    """
    if end is ABSENT:
        start, end = 0, _split_single_argument(start, step)
    elif start is ABSENT:  # `end` is given by name
        if step != 1:
            raise invalid_combination("arange")
        start = 0
    start, end, step = (
        real_number(number_of(v, "end", "arange")) for v in (start, end, step)
    )
    refuse_layout(layout, "arange.start_out")
    _check_range(start, end, step)
    dtype = dtypes.of_python_type(dtype)
    if not (dtype is None or isinstance(dtype, dtypes.dtype)):
        raise invalid_combination("arange")
    dtype = same_dtype(dtype, out)
    if dtype is not None and (dtype.is_complex or dtype is dtypes.bool_):
        raise NotImplementedError(f"\"arange_cpu\" not implemented for '{dtype.short}'")
    if dtype is None and all(isinstance(v, int) for v in (start, end, step)):
        dtype = dtypes.int64
    kind = numpy_dtype(dtype)
    _refuse_stored("arange", kind)
    is_int64 = kind == np.int64
    if is_int64:  # counted in whole numbers; other integers as they were given
        start, end, step = int(start), int(end), int(step)
        if end > INT64_MAX:
            raise RuntimeError(NOT_INT64)
    if is_int64 and step == 0:
        raise ValueError("step must be nonzero")
    count = -((start - end) // step) if is_int64 else ceil((end - start) / step)
    check_memory(max(count, 0), kind)
    if kind.kind in "iu":
        values = np.arange(count)
        if not is_int64 or (start, step) != (0, 1):
            values = (int(start) + int(step) * values).astype(kind)
    else:
        values = cast(start + step * np.arange(count, dtype=np.float64), kind)
    result = tensor_on_device(values, to_device(device), requires_grad)
    return result if out is None else _write_range(out, result, "arange")


def _write_range(
    out: Any, result: Tensor, name: str, ends: tuple[Any, ...] = ()
) -> Tensor:
    """Write a range into `out`, which keeps its shape if it has as many elements.

    Args:
        ends: its ends, if the function takes tensors.
    """
    if isinstance(out, Tensor) and out._data.size == result._data.size:
        result = result.reshape(out.shape)
    elif name == "arange" and isinstance(out, Tensor) and out._data.size:
        warnings.warn(
            f"The number of elements in the out tensor of shape {list(out.shape)} is "
            f"{out.numel()} which does not match the computed number of elements "
            f"{result.numel()}. Note that this may occur as a result of rounding "
            "error. The out tensor will be resized to a tensor of shape "
            f"({result.numel()},).",
            stacklevel=stack_level(),
        )
    variant = "tensor" if ends and isinstance(ends[0], Tensor) else ""
    return copyto(out, result, name, ends, variant=variant)


def _split_single_argument(end: Any, step: Any) -> Any:
    """The single argument as the end of a range from 0."""
    if end is ABSENT or step != 1:
        raise invalid_combination("arange")
    if not isinstance(end, (int, float, complex, np.generic)) and (
        getattr(end, "shape", None) != ()
    ):
        raise argument_error() or TypeError(
            "arange(): argument 'end' (position 1) must be Number, not "
            f"{type(end).__name__}"
        )
    return end


def range(
    start: Any = 0, end: Any = None, step: Any = 1, *, out: Tensor | None = None,
    dtype: dtypes.dtype | None = None, layout: Any = strided, device: Any = None,
    requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """Numbers from `start` to `end`, inclusive; deprecated in favour of `arange`.

    Math: y[i] = start + i · step
    Shape: () -> (floor((end - start) / step) + 1)

    Raises:
        RuntimeError: for a step away from `end`.

    Example:
        >>> import warnings
        >>> import edutorch as torch
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("ignore")
        ...     torch.range(1, 2, 0.5)
        tensor([1.0000, 1.5000, 2.0000])
    """
    warnings.warn(
        "torch.range is deprecated and will be removed in a future release because "
        "its behavior is inconsistent with Python's range builtin. Instead, use "
        "torch.arange, which produces values in [start, end).",
        UserWarning,
        stacklevel=2,
    )
    given = {"start": start, "end": end, "step": step}
    first, last, by = (real_number(number_of(v, n, "range")) for n, v in given.items())
    _check_range(first, last, by)
    kind = same_dtype(dtype, out)
    if kind is not None and (kind is dtypes.bool_ or kind.is_complex):
        refuse_dtype("range_cpu", kind)
    _refuse_stored("range", numpy_dtype(kind))
    places = np.arange(floor((last - first) / by) + 1, dtype=np.float64)
    values = cast(first + by * places, numpy_dtype(kind))
    result = tensor_on_device(values, to_device(device), requires_grad)
    return result if out is None else _write_range(out, result, "range")


def _check_range(start: Any, end: Any, step: Any) -> None:
    if any(isinstance(v, complex) for v in (start, end, step)):
        raise RuntimeError("value cannot be converted to type double without overflow")
    if not (step > 0 or step < 0):
        raise RuntimeError("step must be nonzero")
    for value in (start, end):
        if value - value != 0:
            raise RuntimeError(f"unsupported range: {start:g} -> {end:g}")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")


def _device_and_ends(device: Any, *ends: Any) -> tuple[Any, ...]:
    """The device and the ends; an end on the meta device determines the device."""
    lacking = [isinstance(v, Tensor) and v.is_meta for v in ends]
    known = [0 if lacks else v.detach() if isinstance(v, Tensor) else v
             for v, lacks in zip(ends, lacking, strict=True)]  # fmt: skip
    return ("meta" if any(lacking) else device, *known)


@reported
def linspace(
    start: Any,
    end: Any,
    steps: int,
    *,
    out: Tensor | None = None,
    dtype: dtypes.dtype | None = None,
    layout: Any = strided,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """`steps` evenly spaced numbers from `start` to `end`, inclusive.

    Math: y[i] = start + i · (end - start) / (steps - 1)
    Shape: () -> (steps)

    Raises:
        RuntimeError: for a negative number of steps.

    Example:
        >>> import edutorch as torch
        >>> torch.linspace(0, 1, 5)
        tensor([0.0000, 0.2500, 0.5000, 0.7500, 1.0000])
    """
    steps = int_of(steps, "steps", "linspace")
    if layout is not strided:
        refuse_layout(layout, "linspace.out")
    _check_ends("linspace", start, end)
    ends = (start, end)
    device, start, end = _device_and_ends(device, start, end)
    start, end = (
        number_of(start, "start", "linspace"),
        number_of(end, "end", "linspace"),
    )
    kind = _result_dtype("linspace", start, end, dtype, out, steps)
    exact = kind if kind.kind in "fcVW" else np.dtype(np.float64)
    if steps <= 1:
        values = _filled(start, steps, kind)
    else:
        integer_dtype = kind if kind.kind in "iu" else None
        values = evenly_spaced(start, end, steps, exact, integer_dtype).astype(kind)
    result = tensor_on_device(values, to_device(device), requires_grad)
    return result if out is None else _write_range(out, result, "linspace", ends)


def _check_ends(name: str, start: Any, end: Any) -> None:
    if any_batched((start, end)):
        raise NeedsSampleValues(f"vmap: {name} counts from the values of each sample")
    ends = {"start": start, "end": end}
    dims = {k: x.ndim for k, x in ends.items() if isinstance(x, Tensor)}
    if any(dims.values()):
        sizes = " and ".join(f"{k} with {n} dimension(s)" for k, n in dims.items())
        raise RuntimeError(
            f"{name} only supports 0-dimensional start and end tensors, but got "
            f"{sizes}."
        )


def _filled(value: Any, steps: int, kind: Any) -> Any:
    """What a range of no or of one step consists of."""
    number = checked_number(value, dtypes.of_numpy[kind]) if steps else 0
    return cast(np.full(steps, number), kind)


def _result_dtype(
    name: str, start: Any, end: Any, dtype: Any, out: Any, steps: int
) -> Any:
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    dtype = same_dtype(dtype, out)
    wide = any(isinstance(v, complex) for v in (start, end))
    if dtype is None and wide:
        dtype = dtypes.default_complex()
    kind = numpy_dtype(dtype)
    if wide and kind.kind not in "cW":
        raise RuntimeError(
            f"torch.{name}(): inferred dtype {dtypes.default_complex().c_name} can't "
            f"be safely cast to passed dtype {dtypes.of_numpy[kind].short}"
        )
    if steps > 1:
        _refuse_stored(name, kind)
        if kind == np.bool_:
            refuse_dtype(f"{name}_cpu", dtypes.bool_)
    return kind


def _refuse_stored(name: str, kind: Any) -> None:
    if kind in dtypes.FLOAT8 or kind == dtypes.complex32.numpy:
        refuse_dtype(f"{name}_cpu", dtypes.of_numpy[kind])


def _check_fits(value: Any, dtype: Any) -> int:
    fits, number = in_range(value, dtype)
    if not fits:
        raise overflow_error(dtypes.of_numpy[dtype])
    return number


def evenly_spaced(
    start: Any, end: Any, steps: int, kind: Any, integer_dtype: Any, fused: bool = True
) -> Any:
    """Evenly spaced numbers, computed from the nearer end; both ends are exact.

    Each is rounded once (`fused`), as in PyTorch, or after the product and the sum.
    """
    if integer_dtype is not None:  # ends are rounded, or wrap around, before all others
        start, end = (_check_fits(v, integer_dtype) for v in (start, end))
    first, last = (
        cast(np.float64(v), kind) if kind.kind == "f" else kind.type(v)
        for v in (start, end)
    )
    step = ((last - first) / (steps - 1)).astype(kind)
    check_memory(steps, kind)
    i = np.arange(steps)
    add = _multiply_add if fused and kind.char in "fdFD" else _add_product
    up = add(i.astype(kind), step, first)
    down = add((steps - 1 - i).astype(kind), -step, last)
    return np.where(i < steps // 2, up, down).astype(kind)


def _add_product(i: Any, step: Any, first: Any) -> Any:
    return i * step + first


def _multiply_add(i: Any, step: Any, first: Any) -> Any:
    if i.dtype.kind == "f":
        return multiply_add(i, step, first)
    y = np.empty_like(i)
    y.real = multiply_add(i.real, step.real, first.real)
    y.imag = multiply_add(i.real, step.imag, first.imag)
    return y


@parser_errors
@reported
def logspace(
    start: Any,
    end: Any,
    steps: int,
    base: Any = 10.0,
    *,
    out: Tensor | None = None,
    dtype: dtypes.dtype | None = None,
    layout: Any = strided,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """`steps` numbers with equal ratios, from base^start to base^end.

    Math: y[i] = base ^ (start + i · (end - start) / (steps - 1))
    Shape: () -> (steps)

    Raises:
        RuntimeError: for a negative number of steps.

    Example:
        >>> import edutorch as torch
        >>> torch.logspace(0, 2, 3)
        tensor([  1.,  10., 100.])
    """
    steps = int_of(steps, "steps", "logspace")
    if layout is not strided:
        refuse_layout(layout, "logspace.out")
    _check_ends("logspace", start, end)
    ends = (start, end)
    device, start, end, base = _device_and_ends(device, start, end, base)
    start, end = (
        number_of(start, "start", "logspace"),
        number_of(end, "end", "logspace"),
    )
    kind = _result_dtype("logspace", start, end, dtype, out, steps)
    wider = np.dtype(np.complex128 if kind.kind in "cW" else np.float64)
    base = wider.type(number_of(base, "base", "logspace"))
    with np.errstate(all="ignore"):
        if steps <= 1:
            values = _filled(base ** wider.type(start), steps, kind)
        else:
            integer_dtype = kind if kind.kind in "iu" else None
            exponents = evenly_spaced(
                start, end, steps, wider, integer_dtype, fused=False
            )
            values = np.power(base, exponents).astype(kind)
    result = tensor_on_device(values, to_device(device), requires_grad)
    return result if out is None else _write_range(out, result, "logspace", ends)
