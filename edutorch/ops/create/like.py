"""Tensors with the shape, dtype and device of another one."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ... import dtypes, events
from ...autograd.batched_tensor import Batched, batched, expand_to_levels
from ...backends.sparse import Compressed
from ...devices import CPU, to_device
from ...kernels.memory_format import match_exact_strides
from ...op_events import reported
from ...process_memory import allocate, check_memory
from ...random.continuous import empty_like as in_order_of
from ...tensor import tensor as tensors
from ...tensor.tensor import Tensor
from ..argument_checks import number_of, tensor_of
from ..convert.copy_fill import copy_in_order, fill_number
from ..registration import public
from .factory import (
    leaf_tensor,
    module_and_device,
    numpy_dtype,
    refuse_layout,
    shape_of,
    sparse_zeros,
)
from .filled import empty, full, ones, zeros
from .from_data import tensor

__all__ = ["empty_like", "full_like", "ones_like", "zeros_like"]


def _like(
    name: str,
    input: Tensor,
    value: Any,
    dtype: Any,
    device: Any,
    requires_grad: bool,
    order: Any,
) -> Tensor:
    """A tensor filled with a value (None: uninitialised), with the layout of `input`.

    Profiles record it by this name, unless it is "".
    """
    started = events.clock() if name and events.hears_spans else 0
    if type(input := tensor_of(input)) is Batched and name:
        whole = input._value
        made = _like(name, whole, value, dtype, device, requires_grad, order)
        return batched(made, input._levels)
    kind = input._data.dtype if dtype is None else numpy_dtype(dtype)
    target = input._device if device is None else to_device(device)
    if target is input._device:
        if target is CPU:
            check_memory(input._data.shape, kind)
        array = _same_order(input._data, kind)
    else:
        array = _on_device(target, input._data, kind)
    if order not in (None, tensors.preserve_format):
        array = copy_in_order(array, order)
    if value is not None:
        array = _filled(array, value, input._data if value else None)
    result = leaf_tensor(array, target, requires_grad)
    if started:
        events.span(name, "op", started)
    return result


def _filled(array: Any, value: Any, pattern: Any) -> Any:
    """An array filled with a value, or with a compressed `pattern` storing only it."""
    if isinstance(pattern, Compressed) and isinstance(array, Compressed):
        return pattern.like(np.full(pattern.values.shape, value, array.dtype))
    array[...] = value
    return array


def _same_order(x: Any, kind: Any) -> Any:
    """An array in the memory order of another; NumPy would move repeated rows last."""
    if type(x) is not np.ndarray or x.flags.c_contiguous:
        y = np.empty_like(x, dtype=kind)
    else:
        y = in_order_of(x, kind)
    return match_exact_strides(y, x) if 1 in x.shape else y


def _on_device(target: Any, x: Any, kind: Any) -> Any:
    """An array on another device, in the memory order of `x`."""
    make = partial(allocate, module_and_device(target)[0].empty)
    if not hasattr(x, "strides") or x.flags.c_contiguous:
        return make(x.shape, kind)
    y = in_order_of(x, kind, make)
    return match_exact_strides(y, x) if 1 in x.shape else y


def _in_layout(
    name: str, input: Tensor, value: Any, dtype: Any, layout: Any, requires_grad: bool
) -> Tensor:
    """A tensor of another layout than `input`; sparse ones store nothing.

    Raises:
        NotImplementedError: for sparse ones of other values than 0.
    """
    shape, kind = tuple(input.shape), dtype or input.dtype
    if layout is tensors.strided:
        filled = 0 if value is None else value
        return full(shape, filled, dtype=kind, requires_grad=requires_grad)
    if name in ("ones_like", "full_like"):
        refuse_layout(layout, "empty_strided")
    return sparse_zeros(name, shape, kind, layout, requires_grad)


def zeros_like(
    input: Tensor,
    *,
    dtype: dtypes.dtype | None = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    memory_format: Any = tensors.preserve_format,
    pin_memory: bool = False,
) -> Tensor:
    """Zeros with the shape, dtype and device of `input`.

    Math: y = 0
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.zeros_like(torch.tensor([1, 2]))
        tensor([0, 0])
    """
    if layout is not None and layout is not tensor_of(input).layout:
        return _in_layout("zeros_like", input, 0, dtype, layout, requires_grad)
    order = memory_format
    return _like("aten::zeros_like", input, 0, dtype, device, requires_grad, order)


def ones_like(
    input: Tensor,
    *,
    dtype: dtypes.dtype | None = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    memory_format: Any = tensors.preserve_format,
    pin_memory: bool = False,
) -> Tensor:
    """Ones with the shape, dtype and device of `input`.

    Math: y = 1
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.ones_like(torch.tensor([1.5, 2.5]))
        tensor([1., 1.])
    """
    if layout is not None and layout is not tensor_of(input).layout:
        return _in_layout("ones_like", input, 1, dtype, layout, requires_grad)
    order = memory_format
    return _like("aten::ones_like", input, 1, dtype, device, requires_grad, order)


def empty_like(
    input: Tensor,
    *,
    dtype: dtypes.dtype | None = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    memory_format: Any = tensors.preserve_format,
    pin_memory: bool = False,
) -> Tensor:
    """An uninitialised tensor with the shape, dtype and device of `input`.

    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.empty_like(torch.ones(2, 3)).shape
        torch.Size([2, 3])
    """
    if layout is not None and layout is not tensor_of(input).layout:
        return _in_layout("empty_like", input, None, dtype, layout, requires_grad)
    order = memory_format
    return _like("aten::empty_like", input, None, dtype, device, requires_grad, order)


@reported
def full_like(
    input: Tensor,
    fill_value: Any,
    *,
    dtype: dtypes.dtype | None = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    memory_format: Any = tensors.preserve_format,
    pin_memory: bool = False,
) -> Tensor:
    """A tensor filled with one value, with the shape, dtype and device of `input`.

    Math: y = v
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.full_like(torch.ones(2), 3)
        tensor([3., 3.])
    """
    fill_value = number_of(fill_value, "fill_value", "full_like")
    if layout is not None and layout is not tensor_of(input).layout:
        return _in_layout("full_like", input, fill_value, dtype, layout, requires_grad)
    result = _like("", input, None, dtype, device, requires_grad, memory_format)
    value = fill_number(fill_value, result)
    filled = _filled(result._data, value, input._data)
    if filled is not result._data:
        result = leaf_tensor(filled, result._device, requires_grad)
    return result


def _for_each_sample(made: Tensor, like: Tensor) -> Tensor:
    """A new tensor, with memory for each sample of a tensor inside `vmap`."""
    if type(like) is not Batched:
        return made
    levels = like._levels
    return batched(expand_to_levels(made, levels).contiguous(), levels)


@public("new_zeros")
def _tensor_new_zeros(
    self: Tensor,
    *sizes: Any,
    size: Any = None,
    dtype: dtypes.dtype | None = None,
    layout: Any = tensors.strided,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """Zeros of a shape, with this tensor's dtype and device.

    Math: y = 0
    Shape: () -> size

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1, 2]).new_zeros(3)
        tensor([0, 0, 0])
    """
    shape = shape_of("new_zeros", sizes, size)
    dtype = dtype or self.dtype
    device = self._device if device is None else device
    made = zeros(shape, dtype=dtype, device=device, requires_grad=requires_grad)
    return made if type(self) is Tensor else _for_each_sample(made, self)


@public("new_ones")
def _tensor_new_ones(
    self: Tensor,
    *sizes: Any,
    size: Any = None,
    dtype: dtypes.dtype | None = None,
    layout: Any = tensors.strided,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """Ones of a shape, with this tensor's dtype and device.

    Math: y = 1
    Shape: () -> size

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1.5]).new_ones(2)
        tensor([1., 1.])
    """
    shape = shape_of("new_ones", sizes, size)
    dtype = dtype or self.dtype
    device = self._device if device is None else device
    made = ones(shape, dtype=dtype, device=device, requires_grad=requires_grad)
    return made if type(self) is Tensor else _for_each_sample(made, self)


@public("new_empty")
def _tensor_new_empty(
    self: Tensor,
    *sizes: Any,
    size: Any = None,
    dtype: dtypes.dtype | None = None,
    layout: Any = tensors.strided,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """An uninitialised tensor of a shape, with this tensor's dtype and device.

    Shape: () -> size

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1.5]).new_empty(2, 3).shape
        torch.Size([2, 3])
    """
    shape = shape_of("new_empty", sizes, size)
    dtype = dtype or self.dtype
    device = self._device if device is None else device
    made = empty(shape, dtype=dtype, device=device, requires_grad=requires_grad)
    return made if type(self) is Tensor else _for_each_sample(made, self)


@public("new_full")
def _tensor_new_full(
    self: Tensor,
    size: Any,
    fill_value: Any,
    *,
    dtype: dtypes.dtype | None = None,
    layout: Any = tensors.strided,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """A tensor of a shape filled with one value, with this tensor's dtype and device.

    Math: y = v
    Shape: () -> size

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1.5]).new_full((2,), 4)
        tensor([4., 4.])
    """
    dtype = dtype or self.dtype
    device = self._device if device is None else device
    made = full(
        size, fill_value, dtype=dtype, device=device, requires_grad=requires_grad
    )
    return made if type(self) is Tensor else _for_each_sample(made, self)


@public("new_tensor")
def _tensor_new_tensor(
    self: Tensor,
    data: Any,
    *,
    dtype: dtypes.dtype | None = None,
    device: Any = None,
    requires_grad: bool = False,
    layout: Any = tensors.strided,
    pin_memory: bool = False,
) -> Tensor:
    """A tensor of `data` with this tensor's dtype and device.

    Shape: as `torch.tensor`

    Example:
        >>> import edutorch as torch
        >>> torch.ones(1).new_tensor([1, 2])
        tensor([1., 2.])
    """
    dtype = dtype or self.dtype
    device = self._device if device is None else device
    return tensor(data, dtype=dtype, device=device, requires_grad=requires_grad)
