"""The indices of triangles of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import dtypes
from ...devices import to_device
from ...tensor.tensor import Tensor, strided
from ..argument_errors import parser_errors
from ..int_arguments import int_of
from .factory import refuse_layout, tensor_on_device

__all__ = ["tril_indices", "triu_indices"]


def _triangle(
    name: str, row: int, col: int, places: Any,
    dtype: Any, device: Any, layout: Any, requires_grad: bool,
) -> Tensor:  # fmt: skip
    if layout is not strided:
        refuse_layout(layout, name)
    for what, n in (("row", row), ("col", col)):
        if n < 0:
            raise RuntimeError(f"{what} must be non-negative, got{n}")
    dtype = dtypes.int64 if dtype is None else dtypes.of_python_type(dtype)
    if dtype not in (dtypes.int64, dtypes.int32):
        raise NotImplementedError(f"\"{name}\" not implemented for '{dtype.short}'")
    values = np.stack(places).astype(dtype.numpy)
    return tensor_on_device(values, to_device(device), requires_grad)


@parser_errors
def tril_indices(
    row: int, col: int, offset: int = 0, *, dtype: dtypes.dtype = dtypes.int64,
    device: Any = None, layout: Any = strided, pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """The indices of the lower triangle of a matrix: rows, then columns.

    Math: y = all (i, j) with j <= i + offset
    Shape: () -> (2, number of places)

    Args:
        offset: which diagonal bounds the triangle; 0 is the main one.

    Raises:
        RuntimeError: for negative sizes.

    Example:
        >>> import edutorch as torch
        >>> torch.tril_indices(2, 2)
        tensor([[0, 1, 1],
                [0, 0, 1]])
    """
    row, col, offset = (
        int_of(row, "row", "tril_indices"),
        int_of(col, "col", "tril_indices"),
        int_of(offset, "offset", "tril_indices"),
    )
    places = np.tril_indices(max(row, 0), offset, max(col, 0))
    options = dtype, device, layout, requires_grad
    return _triangle("tril_indices", row, col, places, *options)


@parser_errors
def triu_indices(
    row: int, col: int, offset: int = 0, *, dtype: dtypes.dtype = dtypes.int64,
    device: Any = None, layout: Any = strided, pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """The indices of the upper triangle of a matrix: rows, then columns.

    Math: y = all (i, j) with j >= i + offset
    Shape: () -> (2, number of places)

    Args:
        offset: which diagonal bounds the triangle; 0 is the main one.

    Raises:
        RuntimeError: for negative sizes.

    Example:
        >>> import edutorch as torch
        >>> torch.triu_indices(2, 2)
        tensor([[0, 0, 1],
                [0, 1, 1]])
    """
    row, col, offset = (
        int_of(row, "row", "triu_indices"),
        int_of(col, "col", "triu_indices"),
        int_of(offset, "offset", "triu_indices"),
    )
    places = np.triu_indices(max(row, 0), offset, max(col, 0))
    options = dtype, device, layout, requires_grad
    return _triangle("triu_indices", row, col, places, *options)
