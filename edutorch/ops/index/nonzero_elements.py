"""The positions of nonzero elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import dtypes
from ...autograd.dispatch import Op, apply1
from ...backends import array_module
from ...errors import python_type_name
from ...tensor.tensor import Tensor
from ..argument_checks import need_tensors, type_error
from ..argument_errors import argument_error, parser_errors
from ..int_arguments import int_of
from ..registration import copyto, public
from ..shape.joining import cat

__all__ = ["argwhere", "nonzero", "nonzero_static"]


class Nonzero(Op):
    """The indices of all nonzero elements, as rows."""

    data_dependent = True
    differentiable = False
    onnx = "NonZero"
    meta_kernel = "nonzero"
    saves = ()
    complex32 = "single"
    float8_kernel = "nonzero_count_cpu"

    def forward(self, x: Any) -> Any:
        if not x.ndim:
            return array_module(x).zeros((int(bool(x)), 0), np.int64)
        return np.stack(np.nonzero(x)).T  # as in PyTorch, columns lie together


class Argwhere(Nonzero):
    """`Nonzero` for samples that must have equal counts of nonzero elements."""

    meta_kernel = "nonzero"


@public("nonzero")
def nonzero(input: Tensor, *, out: Tensor | None = None, as_tuple: bool = False) -> Any:
    """The indices of all nonzero elements.

    Math: y = all i with x[i] ≠ 0, in row-major order
    Shape: (n, m) -> (k, 2), or with `as_tuple` 2 tensors (k), fit for indexing

    Raises:
        TypeError: for `out` together with `as_tuple`.

    Example:
        >>> import edutorch as torch
        >>> torch.nonzero(torch.tensor([[0, 5], [6, 0]]))
        tensor([[0, 1],
                [1, 0]])
    """
    if as_tuple is not False and as_tuple is not True:
        raise type_error("bool", "as_tuple", as_tuple, "nonzero")
    if as_tuple:
        if out is not None:  # PyTorch has it among the arguments of the other form
            raise argument_error() or TypeError(
                f"nonzero(): argument 'out' must be Tensor, not {python_type_name(out)}"
            )
        need_tensors("nonzero", input=input)
        whole = input if input.ndim else input.reshape(1)
        return tuple(apply1(Nonzero(), whole).unbind(1))
    result = apply1(Nonzero(), input)
    if out is None:
        return result
    return copyto(out, result, "nonzero", (input,), disjoint=(input,))


@public("argwhere")
def argwhere(input: Tensor) -> Tensor:
    """The indices of all nonzero elements, as rows.

    Math: y = all i with x[i] ≠ 0, a row for each
    Shape: (n, m) -> (k, 2)

    Example:
        >>> import edutorch as torch
        >>> torch.argwhere(torch.tensor([0, 5, 6]))
        tensor([[1],
                [2]])
    """
    return apply1(Argwhere(), input)


@public("nonzero_static")
@parser_errors
def nonzero_static(
    input: Tensor, *, size: int, fill_value: int = -1, out: Tensor | None = None
) -> Tensor:
    """The indices of the first `size` nonzero elements, padded with a fill value.

    Math: y = the first `size` i with x[i] ≠ 0, in row-major order
    Shape: (n, m) -> (size, 2)

    Args:
        size: the number of rows, at least 0.
        fill_value: what rows without a place hold.

    Raises:
        RuntimeError: for a negative size.

    Example:
        >>> import edutorch as torch
        >>> torch.nonzero_static(torch.tensor([0, 5, 6]), size=3)
        tensor([[ 1],
                [ 2],
                [-1]])
    """
    size = int_of(size, "size", "nonzero_static")
    if size < 0:
        raise RuntimeError("nonzero_static: 'size' must be an non-negative integer")
    places = (0, input.ndim)  # which are found without values
    if input.is_meta:
        indices = input.new_empty(places, dtype=dtypes.int64)
    else:
        indices = apply1(Argwhere(), input)
    found = indices[:size]
    rest = found.new_full((size - found.shape[0], input.ndim), fill_value)
    result: Tensor = cat([found, rest])
    if out is None:
        return result
    return copyto(out, result, "nonzero_static", (input,), disjoint=(input,))
