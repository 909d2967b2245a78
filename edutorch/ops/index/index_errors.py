"""PyTorch's errors for indices that NumPy refuses.

PyTorch compares masks with the tensor first, then broadcasts the indices, then looks at
their numbers one after the other. Where the result has no elements it looks at none.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import raise_if
from ...tensor.geometry import Geometry, out_of_bounds
from ...tensor.tensor import Tensor

__all__ = [
    "check_fill_dtype", "check_filled", "check_other_sizes", "check_vector",
    "check_written", "index_error",
    "index_tuple", "no_entries_error", "other_sizes", "refuse_empty_masks",
    "shape_of_entries", "writes_entries",
]  # fmt: skip

Slots = tuple[int | None, ...]


def index_tuple(slots: Slots, indices: Any) -> tuple[Any, ...]:
    """A NumPy index: for each slot a full slice or one of the indices."""
    return tuple(slice(None) if s is None else indices[s] for s in slots)


def no_entries_error() -> Exception:
    """The error for an index into a dimension of size 0."""
    return RuntimeError("index_select(): self indexing axis dim should be positive")


def writes_entries(x: Tensor, dim: int, index: Tensor) -> bool:
    """Whether entries at the indices along a dimension have elements to be written.

    If they have none, PyTorch does not look at the indices. It writes to them through a
    view that has the length of the index along the dimension.

    Raises:
        RuntimeError: if there are such elements, but the tensor has none.
    """
    shape = list(x._data.shape) or [1]
    if 0 not in shape:
        return True
    stride = list(x.stride())
    shape[dim], stride[dim] = index._data.size, 0
    if 0 in shape:
        return False
    raise out_of_bounds(
        Geometry(tuple(shape), tuple(stride), 0), x._data.dtype.itemsize, 0
    )


def check_written(
    x: Tensor, dim: int, index: Tensor, first: int, prefix: str = ""
) -> None:
    """Raise for entries to be written that do not exist, if they have elements.

    Raises:
        IndexError: for indices less than `first`, or as large as the dimension.
    """
    if not writes_entries(x, dim, index):
        return
    values, n = index._data, x._data.shape[dim] if x._data.ndim else 1
    if values.size and (values.min() < first or values.max() >= n):
        wrong = values[(values < first) | (values >= n)].item(0)
        raise IndexError(
            f"{prefix}index {wrong} is out of bounds for dimension {dim} with size {n}"
        )


def index_error(shape: tuple[int, ...], slots: Slots, indices: Any) -> Exception | None:
    """The error for invalid index arrays, or None if they are valid."""
    wrong = _mask_error(shape, slots, indices)
    if wrong is not None:
        return wrong
    numbers, dims = _masks_to_indices(slots, indices)
    try:
        together = np.broadcast_arrays(*numbers)
    except ValueError:
        shapes = ", ".join(str(list(i.shape)) for i in numbers)
        return IndexError(
            "shape mismatch: indexing tensors could not be broadcast together with "
            f"shapes {shapes}"
        )
    sizes = [shape[dim] for dim in dims]
    if 0 in sizes and together[0].size:
        return IndexError("index is out of bounds for dimension with size 0")
    rest = [n for dim, n in enumerate(shape) if dim not in dims]
    if 0 in rest or not together[0].size:
        return None
    return _bounds_error(together, sizes)


def refuse_empty_masks(shape: tuple[int, ...], slots: Slots, indices: Any) -> None:
    """Raise for masks without elements, which NumPy accepts for any dimension.

    Raises:
        IndexError: for such a mask whose shape does not fit.
    """
    for index in indices:
        if not index.size and index.dtype.kind == "b":
            raise_if(_mask_error(shape, slots, indices))
            return


def _mask_error(shape: tuple[int, ...], slots: Slots, indices: Any) -> Exception | None:
    dim = 0
    for slot in slots:
        index = None if slot is None else indices[slot]
        if index is None or index.dtype.kind != "b":
            dim += 1
            continue
        for i, n in enumerate(index.shape):
            if dim + i >= len(shape) or n != shape[dim + i]:
                return IndexError(
                    f"The shape of the mask {list(index.shape)} at index {i} does not "
                    f"match the shape of the indexed tensor {list(shape)} at index "
                    f"{dim + i}"
                )
        dim += index.ndim
    return None


def _masks_to_indices(slots: Slots, indices: Any) -> tuple[list[Any], list[int]]:
    """Convert masks to integer indices, and list the dimensions."""
    numbers: list[Any] = []
    dims: list[int] = []
    dim = 0
    for slot in slots:
        if slot is not None:
            index = indices[slot]
            found = index.nonzero() if index.dtype.kind == "b" else (index,)
            numbers += found
            dims += range(dim, dim + len(found))
        dim += 1 if slot is None else len(found)
    return numbers, dims


def _bounds_error(together: Any, sizes: list[int]) -> Exception | None:
    """The error for the first index out of bounds, in PyTorch's order of checks."""
    flat = [index.reshape(-1) for index in together]
    outside = [(i < -n) | (i >= n) for i, n in zip(flat, sizes, strict=True)]
    places = np.nonzero(np.any(outside, axis=0))[0]
    for place in places[:1]:
        for nr, n in enumerate(sizes):
            if outside[nr][place]:
                return IndexError(
                    f"index {flat[nr][place]} is out of bounds for dimension {nr} with "
                    f"size {n}"
                )
    return None


def shape_of_entries(
    shape: tuple[int, ...], slots: Slots, indices: Any
) -> tuple[int, ...]:
    """The shape of `x[indices]`, even if some index is out of bounds."""
    numbers, dims = _masks_to_indices(slots, indices)
    where: list[Any] = [slice(None)] * len(shape)
    for dim, index in zip(dims, numbers, strict=True):
        where[dim] = np.zeros_like(index)
    sizes = tuple(1 if dim in dims else n for dim, n in enumerate(shape))
    found: tuple[int, ...] = np.broadcast_to(np.zeros(()), sizes)[tuple(where)].shape
    return found


def check_vector(name: str, index: Tensor) -> None:
    """Raise unless an index is a vector of integers.

    Raises:
        IndexError, RuntimeError: in PyTorch's words.
    """
    if index._data.ndim > 1:
        raise IndexError(
            f"{name}(): Index is supposed to be a vector, but got dim: {index.ndim} "
            f"with type: {index.dtype.short} and size: {list(index.shape)}"
        )
    if index._data.dtype not in (np.int64, np.int32):
        raise RuntimeError(
            f"{name}(): Expected dtype int32/int64 for index but got: "
            f"{index.dtype.short}"
        )


def check_other_sizes(x: Tensor, src: Tensor, dim: int) -> None:
    """Raise unless a source's shape matches in all dimensions but one.

    Raises:
        RuntimeError: with both shapes.
    """
    if x.ndim != src.ndim or other_sizes(x, dim) != other_sizes(src, dim):
        raise RuntimeError(
            "source tensor shape must match self tensor shape, excluding the specified "
            f"dimension. Got self.shape = {list(x._data.shape)} source.shape = "
            f"{list(src._data.shape)}"
        )


def other_sizes(x: Tensor, dim: int) -> list[int]:
    """The sizes of all dimensions but one."""
    return [n for d, n in enumerate(x._data.shape) if d != dim]


def check_fill_dtype(index: Tensor) -> None:
    """Check the dtype of an index of `index_fill`.

    Raises:
        IndexError: for another dtype than int64.
    """
    if index._data.dtype != np.int64:
        raise IndexError("index_fill_(): Expected dtype int64 for index.")


def check_filled(index: Tensor) -> None:
    """Check that an index of `index_fill` is a vector of integers.

    Raises:
        IndexError: for another dtype.
        RuntimeError: for another number of dimensions.
    """
    check_fill_dtype(index)
    if index._data.ndim > 1:
        raise RuntimeError("Index has to be a vector/scalar")
