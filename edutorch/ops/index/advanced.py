"""Indexing by tensors of integers and by masks: `index` and `index_put`."""

from __future__ import annotations

import re
from math import prod
from typing import Any

import numpy as np

from ...autograd import modes as _m
from ...autograd.batched_tensor import batched_like
from ...autograd.dispatch import Op, apply
from ...autograd.inplace import check_writable, overwrite
from ...autograd.memory_overlap import refuse_overlap, refuse_partial_overlap
from ...backends import array_module
from ...backends.meta import MetaArray, no_data_error
from ...dtypes import bool_, uint8
from ...errors import raise_if
from ...kernels.memory_format import match_order, order_of_entries
from ...kernels.scatter import scatter_add_flat
from ...tensor.indexing import ParsedIndex
from ...tensor.tensor import Tensor
from ..argument_checks import type_error
from ..argument_errors import argument_error
from ..convert.copy_fill import (
    castable_number,
    clone,
    refuse_integer_gradients,
    skip_copy,
    writable_copy,
)
from ..registration import public
from .index_errors import index_error, index_tuple, refuse_empty_masks, shape_of_entries

__all__ = ["index_put", "index_put_"]

INDICES = tuple(range(1, 65))  # operands of `Index` that backward reads: all but x


class Index(Op):
    """The entries selected by index tensors and masks.

    Math: y = x[indices]      ∂L/∂x[i] = Σ g over the places that name i
    """

    takes_float8 = True
    forward_in_single = False
    constants = range(1, 64)
    attributes = ("slots",)
    meta_kernel = "nonzero"
    onnx = "GatherND"
    saves = INDICES

    def __init__(self, slots: tuple[int | None, ...]) -> None:
        self.slots = slots

    def forward(self, x: Any, *indices: Any) -> Any:
        self.old_shape = x.shape
        if type(x) is MetaArray and any(
            i.dtype == np.bool_ and type(i) is MetaArray for i in indices
        ):
            no_data_error()
        return take_entries(x, self.slots, indices)

    def backward(self, g: Any) -> Any:
        gx = apply(IndexBackward(self.slots, self.old_shape), g, *self.inputs[1:])
        return gx, *(None,) * (len(self.inputs) - 1)


class IndexBackward(Op):
    """Sums values into the indexed entries: the gradient of `Index`.

    Math: y[i] = Σ x over the places that name i      ∂L/∂x = g[indices]
    """

    attributes = ("slots", "shape")
    saves = INDICES

    def __init__(self, slots: tuple[int | None, ...], shape: tuple[int, ...]) -> None:
        self.slots, self.shape = slots, shape

    def forward(self, x: Any, *indices: Any) -> Any:
        positions = index_tuple(self.slots, indices)
        if len(indices) == 1 and indices[0].dtype.kind == "b":
            y = array_module(x).zeros(self.shape, x.dtype)
            y[positions] = x  # a mask selects no entry twice
            return y
        return add_at(x, positions, self.shape)

    def backward(self, g: Any) -> Any:
        gx = apply(Index(self.slots), g, *self.inputs[1:])
        return gx, *(None,) * (len(self.inputs) - 1)


def take_entries(x: Any, slots: tuple[int | None, ...], indices: Any) -> Any:
    """The entries at the indices; raises PyTorch's error if the indices are invalid."""
    refuse_empty_masks(x.shape, slots, indices)
    try:
        y = x[index_tuple(slots, indices)]
    except IndexError:
        raise_if(index_error(x.shape, slots, indices))
        shape = shape_of_entries(x.shape, slots, indices)
        if prod(shape):  # never uninitialised memory
            raise
        return array_module(x).empty(shape, x.dtype)
    if x.flags.c_contiguous and all(i.flags.c_contiguous for i in indices):
        return y if y.flags.c_contiguous else y.copy()
    return match_order(y, order_of_entries(y.shape, x, slots, indices))


def add_at(x: Any, positions: tuple[Any, ...], shape: tuple[int, ...]) -> Any:
    """Zeros of a shape, with `x` added at indices that may repeat."""
    xp = array_module(x)
    if not x.size:
        return xp.zeros(shape, x.dtype)
    if x.size < FEW:
        y = xp.zeros(shape, x.dtype)
        xp.add.at(y, positions, x)
        return y
    if (
        len(positions) == 1 and positions[0].dtype.kind != "b"
    ):  # whole entries, such as rows
        width = prod(shape[1:])
        entries = positions[0].reshape(-1, 1) % shape[0]
        cells = entries * width + xp.arange(width)
    else:
        cells = xp.arange(prod(shape)).reshape(shape)[positions]
        cells = xp.broadcast_to(cells, x.shape)
    return scatter_add_flat(cells.reshape(-1), x.reshape(-1), prod(shape)).reshape(
        shape
    )


FEW = 1000  # elements below which NumPy's own scattering is faster than ours


class IndexPut(Op):
    """Overwrites or increments the indexed entries.

    Math: x[indices] <- v      ∂L/∂x = g, 0 at the indices      ∂L/∂v = g[indices]
          with accumulate: x[indices] += v      ∂L/∂x = g
    """

    attributes = ("slots", "accumulate")
    onnx = "ScatterND"
    records_integers = True
    writes_over_itself = True
    saves = constants = tuple(range(2, 66))

    def __init__(self, slots: tuple[int | None, ...], accumulate: bool) -> None:
        self.slots, self.accumulate = slots, accumulate

    def check(self, x: Tensor, v: Any, *indices: Any) -> None:
        """Check that the values have the tensor's dtype, but for one at a mask."""
        if isinstance(v, Tensor) and v._data.dtype != x._data.dtype:
            arrays = index_arrays(indices)
            if v._data.size == 1 and _is_mask(arrays) and not self.accumulate:
                check_filled_number(v, x)
                return
            self.refuse(x._data, v._data, arrays, bounds=False)
            raise RuntimeError(
                "Index put requires the source and destination dtypes match, got "
                f"{x.dtype.short} for the destination and {v.dtype.short} for the "
                "source."
            )

    def forward(self, x: Any, v: Any, *indices: Any) -> Any:
        positions = index_tuple(self.slots, indices)
        refuse_empty_masks(x.shape, self.slots, indices)
        try:
            if self.accumulate and not _is_mask(indices):
                array_module(x).add.at(x, positions, v)
            elif self.accumulate:
                x[positions] += v
            else:
                x[positions] = v
        except (IndexError, TypeError, ValueError):
            self.refuse(x, v, indices)
            if prod(shape_of_entries(x.shape, self.slots, indices)):
                raise
        return x

    def refuse_shared(self, x: Tensor, v: Any, *indices: Any) -> None:
        """Refuse values and indices that share memory with the tensor.

        One value at a mask is read before anything is written.

        Raises:
            RuntimeError: for memory that is shared; by a mask, in part.
        """
        filled = np.size(getattr(v, "_data", v)) == 1 and not self.accumulate
        if filled and _is_mask(index_arrays(indices)):
            refuse_partial_overlap(x, indices)
        else:
            refuse_overlap(x, (v, *indices))

    def refuse(self, x: Any, v: Any, indices: Any, *, bounds: bool = True) -> None:
        """Raise the error for invalid values or indices, if any."""
        found = str(index_error(x.shape, self.slots, indices) or "")
        if found and not OUTSIDE(found):
            raise_if(index_error(x.shape, self.slots, indices))
        expected = shape_of_entries(x.shape, self.slots, indices)
        if not _broadcasts(np.shape(v), expected):
            raise _value_mismatch(expected, np.shape(v))
        if bounds:
            raise_if(index_error(x.shape, self.slots, indices))

    def backward(self, g: Any) -> Any:
        indices = self.inputs[2 : 2 + sum(s is not None for s in self.slots)]
        gv = apply(Index(self.slots), g, *indices) if self.needs[1] else None
        gx = g
        if self.needs[0] and not self.accumulate:
            gx = apply(IndexCleared(self.slots), g, *indices)
        return gx, gv, *(None,) * len(indices)


class IndexCleared(Op):
    """A copy with zeros at the entries that indices name.

    Math: y = x, y[indices] = 0      ∂L/∂x = g, 0 at the indices
    """

    attributes = ("slots",)
    saves = INDICES

    def __init__(self, slots: tuple[int | None, ...]) -> None:
        self.slots = slots

    def forward(self, x: Any, *indices: Any) -> Any:
        y = writable_copy(x)
        if y.size:
            y[index_tuple(self.slots, indices)] = 0
        return y

    def backward(self, g: Any) -> Any:
        gx = apply(IndexCleared(self.slots), g, *self.inputs[1:])
        return gx, *(None,) * (len(self.inputs) - 1)


def check_filled_number(value: Tensor, x: Tensor) -> None:
    """Check that the only element of a tensor can be assigned to what a mask names.

    Raises:
        RuntimeError: if the dtype of `x` cannot represent it.
    """
    if value._data.dtype != x._data.dtype and not value.is_meta:
        castable_number(value.item(), x)


def _is_mask(indices: Any) -> bool:
    return len(indices) == 1 and indices[0].dtype.kind == "b"


OUTSIDE = re.compile(r"index -?\d+ is out of bounds").match  # reported last


def _broadcasts(shape: tuple[int, ...], target: tuple[int, ...]) -> bool:
    """Whether values of a shape can be broadcast to another shape."""
    pairs = zip(reversed(shape), reversed(target), strict=False)
    return len(shape) <= len(target) and all(n in (1, m) for n, m in pairs)


def _value_mismatch(expected: tuple[int, ...], got: tuple[int, ...]) -> Exception:
    return RuntimeError(
        f"shape mismatch: value tensor of shape {list(got)} cannot be broadcast to "
        f"indexing result of shape {list(expected)}"
    )


def _check_put(x: Tensor, indices: Any) -> int:
    """The number of dimensions that indices are for, after checking them."""
    if not len(indices):
        raise RuntimeError("index_put_ needs at least one index tensor")
    used = 0
    for i, index in enumerate(indices):
        if not isinstance(index, Tensor):
            raise argument_error() or TypeError(
                f"expected Tensor as element {i} in argument 0, but got "
                f"{type(index).__name__}"
            )
        kind = index._data.dtype
        if kind not in (np.int64, np.int32, np.bool_, np.uint8):
            raise IndexError(
                "tensors used as indices must be long, int, byte or bool tensors"
            )
        used += index.ndim if kind in (np.bool_, np.uint8) else 1
    if used > x.ndim:
        raise IndexError(
            f"too many indices for tensor of dimension {x.ndim} (got {used})"
        )
    return used


def _bytes_as_masks(indices: Any, values: Any, accumulate: bool) -> list[Tensor]:
    """Index tensors, those of bytes as the masks that they are.

    Raises:
        RuntimeError: for a number to be assigned to what a mask of bytes names.
    """
    masks = [i._data.dtype == np.uint8 for i in indices]
    if True not in masks:
        return list(indices)
    if len(masks) == 1 and values._data.size == 1 and not accumulate:
        refuse_byte_mask()
    return [i.to(bool_) if m else i for i, m in zip(indices, masks, strict=True)]


def refuse_byte_mask() -> None:
    """Raise for a mask of bytes where PyTorch fills what a mask names.

    Raises:
        RuntimeError: in any case.
    """
    raise RuntimeError(
        "masked_fill_ only supports boolean masks, but got mask with dtype "
        f"{uint8.c_name}"
    )


def put(x: Tensor, parsed: ParsedIndex, value: Any, accumulate: bool = False) -> Tensor:
    """Write values at parsed indices in place."""
    if isinstance(value, Tensor):
        if value._device is not x._device and not value._data.ndim:
            value = value.to(x._device)
    else:
        value = castable_number(value, x)
    indices = [index_to_device(i, x) for i in parsed.indices]
    return overwrite(x, IndexPut(parsed.slots, accumulate), value, *indices)


def index_arrays(indices: Any) -> list[Any]:
    """The arrays of indices, some of which are tensors."""
    return [getattr(i, "_data", i) for i in indices]


def index_to_device(index: Any, x: Tensor) -> Any:
    """An index on the device of `x`; indices on the CPU may be moved there."""
    if isinstance(index, Tensor) and index.is_cpu and index._device is not x._device:
        if x.is_meta and index._data.dtype == np.bool_:
            return index  # whose values say how many entries there are
        return index.to(x._device)
    return index


@public("index_put_")
def index_put_(
    input: Tensor, indices: Any, values: Tensor, accumulate: bool = False
) -> Tensor:
    """Write `values` to the entries selected by index tensors.

    Math: x[indices] <- v, or x[indices] += v with `accumulate`
          ∂L/∂x = g, 0 at the indices (g, if added to)      ∂L/∂v = g[indices]
    Shape: (n, m), a tuple of index tensors (k), (k) or what broadcasts to it -> (n, m)

    Args:
        indices: one index tensor for each leading dimension; a mask replaces several.
        accumulate: add instead of overwriting; entries may then be named repeatedly.

    Raises:
        IndexError: for entries that do not exist.
        RuntimeError: if shapes or dtypes do not fit.

    Example:
        >>> import edutorch as torch
        >>> torch.zeros(4).index_put_((torch.tensor([0, 2]),), torch.tensor(5.0))
        tensor([5., 0., 5., 0.])
    """
    _check_put_types("index_put_", indices, values, accumulate)
    check_writable(input, overlapping=True)
    rest = input.ndim - _check_put(input, indices)
    indices = _bytes_as_masks(indices, values, accumulate)
    slots = tuple(range(len(indices)))
    if isinstance(values, Tensor) and values.ndim > rest + 1:  # NumPy drops 1s in front
        arrays = [index._data for index in indices]
        if values._data.size == 1 and _is_mask(arrays) and not accumulate:
            values = values.reshape(())  # PyTorch fills what a mask names
        else:
            refuse_overlap(input, (values, *indices))
            IndexPut(slots, accumulate).refuse(input._data, values._data, arrays)
    return put(input, ParsedIndex((), slots, tuple(indices)), values, accumulate)


@public("index_put")
def index_put(
    input: Tensor, indices: Any, values: Tensor, accumulate: bool = False
) -> Tensor:
    """A copy with `values` at the entries selected by index tensors.

    Math: y = x, y[indices] = v      ∂L/∂x = g, 0 at the indices      ∂L/∂v = g[indices]
    Shape: (n, m), a tuple of index tensors (k), (k) or what broadcasts to it -> (n, m)

    Raises:
        IndexError: for entries that do not exist.

    Example:
        >>> import edutorch as torch
        >>> x = torch.zeros(3)
        >>> torch.index_put(x, (torch.tensor([1]),), torch.tensor(2.0))
        tensor([0., 2., 0.])
    """
    if _m.special_modes and index_put in _m.modes.autocast:
        return _m.autocast(index_put, input, indices, values, accumulate)
    _check_put_types("index_put", indices, values, accumulate)
    result = clone(batched_like(input, (values, *indices)))
    index_put_(result, indices, values, accumulate)
    refuse_integer_gradients(result, values)
    return skip_copy(result)


def _check_put_types(name: str, indices: Any, values: Any, accumulate: Any) -> None:
    if accumulate is not False and accumulate is not True:
        raise type_error("bool", "accumulate", accumulate, name)
    if not isinstance(indices, (tuple, list)):
        raise type_error("tuple of Tensors", "indices", indices, name)
    if isinstance(values, (int, float, complex)):
        raise type_error("Tensor", "values", values, name)
