"""Collating: combines a list of samples into a batch of tensors."""

from __future__ import annotations

import copy
from collections.abc import Mapping, MutableMapping, MutableSequence, Sequence
from typing import Any

import numpy as np

from ... import dtypes, events
from ...autograd import modes
from ...config import plain
from ...devices import CPU, to_device
from ...ops.create import as_tensor, tensor
from ...ops.shape import stack
from ...ops.shape.joining import stack_rows
from ...tensor.from_numpy import validated_array
from ...tensor.tensor import Tensor, wrap

__all__ = [
    "default_collate",
    "default_convert",
    "is_plain",
    "must_run_ops",
    "pin_batch",
]

NUMBERS = "biufc"  # the kinds of NumPy's dtypes that tensors can have
REFUSAL = (
    "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or "
    "lists; found {}"
)


def default_convert(data: Any) -> Any:
    """Convert arrays in nested containers to tensors; keep everything else.

    Example:
        >>> import numpy as np
        >>> import edutorch as torch
        >>> torch.utils.data.default_convert([np.array([0, 1]), "a"])
        [tensor([0, 1]), 'a']
    """
    if isinstance(data, (np.ndarray, np.generic)) and data.dtype.kind in NUMBERS:
        return as_tensor(data)
    if isinstance(data, (Tensor, str, bytes, np.ndarray)):
        return data
    if isinstance(data, Mapping):
        return _like(data, {k: default_convert(data[k]) for k in data})
    if isinstance(data, Sequence):
        return _same_container(data, [default_convert(v) for v in data])
    return data


def pin_batch(data: Any) -> Any:
    """Copy tensors in nested containers to page-locked memory; keep everything else.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     x, name = pin_batch([torch.ones(2), "ab"])
        ...     x.is_pinned(), name
        (True, 'ab')
    """
    if hasattr(data, "pin_memory"):
        return data.pin_memory()
    if isinstance(data, (str, bytes)):
        return data
    if isinstance(data, Mapping):
        return _like(data, {k: pin_batch(data[k]) for k in data})
    if isinstance(data, Sequence):
        return _same_container(data, [pin_batch(v) for v in data])
    return data


def default_collate(batch: Any) -> Any:
    """Collate samples into tensors with a new first dimension; keep containers.

    Raises:
        TypeError: for samples that are neither numbers, arrays nor containers.
        RuntimeError: for sequences of different lengths.

    Example:
        >>> import edutorch as torch
        >>> torch.utils.data.default_collate([(1, 2.0), (3, 4.0)])
        [tensor([1, 3]), tensor([2., 4.], dtype=torch.float64)]
    """
    first = batch[0]
    if isinstance(first, Tensor):
        return _stack_tensors(batch)
    if isinstance(first, np.ndarray):
        if first.dtype.kind in "SUO":
            raise TypeError(REFUSAL.format(first.dtype))
        return _stack_arrays(batch)
    if isinstance(first, (np.bool_, np.number)):
        return as_tensor(np.array(batch))
    if isinstance(first, float):
        return tensor(batch, dtype=dtypes.float64)
    if isinstance(first, int):
        return tensor(batch)
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, Mapping):
        found = {k: default_collate([d[k] for d in batch]) for k in first}
        return _like(first, found)
    if isinstance(first, Sequence):
        named = isinstance(first, tuple) and hasattr(first, "_fields")
        if not named and any(len(sample) != len(first) for sample in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        columns = zip(*batch, strict=False)
        return _same_container(first, [default_collate(samples) for samples in columns])
    raise TypeError(REFUSAL.format(type(first)))


def must_run_ops() -> bool:
    """Whether batches must be made by operations: skipping them could be noticed."""
    return bool(
        events.active or modes.special_modes or to_device(None) is not CPU or plain()
    )


def is_plain(t: Any) -> bool:
    """Whether a tensor is a CPU tensor of class Tensor, without history."""
    return (
        type(t) is Tensor
        and t._device is CPU
        and not t._requires_grad
        and (t._base is None or not t._base._requires_grad)
    )


def _stack_tensors(batch: Any) -> Tensor:
    """Stack tensors, without an operation if nothing could observe one."""
    if not must_run_ops() and all(map(is_plain, batch)):
        arrays = [t._data for t in batch]
        if _same_layout(arrays, arrays[0]):
            return wrap(stack_rows(arrays))
    return stack(list(batch), 0)


def _stack_arrays(batch: Any) -> Tensor:
    """Arrays as one tensor; equal ones are copied into it without tensors between."""
    first = validated_array(batch[0])
    if not must_run_ops() and _same_layout(batch, first):
        return wrap(stack_rows([first, *batch[1:]]))
    return stack([as_tensor(array) for array in batch], 0)


def _same_layout(arrays: Any, valid: Any) -> bool:
    """Whether all arrays have the layout of one that has been checked."""
    dtype, shape, strides = valid.dtype, valid.shape, valid.strides
    return all(
        type(x) is np.ndarray
        and x.dtype is dtype
        and x.shape == shape
        and x.strides == strides
        and x.flags.writeable
        for x in arrays
    )


def _like(mapping: Any, values: dict[Any, Any]) -> Any:
    """A mapping of the same type with other values, a dictionary if that fails."""
    try:
        if isinstance(mapping, MutableMapping):
            copied = copy.copy(mapping)
            copied.update(values)
            return copied
        return type(mapping)(values)
    except TypeError:  # its class is made from something else
        return values


def _same_container(sequence: Any, values: list[Any]) -> Any:
    """A sequence of the same type with other values; a tuple becomes a list."""
    if isinstance(sequence, tuple):
        named = hasattr(sequence, "_fields")
        return type(sequence)(*values) if named else values
    try:
        if not isinstance(sequence, MutableSequence):
            return type(sequence)(values)
        copied = copy.copy(sequence)
        for i, value in enumerate(values):
            copied[i] = value
    except TypeError:  # its class is made from something else
        return values
    return copied
