"""Tensors filled with one value."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import dtypes, events
from ...op_events import reported
from ...process_memory import allocate, check_memory
from ...tensor.tensor import Tensor, preserve_format, strided
from ..argument_checks import number_of
from ..argument_errors import argument_error
from ..convert.copy_fill import copy_in_order, fill_number
from ..dims import ABSENT
from ..int_arguments import int_of
from ..promotion import refuse_dtype
from ..registration import copyto
from .factory import (
    check_layout,
    leaf_tensor,
    module_and_device,
    numpy_dtype,
    refuse_layout,
    same_dtype,
    shape_of,
    sparse_zeros,
)

__all__ = ["empty", "eye", "full", "ones", "zeros"]


def zeros(
    *sizes: Any,
    size: Any = None,
    out: Tensor | None = None,
    dtype: dtypes.dtype | None = None,
    layout: Any = strided,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """A tensor of zeros.

    Math: y = 0
    Shape: () -> size

    Raises:
        RuntimeError: for negative sizes.

    Example:
        >>> import edutorch as torch
        >>> torch.zeros(2, 3)
        tensor([[0., 0., 0.],
                [0., 0., 0.]])
    """
    started = events.clock() if events.hears_spans else 0
    shape = shape_of("zeros", sizes, size)
    if layout is not strided and layout is not None:
        return sparse_zeros("zeros", shape, dtype, layout, requires_grad)
    xp, target = module_and_device(device)
    result = leaf_tensor(
        allocate(xp.zeros, shape, numpy_dtype(same_dtype(dtype, out))),
        target,
        requires_grad,
    )
    if started:
        events.span("aten::zeros", "op", started)
    return result if out is None else copyto(out, result, "zeros", (size,))


def ones(
    *sizes: Any,
    size: Any = None,
    out: Tensor | None = None,
    dtype: dtypes.dtype | None = None,
    layout: Any = strided,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """A tensor of ones.

    Math: y = 1
    Shape: () -> size

    Raises:
        RuntimeError: for negative sizes.

    Example:
        >>> import edutorch as torch
        >>> torch.ones(3, dtype=torch.int64)
        tensor([1, 1, 1])
    """
    started = events.clock() if events.hears_spans else 0
    shape = shape_of("ones", sizes, size)
    if layout is not strided and layout is not None:
        check_layout(layout)
        raise RuntimeError("full(...) is not implemented for sparse layout")
    xp, target = module_and_device(device)
    result = leaf_tensor(
        allocate(xp.ones, shape, numpy_dtype(same_dtype(dtype, out))),
        target,
        requires_grad,
    )
    if started:
        events.span("aten::ones", "op", started)
    return result if out is None else copyto(out, result, "ones", (size,))


def empty(
    *sizes: Any,
    size: Any = None,
    out: Tensor | None = None,
    dtype: dtypes.dtype | None = None,
    layout: Any = strided,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
    memory_format: Any = None,
) -> Tensor:
    """A tensor with uninitialised values.

    Shape: () -> size

    Raises:
        RuntimeError: for negative sizes.

    Example:
        >>> import edutorch as torch
        >>> torch.empty(2, 3).shape
        torch.Size([2, 3])
    """
    started = events.clock() if events.hears_spans else 0
    shape = shape_of("empty", sizes, size)
    if layout is not strided and layout is not None:
        return sparse_zeros("empty", shape, dtype, layout, requires_grad)
    xp, target = module_and_device(device)
    array = allocate(xp.empty, shape, numpy_dtype(same_dtype(dtype, out)))
    if memory_format is not None:
        if memory_format is preserve_format:
            raise RuntimeError("unsupported memory format Preserve")
        array = copy_in_order(array, memory_format)
    result = leaf_tensor(array, target, requires_grad)
    if started:
        events.span("aten::empty", "op", started)
    return (
        result if out is None else copyto(out, result, "empty", (size, memory_format))
    )


def full(
    size: Any,
    fill_value: Any,
    *,
    out: Tensor | None = None,
    dtype: dtypes.dtype | None = None,
    layout: Any = strided,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """A tensor filled with one value; by default the value determines the dtype.

    Math: y = v
    Shape: () -> size

    Raises:
        RuntimeError: for negative sizes.

    Example:
        >>> import edutorch as torch
        >>> torch.full((2, 2), 7)
        tensor([[7, 7],
                [7, 7]])
    """
    started = events.clock() if events.hears_spans else 0
    if hasattr(size, "__index__"):
        raise argument_error() or TypeError(
            "full(): argument 'size' (position 1) must be tuple of ints, not int"
        )
    shape = shape_of("full", (), size)
    if layout is not strided and layout is not None:
        check_layout(layout)
        raise RuntimeError("full(...) is not implemented for sparse layout")
    fill_value = number_of(fill_value, "fill_value", "full")
    if dtype is None and out is None:
        dtype = dtypes.of_number(fill_value)
        if dtype is dtypes.complex32:  # unlike `tensor`
            dtype = dtypes.complex64
    xp, target = module_and_device(device)
    result = leaf_tensor(
        allocate(xp.empty, shape, numpy_dtype(same_dtype(dtype, out))), target
    )
    result._data[...] = fill_number(fill_value, result)
    if requires_grad:
        result = leaf_tensor(result._data, target, requires_grad)
    if started:
        events.span("aten::full", "op", started)
    return result if out is None else copyto(out, result, "full", (size, fill_value))


@reported
def eye(
    n: int,
    m: Any = ABSENT,
    *,
    out: Tensor | None = None,
    dtype: dtypes.dtype | None = None,
    layout: Any = strided,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """The identity matrix, with `n` rows and `m` (by default `n`) columns.

    Math: y[i, j] = 1 where i = j, else 0
    Shape: () -> (n, m)

    Raises:
        RuntimeError: for negative sizes.

    Example:
        >>> import edutorch as torch
        >>> torch.eye(2)
        tensor([[1., 0.],
                [0., 1.]])
    """
    n = int_of(n, "n", "eye")
    if layout is not strided:
        refuse_layout(layout, "eye.m_out")
    m = n if m is ABSENT else int_of(m, "m", "eye")
    for name, value in (("n", n), ("m", m)):
        if value < 0:
            raise RuntimeError(f"{name} must be greater or equal to 0, got {value}")
    kind = numpy_dtype(same_dtype(dtype, out))
    if kind == dtypes.complex32.numpy:
        refuse_dtype("eye", dtypes.complex32)
    xp, target = module_and_device(device)
    if xp is np:
        check_memory((n, m), kind)
    result = leaf_tensor(xp.eye(n, m, dtype=kind), target, requires_grad)
    return result if out is None else copyto(out, result, "eye")
