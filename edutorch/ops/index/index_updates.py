"""Adds, overwrites or fills entries along a dimension by index."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd import modes as _m
from ...autograd.device_placement import common_device
from ...autograd.dispatch import Op, apply, apply2
from ...backends import array_module
from ...tensor.tensor import Tensor
from ..argument_checks import number_of, type_error
from ..argument_errors import check_call
from ..convert.copy_fill import castable_number, refuse_integer_gradients, writable_copy
from ..dims import dim_of, ndim_of
from ..number_ranges import checked_number
from ..registration import copyto, public
from ..shape.slices import index_at_dim
from .advanced import Index
from .gathering import (
    check_bounds,
    check_in_bounds,
    index_select,
)
from .index_errors import (
    check_fill_dtype,
    check_filled,
    check_other_sizes,
    check_vector,
    check_written,
    no_entries_error,
    other_sizes,
)

__all__ = ["index_add", "index_copy", "index_fill"]


def _dim_size(x: Tensor, dim: int) -> int:
    return x._data.shape[dim] if x._data.ndim else 1


class IndexAdd(Op):
    """Adds entries along a dimension at the indices of a vector.

    Math: y = x, y[index[i], :] += alpha · src[i, :]
          ∂L/∂x = g      ∂L/∂src[i, :] = alpha · g[index[i], :]
    """

    index_kernel = "index_add"
    constants = (1,)
    attributes = ("dim", "alpha")
    saves = (1, 2)  # the source for its version only
    saves_for = {1: 2, 2: 2}  # noqa: RUF012 (a table, not a state)
    complex32 = "single"
    float8_kernel = "index_add_"

    def __init__(self, dim: int, alpha: Any) -> None:
        self.dim, self.alpha = dim, alpha

    def check(self, x: Tensor, index: Tensor, src: Tensor) -> None:
        """Check that the index and the source match in size and dtype."""
        common_device(self, (x, index, src))  # first, as in PyTorch
        check_vector("index_add_", index)
        if src._data.dtype != x._data.dtype:
            raise RuntimeError(
                f"index_add_(): self ({x.dtype.short}) and source ({src.dtype.short}) "
                "must have the same scalar type"
            )
        if max(src.ndim, 1) <= self.dim:
            raise RuntimeError(
                f"index_add_(): Indexing dim {self.dim} is out of bounds of the source "
                f"tensor with dim {src.ndim}"
            )
        n, m = index._data.size, _dim_size(src, self.dim)
        if n != m and not src.ndim:
            raise IndexError("Dimension specified as 0 but tensor has no dimensions")
        if n != m:
            raise RuntimeError(
                f"index_add_(): Number of indices ({n}) should be equal to "
                f"source.size(dim): ({m}), for dim: {self.dim}"
            )
        check_other_sizes(x, src, self.dim)
        if x.ndim > 1 and not x._data.size:
            return  # nothing is added, and PyTorch looks at no index
        if x.ndim < 2 and self.alpha != 1:  # rows are scaled as by "mul"
            checked_number(self.alpha, x.dtype)
        if x.ndim > 1 and self.alpha == 1 and self.alpha is not True:
            check_bounds(index, _dim_size(x, self.dim), self.dim)
        else:
            check_in_bounds(index, _dim_size(x, self.dim))
        if x.ndim > 1 and self.alpha != 1 and n:  # rows are added by "add"
            checked_number(self.alpha, x.dtype)

    def forward(self, x: Any, index: Any, src: Any) -> Any:
        self.src_shape = src.shape
        y = writable_copy(x, order="C")
        if x.ndim > 1 and not x.size:
            return y
        if self.alpha != 1:
            src = src * np.asarray(self.alpha).astype(src.dtype)[()]
        if not x.ndim:
            return y + src.reshape(-1).sum().astype(x.dtype)
        array_module(y).add.at(
            y,
            index_at_dim(self.dim, index.reshape(-1)),
            src if src.ndim else src.reshape(1),
        )
        return y

    def backward(self, g: Any) -> Any:
        gsrc = None
        if self.needs[2]:
            gsrc = index_select(g, self.dim, self.inputs[1]).reshape(self.src_shape)
            gsrc = gsrc if self.alpha == 1 else gsrc * self.alpha
        return g, None, gsrc


@public("index_add", inplace="index_add_")
def index_add(
    input: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: Any = 1,
    out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """A copy with the entries of `source` added at the indices of a vector.

    Math: y = x, y[index[i], :] += alpha · source[i, :] for dim 0
          ∂L/∂x = g      ∂L/∂source[i, :] = alpha · g[index[i], :]
    Shape: (n, m), (k), (k, m) -> (n, m) for dim 0

    Raises:
        RuntimeError: for entries that do not exist, or shapes that do not fit.
        IndexError: for entries of a vector that do not exist.

    Example:
        >>> import edutorch as torch
        >>> torch.index_add(torch.zeros(3), 0, torch.tensor([0, 0]), torch.ones(2))
        tensor([2., 0., 0.])
    """
    if not isinstance(alpha, (int, float)):
        if isinstance(alpha, Tensor) and (alpha.ndim or alpha.requires_grad):
            raise type_error("Number", "alpha", alpha, "index_add")
        alpha = number_of(alpha, "alpha", "index_add")
        if isinstance(alpha, complex):
            alpha = castable_number(alpha, input)
    op = IndexAdd(dim_of(dim, ndim_of(input, "index_add"), "index_add"), alpha)
    result = apply(op, input, index, source)
    if out is None:
        return result
    return copyto(out, result, "index_add", (input,), disjoint=(index, source))


class IndexCopy(Op):
    """Overwrites entries along a dimension at the indices of a vector.

    Math: y = x, y[index[i], :] = src[i, :]
          ∂L/∂x = g, 0 where written      ∂L/∂src[i, :] = g[index[i], :]
    """

    index_kernel = "index_copy"
    constants = (1,)
    attributes = ("dim",)
    saves = (1, 2)  # the source for its version only
    saves_for = {2: 2}  # noqa: RUF012 (a table, not a state)
    complex32 = "single"

    def __init__(self, dim: int) -> None:
        self.dim = dim

    def check(self, x: Tensor, index: Tensor, src: Tensor) -> None:
        """Check the number, shape and dtype of the new entries."""
        common_device(self, (x, index, src))  # first, as in PyTorch
        if index.ndim > 1:
            raise IndexError(
                f"index_copy_(): Index should have dimension 1 or 0 (got {index.ndim})"
            )
        a, b, n = x._data, src._data, index._data.size
        if not b.ndim and n != 1:
            raise IndexError(
                "index_copy_(): When source is scalar, index should have one element "
                f"(got {n})"
            )
        if a.ndim and b.ndim and a.ndim != b.ndim:
            raise IndexError(
                "index_copy_(): When source and destination are not scalars, their "
                f"dimensionality must match. Source dimensionality ({b.ndim}), "
                f"destination dimensionality ({a.ndim})"
            )
        if index._data.dtype != np.int64:
            raise RuntimeError(
                "index_copy_(): Expected a long tensor for index, but got "
                f"{index.dtype.short}"
            )
        if a.dtype != b.dtype:
            raise RuntimeError(
                "index_copy_(): self and source expected to have the same dtype, but "
                f"got (self) {x.dtype.short} and (source) {src.dtype.short}"
            )
        if (to := other_sizes(x, self.dim)) != (of := other_sizes(src, self.dim)):
            raise RuntimeError(
                "index_copy_(): Source/destination tensor must have same slice shapes. "
                f"Destination slice shape: {' '.join(map(str, to))} at dimension "
                f"{self.dim} and source slice shape: {' '.join(map(str, of))} "
                "at dimension 0."
            )
        if b.ndim and b.shape[self.dim] != n:
            raise IndexError(
                f"index_copy_(): Number of indices ({n}) should be equal to "
                f"source.size(dim) ({b.shape[self.dim]})"
            )
        check_written(x, self.dim, index, 0, "index_copy_(): ")

    def forward(self, x: Any, index: Any, src: Any) -> Any:
        if not x.ndim:
            return writable_copy(src.reshape(-1)[-1] if index.size else x)
        y = writable_copy(x, order="C")
        if x.size:
            y[index_at_dim(self.dim, index.reshape(-1))] = src
        return y

    def backward(self, g: Any) -> Any:
        index = self.inputs[1]
        gx = apply2(IndexFill(self.dim, 0), g, index) if self.needs[0] else None
        return gx, None, index_select(g, self.dim, index) if self.needs[2] else None


@public("index_copy", inplace="index_copy_")
def index_copy(
    input: Tensor, dim: int, index: Tensor, source: Tensor, *, out: Tensor | None = None
) -> Tensor:
    """A copy with the entries of `source` written at the indices of a vector.

    Math: y = x, y[index[i], :] = source[i, :] for dim 0
          ∂L/∂x = g, 0 where written      ∂L/∂source[i, :] = g[index[i], :]
    Shape: (n, m), (k), (k, m) -> (n, m) for dim 0

    Raises:
        IndexError: for entries that do not exist, or other numbers of entries or
            dimensions.
        RuntimeError: for other sizes, or another dtype.

    Example:
        >>> import edutorch as torch
        >>> torch.index_copy(torch.zeros(3), 0, torch.tensor([2]), torch.ones(1))
        tensor([0., 0., 1.])
    """
    if _m.special_modes and index_copy in _m.modes.autocast:
        return _m.autocast(index_copy, input, dim, index, source, out=out)
    op = IndexCopy(dim_of(dim, ndim_of(input, "index_copy"), "index_copy"))
    result = apply(op, input, index, source)
    if out is None:
        return result
    return copyto(out, result, "index_copy", (input,), disjoint=(index, source))


class IndexFill(Op):
    """Fills entries along a dimension with a value at the indices of a vector.

    Math: y = x, y[index[i], :] = value      ∂L/∂x = g, 0 where written
          ∂L/∂value = Σ g where written
    """

    index_kernel = "index_copy"
    constants = (1,)
    attributes = ("dim", "value")
    saves = (1,)
    complex32 = "single"

    def __init__(self, dim: int, value: Any) -> None:
        self.dim, self.value = dim, value

    def name(self) -> str:
        """PyTorch's name of the node, which differs for numbers and tensors."""
        return f"IndexFillBackward{len(self.needs) - 2}"

    def check(self, x: Tensor, index: Tensor, *value: Any) -> None:
        """Check that the index is a vector within bounds."""
        check_filled(index)
        check_written(x, self.dim, index, -_dim_size(x, self.dim))

    def forward(self, x: Any, index: Any, *value: Any) -> Any:
        y = writable_copy(x)
        if not x.size or not index.size:
            return y
        if x.ndim and index.size > x.shape[self.dim]:  # some are repeated: write once
            index = _indexed_mask(index, x.shape[self.dim])
        place = index_at_dim(self.dim, index.reshape(-1)) if x.ndim else ...
        y[place] = value[0] if value else self.value
        return y

    def backward(self, g: Any) -> Any:
        index = self.inputs[1]
        gx = apply2(IndexFill(self.dim, 0), g, index) if self.needs[0] else None
        if len(self.needs) < 3:
            return gx, None
        if not self.needs[2]:
            return gx, None, None
        return gx, None, _indexed_entries(g, self.dim, index).sum()


def _indexed_mask(index: Any, n: int) -> Any:
    """A boolean mask of the indexed entries among `n`."""
    named = array_module(index).zeros(n, dtype=bool)
    named[index.reshape(-1)] = True
    return named


def _indexed_entries(g: Any, dim: int, index: Any) -> Any:
    """The indexed entries, without repetition."""
    values = index._data if isinstance(index, Tensor) else index
    if not g.ndim:
        return g if values.size else g * 0
    if values.size and not g.shape[dim]:
        raise no_entries_error()
    once = np.unique(values % g.shape[dim])
    return apply(Index((*(None,) * dim, 0)), g, once)


@public("index_fill")
def index_fill(input: Tensor, dim: int, index: Tensor, value: Any) -> Tensor:
    """A copy in which indexed entries along a dimension are overwritten by a value.

    Math: y = x, y[index[i], :] = value for dim 0      ∂L/∂x = g, 0 where written
    Shape: (n, m), (k) -> (n, m)

    Raises:
        IndexError: for entries that do not exist.
        RuntimeError: for a value with dimensions.

    Example:
        >>> import edutorch as torch
        >>> torch.index_fill(torch.zeros(3), 0, torch.tensor([0, 2]), 5.0)
        tensor([5., 0., 5.])
    """
    result = _filled(input, dim, index, value)
    refuse_integer_gradients(result, value)
    return result


@public(inplace="index_fill_")
def _filled(input: Tensor, dim: int, index: Tensor, value: Any) -> Tensor:
    ndim = ndim_of(input, "index_fill")
    check_call(isinstance(index, Tensor) and isinstance(dim, int))
    single = isinstance(value, Tensor)
    if single and value.ndim:
        raise RuntimeError(
            "index_fill_ only supports a 0-dimensional value tensor, but got tensor "
            f"with {value.ndim} dimension(s)."
        )
    check_fill_dtype(index)  # as in PyTorch, before the dimension and the number
    unreal = value.is_complex() if single else type(value) is complex
    if unreal and not input.is_complex():
        raise RuntimeError(
            "index_fill_(): Converting complex Scalar to non-complex type is not "
            "supported"
        )
    dim = dim_of(dim, ndim, "index_fill")
    if single:
        other = type(value) is Tensor and value.dtype is not input.dtype
        if other and not value.is_meta:
            castable_number(value.item(), input)
        if not value._requires_grad or input.is_floating_point() or input.is_complex():
            value = value.to(input.dtype)
        return apply(IndexFill(dim, None), input, index, value)
    check_filled(index)
    return apply2(IndexFill(dim, castable_number(value, input)), input, index)
