"""Sorting: sort, argsort, msort, topk, kthvalue."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.dispatch import Op, apply, apply1
from ...autograd.memory_overlap import refuse_overlap
from ...autograd.modes import modes
from ...kernels.memory_format import match_exact_strides, match_strides
from ...kernels.sorting import (
    argsort_indices,
    kthvalue_index,
    stable_argsort,
    topk_indices,
)
from ...tensor.tensor import Tensor
from ..argument_checks import need_tensors, type_error
from ..argument_errors import invalid_combination
from ..dims import ABSENT, axis_for, dim_of, ndim_of
from ..int_arguments import int_of
from ..out_argument import is_refused_first
from ..out_history import gradient_error
from ..reduce.median_mode import Ranked
from ..reduce.selection import pick_array, place
from ..registration import copyto, public
from ..return_types import return_type

__all__ = ["argsort", "kthvalue", "msort", "sort", "topk"]

sort_type = return_type("sort", "values", "indices")
topk_type = return_type("topk", "values", "indices")
kthvalue_type = return_type("kthvalue", "values", "indices")


def _in_order_of(x: Any, y: Any) -> Any:
    """`y` in the memory order of `x`, with the strides of a contiguous `x`."""
    y = match_strides(y, x)
    return match_exact_strides(y, x) if 1 in x.shape else y


class Sort(Op):
    """The sorted elements along a dimension, and their original indices.

    Math: y[i] = x[index[i]]      ∂L/∂x[index[i]] = g[i]
    Shape: (*) -> two of (*)
    """

    attributes = ("dim", "descending", "stable")
    multiple_outputs = True
    saves = ()
    saves_extra = True
    float8_kernel = "sorting_kernel_method_name"

    def __init__(self, dim: int, descending: bool, stable: bool) -> None:
        self.dim, self.descending, self.stable = dim, descending, stable

    def check(self, x: Any) -> None:
        if x._data.dtype.kind in "cW":
            raise RuntimeError(" Sort does not support complex dtypes on CPU")

    def forward(self, x: Any) -> Any:
        self.shape = x.shape
        if x.ndim == 0:
            self.saved = np.zeros((), np.int64)
            return x.copy(), self.saved
        self.saved = self.order(x)
        y = pick_array(x, self.saved, self.dim)
        return _in_order_of(x, y), _in_order_of(x, self.saved)

    def order(self, x: Any) -> Any:
        """The indices that sort an array."""
        repeated = x.strides[self.dim] == 0  # PyTorch leaves these in their order
        way = stable_argsort if self.stable or repeated else argsort_indices
        return way(x, self.dim, self.descending)

    def backward(self, g: Any, _g_index: Any) -> Any:
        return place(g, self.saved, self.dim, self.shape)


@public("sort")
def sort(
    input: Tensor,
    dim: int = -1,
    descending: bool = False,
    *,
    stable: bool | None = ABSENT,
    out: Any = None,
    axis: Any = None,
) -> Any:
    """Sort elements along a dimension; also returns their original indices.

    Math: y[i] = x[index[i]]      ∂L/∂x[index[i]] = g[i]
    Shape: (*) -> two of (*)

    Args:
        stable: preserve the order of equal elements.

    Raises:
        RuntimeError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.sort(torch.tensor([3, 1, 2]))
        torch.return_types.sort(
        values=tensor([1, 2, 3]),
        indices=tensor([1, 2, 0]))
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis, -1)
    if descending is not False and descending is not True:
        raise type_error("bool", "descending", descending, "sort")
    given = stable is not ABSENT
    if given and not (stable is None or stable is False or stable is True):
        raise type_error("bool", "stable", stable, "sort")
    along = dim_of(dim, ndim_of(input, "sort"), "sort")
    op = Sort(along, descending, given and bool(stable))
    op.overload = int(given)  # which of PyTorch's two functions it is
    result = sort_type(*apply(op, input))
    return result if out is None else copyto(out, result, "sort", (input,))


class Argsort(Sort):
    """The indices that sort a tensor along a dimension."""

    multiple_outputs = False
    differentiable = False
    float8_kernel = "sorting_kernel_method_name"

    def forward(self, x: Any) -> Any:
        if x.ndim == 0:
            return np.zeros((), np.int64)
        return _in_order_of(x, self.order(x))


@public("argsort")
def argsort(
    input: Tensor,
    dim: int = -1,
    descending: bool = False,
    *,
    stable: bool = ABSENT,
    out: Tensor | None = None,
    axis: Any = None,
) -> Tensor:
    """The indices that sort a tensor along a dimension.

    Math: x[y[0]] ≤ x[y[1]] ≤ ..
    Shape: (*) -> (*), int64

    Raises:
        RuntimeError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.argsort(torch.tensor([3, 1, 2]))
        tensor([1, 2, 0])
    """
    if descending is not False and descending is not True:
        raise type_error("bool", "descending", descending, "argsort")
    if stable is ABSENT:
        stable = False
        if out is not None:
            raise invalid_combination("argsort")
    if stable is not False and stable is not True:
        raise type_error("bool", "stable", stable, "argsort")
    need_tensors("argsort", input=input)
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis, -1)
    op = Argsort(
        dim_of(dim, ndim_of(input, "argsort"), "argsort"),
        descending,
        bool(stable),
    )
    result = apply1(op, input)
    if out is None:
        return result
    if input.requires_grad and modes.grad:  # `sort` writes the indices
        raise gradient_error("sort")
    return copyto(out, result, "argsort", (input,))


@public("msort")
def msort(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Sort elements along the first dimension.

    Math: y[i] = x[index[i]]      ∂L/∂x[index[i]] = g[i]
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.msort(torch.tensor([3, 1, 2]))
        tensor([1, 2, 3])
    """
    need_tensors("msort", input=input)
    # Indices are not returned, so the faster stable sort can be used.
    result: Tensor = apply(
        Sort(dim_of(0, ndim_of(input, "msort"), "msort"), False, True), input
    )[0]
    return result if out is None else copyto(out, result, "msort", (input,))


class Topk(Op):
    """The k largest (or smallest) elements along a dimension, and their indices.

    Math: y[i] = x[index[i]]      ∂L/∂x[index[i]] = g[i], else 0
    Shape: (.., n, ..) -> two of (.., k, ..)
    """

    attributes = ("k", "dim", "largest", "sorted")
    onnx = "TopK"
    multiple_outputs = True
    saves = ()
    saves_extra = True

    def __init__(self, k: int, dim: int, largest: bool, sorted: bool) -> None:
        self.k, self.dim, self.largest, self.sorted = k, dim, largest, sorted

    def check(self, x: Any) -> None:
        n = x._data.shape[self.dim] if x._data.ndim else 1
        if not 0 <= self.k <= n:
            raise RuntimeError("selected index k out of range")
        if x._data.dtype.kind in "cW":
            raise RuntimeError("topk does not support complex dtypes on CPU")
        if x._data.dtype.kind == "b":
            raise RuntimeError("topk does not support bool dtypes on CPU")

    def forward(self, x: Any) -> Any:
        self.shape = x.shape
        if x.ndim == 0:
            self.saved = np.zeros((), np.int64)
            return x.copy(), self.saved
        self.saved = topk_indices(x, self.k, self.dim, self.largest, self.sorted)
        return pick_array(x, self.saved, self.dim), self.saved

    def backward(self, g: Any, _g_index: Any) -> Any:
        return place(g, self.saved, self.dim, self.shape)


@public("topk")
def topk(
    input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True,
    *, out: Any = None, axis: Any = None,
) -> Any:  # fmt: skip
    """The k largest (or smallest) elements along a dimension, and their indices.

    Math: y[i] = x[index[i]]      ∂L/∂x[index[i]] = g[i], else 0
    Shape: (.., n, ..) -> two of (.., k, ..)

    Args:
        sorted: whether they must come in order.

    Raises:
        RuntimeError: if there are fewer than `k` elements.

    Example:
        >>> import edutorch as torch
        >>> torch.topk(torch.tensor([3, 1, 4, 2]), 2)
        torch.return_types.topk(
        values=tensor([4, 3]),
        indices=tensor([2, 0]))
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis, -1)
    if largest is not False and largest is not True:
        raise type_error("bool", "largest", largest, "topk")
    if sorted is not False and sorted is not True:
        raise type_error("bool", "sorted", sorted, "topk")
    need_tensors("topk", input=input)
    k = int_of(k, "k", "topk")
    op = Topk(k, dim_of(dim, ndim_of(input, "topk"), "topk"), largest, sorted)
    result = topk_type(*apply(op, input))
    return result if out is None else copyto(out, result, "topk", (input,))


class Kthvalue(Ranked):
    """The k-th smallest element along a dimension, and its index.

    Math: y = x[i]      ∂L/∂x = g at i, else 0
    Shape: (*) -> two of (* without dim)
    """

    attributes = ("k", "dim", "keepdim")

    def __init__(self, k: int, dim: int, keepdim: bool) -> None:
        super().__init__(dim, keepdim)
        self.k = k

    def check(self, x: Any) -> None:
        n = x._data.shape[self.dim] if x._data.ndim else 1
        if n and not 1 <= self.k <= n:
            raise RuntimeError(
                f"kthvalue(): selected number k out of range for dimension {self.dim}"
            )
        super().check(x)

    def find(self, x: Any) -> Any:
        index = kthvalue_index(x, self.k - 1, self.dim)
        return index.copy()  # row by row, also along the dimension of size 1


@public("kthvalue")
def kthvalue(
    input: Tensor, k: int, dim: int = -1, keepdim: bool = False, *, out: Any = None,
    axis: Any = None, keepdims: bool = ABSENT,
) -> Any:  # fmt: skip
    """The k-th smallest element along a dimension, and its index.

    Math: y = x[i]      ∂L/∂x = g at i, else 0
    Shape: (*) -> two of (* without dim)

    Raises:
        RuntimeError: if there are fewer than `k` elements.

    Example:
        >>> import edutorch as torch
        >>> torch.kthvalue(torch.tensor([3, 1, 2]), 2).values
        tensor(2)
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis, -1)
    if keepdims is not ABSENT:
        keepdim = keepdims
    if keepdim is not False and keepdim is not True:
        raise type_error("bool", "keepdim", keepdim, "kthvalue")
    need_tensors("kthvalue", input=input)
    k = int_of(k, "k", "kthvalue")
    op = Kthvalue(k, dim_of(dim, ndim_of(input, "kthvalue"), "kthvalue"), keepdim)
    result = kthvalue_type(*apply(op, input))
    if out is None:
        return result
    pair = isinstance(out, (tuple, list)) and len(out) == 2
    values = out[0] if pair else None
    if isinstance(values, Tensor) and not is_refused_first([values], input):
        refuse_overlap(values, (input,))  # before dtypes; indices may be the input
    removed = None if keepdim or not input.ndim else op.dim
    return copyto(out, result, "kthvalue", (input,), removed=removed)
