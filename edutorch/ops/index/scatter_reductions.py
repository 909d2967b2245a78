"""Scattered reductions: sums, products and extremes at given positions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.dispatch import Op, apply, apply2
from ...autograd.foreign_operands import accept_arrays
from ...autograd.modes import modes
from ...autograd.op_errors import broadcast_error
from ...backends import array_module, on_gpu
from ...errors import raise_if
from ...tensor.tensor import Tensor
from ..argument_checks import refuse_complex_gradients, refuse_kinds, type_error
from ..argument_errors import parser_errors
from ..create.like import full_like
from ..dims import dim_of, ndim_of
from ..pointwise.ternary import where
from ..registration import copyto, public
from ..shape.views import expand
from .gathering import check_bounds, check_in_bounds, flat_indices, gather, index_along
from .index_errors import check_other_sizes, check_vector, writes_entries
from .scattering import (
    ScatterValue,
    check_scatter,
    fit_source,
    scatter_add,
    source_part,
)

__all__ = ["index_reduce", "scatter_reduce"]

REDUCTIONS = ("sum", "prod", "mean", "amax", "amin")
OLD_NAMES = {"max": "amax", "min": "amin"}  # accepted, but without a gradient


def _constant_like(like: Any, value: int) -> Any:
    """A constant with the shape and dtype of a tensor or array."""
    if isinstance(like, Tensor):
        return full_like(like, value)
    return np.full_like(like, value)


def identity(reduce: str, dtype: Any) -> Any:
    """The identity of a reduction: 0 of sums, 1 of products, the lowest of maxima."""
    if reduce in ("sum", "mean"):
        return 0
    if reduce == "prod":
        return 1
    if dtype.kind == "b":
        return reduce == "amin"
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return info.min if reduce == "amax" else info.max
    return -np.inf if reduce == "amax" else np.inf


class ScatterReduce(Op):
    """Reduces values into the indexed entries along a dimension.

    Math: y[k, j] = reduce({x[k, j]} ∪ {src[i, j] : index[i, j] = k})
          sum: ∂L/∂src[i, j] = g[index[i, j], j]; mean: its part of it;
          prod: times the other factors; amax, amin: shared by those that equal it
    """

    attributes = ("dim", "reduce", "include_self")
    public = "scatter_reduce"
    saves_output = True
    constants = (1,)

    def __init__(self, dim: int, reduce: str, include_self: bool) -> None:
        self.dim, self.reduce, self.include_self = dim, reduce, include_self

    def check(self, x: Tensor, index: Tensor, src: Tensor) -> None:
        """Check that index and values fit, the reduction, and that it has a kernel."""
        wrong = self.refusal(x, index)
        lacking = isinstance(wrong, NotImplementedError)  # entries are emptied before
        early = None if lacking and not self.include_self else wrong
        check_scatter(self.dim, x, index, src, early)
        raise_if(wrong)

    def refusal(self, x: Tensor, index: Tensor) -> Exception | None:
        """The error for an unknown reduction, or one without a kernel."""
        reduce = OLD_NAMES.get(self.reduce, self.reduce)
        if reduce not in REDUCTIONS:
            return RuntimeError(
                "reduce argument must be either sum, prod, mean, amax or amin, got "
                f"{self.reduce}"
            )
        lacks = {"amax": "c", "amin": "c", "mean": "b"}.get(reduce, "")
        if not index._data.size or x._data.dtype.kind not in lacks:
            return None
        kernel, short = f"scatter_gather_tensor_cpu_reduce_{reduce}", x.dtype.short
        return NotImplementedError(f"\"{kernel}\" not implemented for '{short}'")

    def forward(self, x: Any, index: Any, src: Any) -> Any:
        y = array_module(x).array(x, order="C")
        if not index.size:
            return y
        flat = y.reshape(-1)
        cells = index.reshape(-1)
        if y.ndim and index.ndim:
            cells = flat_indices(index_along(index, self.dim), y.shape).reshape(-1)
        values = source_part(index, src).reshape(-1)
        reduce = OLD_NAMES.get(self.reduce, self.reduce)
        if not self.include_self:
            flat[cells] = identity(reduce, y.dtype)
        combine(flat, cells, values, reduce)
        if self.reduce == "mean":
            count = array_module(x).bincount(cells, minlength=flat.size)
            count = np.maximum(count + int(self.include_self), 1).astype(y.dtype)
            flat[...] = flat // count if y.dtype.kind in "iu" else flat / count
        return y

    def backward(self, g: Any) -> Any:
        x, index, src = self.inputs
        if self.reduce in OLD_NAMES:
            raise RuntimeError(
                "Expected 'reduce' to be one of 'sum', 'prod', 'mean', 'amax', 'amin' "
                f"but got {self.reduce}."
            )
        if self.reduce in ("prod", "amax", "amin"):  # PyTorch compares all sources
            raise_if(broadcast_error([tuple(src.shape), tuple(index.shape)]))
        gx, gsrc = getattr(self, f"{self.reduce}_gradient")(g, x, index, src)
        if not self.include_self and self.needs[0]:
            gx = apply2(ScatterValue(self.dim, 0), gx, index)
        return gx, None, fit_source(gsrc, tuple(src.shape)) if self.needs[2] else None

    def sum_gradient(self, g: Any, x: Any, index: Any, src: Any) -> Any:
        """The gradient of a sum: g for every term."""
        return g, self.gather_result(g, index, src)

    def mean_gradient(self, g: Any, x: Any, index: Any, src: Any) -> Any:
        """The gradient of a mean: g divided by the count, for every term."""
        own = _constant_like(x, int(self.include_self))
        count = scatter_add(own, self.dim, index, _constant_like(src, 1))
        part = g / where(count == 0, 1, count)
        return part, self.gather_result(part, index, src)

    def prod_gradient(self, g: Any, x: Any, index: Any, src: Any) -> Any:
        """The gradient of a product: g times the product of the other factors."""
        full = where(x == 0, 1, x)
        gx = g * self.reduce_values(full, index, src) / full
        zero = src == 0
        zeros = scatter_add(
            _constant_like(x, 0),
            self.dim,
            index,
            where(zero, _constant_like(src, 1), 0),
        )
        zeros = gather(zeros, self.dim, index)
        only = zero & (zeros == 1)
        without = self.reduce_values(x, index, where(only, 1, src))
        at_zero = self.gather_result(g * without, index, src)
        at_rest = self.gather_result(g * self.output, index, src) / where(zero, 1, src)
        return gx, where(zero & (zeros > 1), 0, where(only, at_zero, at_rest))

    def amax_gradient(self, g: Any, x: Any, index: Any, src: Any) -> Any:
        """The gradient of an extreme: g shared by the elements equal to it."""
        own = where(x == self.output, _constant_like(x, 1), 0)
        value = gather(self.output, self.dim, index)
        one = where(src == value, _constant_like(src, 1), 0)
        part = g / scatter_add(own, self.dim, index, one)
        return own * part, one * self.gather_result(part, index, src)

    amin_gradient = amax_gradient

    def reduce_values(self, x: Any, index: Any, src: Any) -> Any:
        """Apply the same reduction to other values."""
        return apply(self.fresh_copy(), x, index, src)

    def gather_result(self, y: Any, index: Any, src: Any) -> Any:
        """For each value, the result into which it was reduced."""
        return gather(y, self.dim, index)


def combine(flat: Any, cells: Any, values: Any, reduce: str) -> None:
    """Reduce values into the elements of a flat array in place."""
    ufuncs = {"prod": "multiply", "amax": "maximum", "amin": "minimum"}
    if on_gpu(flat) and flat.dtype == np.float64 and reduce in ("amax", "amin"):
        # CuPy's atomic maximum of doubles rounds them to single precision.
        raise NotImplementedError("maximum.at of doubles")
    getattr(array_module(flat), ufuncs.get(reduce, "add")).at(flat, cells, values)


@public("scatter_reduce", inplace="scatter_reduce_")
@parser_errors
def scatter_reduce(
    input: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, *,
    include_self: bool = True, out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """A copy with values reduced into the indexed entries.

    Math: y[k, j] = reduce({x[k, j]} ∪ {src[i, j] : index[i, j] = k}) for dim 0
          sum: ∂L/∂src[i, j] = g[index[i, j], j]; mean: its part of it;
          prod: times the other factors; amax, amin: shared by those that equal it
    Shape: (n, m), (k, l), (k, l) -> (n, m), with l <= m for dim 0

    Args:
        reduce: "sum", "prod", "mean", "amax" or "amin".
        include_self: whether the entry itself takes part.

    Raises:
        RuntimeError: for another `reduce`, or entries that are not there.

    Example:
        >>> import edutorch as torch
        >>> x, index = torch.ones(2), torch.tensor([0, 0, 1])
        >>> torch.scatter_reduce(x, 0, index, torch.tensor([2.0, 3.0, 4.0]), "prod")
        tensor([6., 4.])
    """
    if include_self is not False and include_self is not True:
        raise type_error("bool", "include_self", include_self, "scatter_reduce")
    op = ScatterReduce(
        dim_of(dim, ndim_of(input, "scatter_reduce"), "scatter_reduce"),
        reduce,
        include_self,
    )
    if not isinstance(src, Tensor) and not modes.takes_arrays:
        raise type_error("Tensor", "src", src, "scatter_reduce")
    result = apply(op, input, index, src)
    refuse_complex_gradients("scatter_reduce", result)
    if out is None:
        return result
    return copyto(out, result, "scatter_reduce", (input,), disjoint=(index, src))


# Kernels that combine slices, and the kinds of numbers that they lack.
SLICE_KERNELS = {
    "amax": ("maximum_cpu", "c"),
    "amin": ("minimum_cpu", "c"),
    "mean": ("div_floor_cpu", "b"),
}


class IndexReduce(Op):
    """Reduces entries into those selected by a vector along a dimension.

    Math: y[k, :] = reduce({x[k, :]} ∪ {source[i, :] : index[i] = k})
          ∂L/∂x, ∂L/∂source: as those of `scatter_reduce`
    """

    attributes = ("dim", "reduce", "include_self")
    public = "index_reduce"
    constants = (1,)
    saves_output = True  # for its version
    forward_in_single = False  # entries are added one by one in 16 bits

    def __init__(self, dim: int, reduce: str, include_self: bool) -> None:
        self.dim, self.reduce, self.include_self = dim, reduce, include_self

    def check(self, x: Tensor, index: Tensor, src: Tensor) -> None:
        """Check that the index and the source match in size and dtype."""
        check_vector("index_reduce_", index)
        if src._data.dtype != x._data.dtype:
            raise RuntimeError(
                f"index_reduce_(): self ({x.dtype.short}) and source "
                f"({src.dtype.short}) must have the same scalar type"
            )
        if max(src.ndim, 1) <= self.dim:
            raise RuntimeError(
                f"index_reduce_(): Indexing dim {self.dim} is out of bounds of the "
                f"source tensor with dim {src.ndim}"
            )
        n = src._data.shape[self.dim] if src._data.ndim else 1
        if index._data.size != n and not src._data.ndim:
            raise IndexError("Dimension specified as 0 but tensor has no dimensions")
        if index._data.size != n:
            raise RuntimeError(
                f"index_reduce_(): Number of indices ({index._data.size}) should be "
                f"equal to source.size(dim): ({n}), for dim: {self.dim}"
            )
        check_other_sizes(x, src, self.dim)
        n = x._data.shape[self.dim] if x._data.ndim else 1
        if not self.include_self:
            refuse_kinds("index_reduce_func_exclude_input_init", "bc", x)
        elif x.ndim < 2:
            refuse_kinds("index_func_", "bc", x)
        if self.include_self or not writes_entries(x, self.dim, index):
            self._check_entries(x, index, n)
        if self.include_self and x.ndim > 1 and index._data.size:
            # By functions of slices, which know more dtypes.
            refuse_kinds(*SLICE_KERNELS.get(self.reduce, ("", "")), x)
        check_bounds(index, n, self.dim, IndexError)  # by the kernel that fills first

    def _check_entries(self, x: Tensor, index: Tensor, n: int) -> None:
        """Check that there are entries, then the bounds of the index."""
        if x.ndim > 1 and not n and index._data.size:
            raise IndexError(
                f"select(): index 0 out of range for tensor of size {list(x.shape)} at "
                f"dimension {self.dim}"
            )
        check_in_bounds(index, n)

    def forward(self, x: Any, index: Any, src: Any) -> Any:
        self.shape = src.shape
        with accept_arrays():
            everywhere = self.expand_index(index, src.shape)
        return self.as_scatter_reduce().forward(x, everywhere, src)

    def as_scatter_reduce(self) -> ScatterReduce:
        """The same op with an index for each element."""
        return ScatterReduce(self.dim, self.reduce, self.include_self)

    def expand_index(self, index: Any, shape: tuple[int, ...]) -> Any:
        """The index of each element of the source."""
        if not shape:
            return index.reshape(())
        line = [-1 if d == self.dim else 1 for d in range(len(shape))]
        return expand(index.reshape(line), shape)

    def backward(self, g: Any) -> Any:
        x, index, src = self.inputs
        op = self.as_scatter_reduce()
        op.inputs = x, self.expand_index(index, self.shape), src
        op.needs = self.needs
        op.output = apply(self.fresh_copy(), x, index, src)
        return op.backward(g)


@public("index_reduce", inplace="index_reduce_")
@parser_errors
def index_reduce(
    input: Tensor, dim: int, index: Tensor, source: Tensor, reduce: str, *,
    include_self: bool = True, out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """A copy with the entries of `source` reduced into those selected by a vector.

    Math: y[k, :] = reduce({x[k, :]} ∪ {source[i, :] : index[i] = k}) for dim 0
          ∂L/∂x, ∂L/∂source: as those of `scatter_reduce`
    Shape: (n, m), (k), (k, m) -> (n, m) for dim 0

    Args:
        reduce: "prod", "mean", "amax" or "amin".
        include_self: whether the entry itself takes part.

    Raises:
        RuntimeError: for another `reduce`, or shapes that do not fit.

    Example:
        >>> import edutorch as torch
        >>> index, values = torch.tensor([0, 0]), torch.tensor([2.0, 5.0])
        >>> torch.index_reduce(torch.ones(2), 0, index, values, "amax")
        tensor([5., 1.])
    """
    if include_self is not False and include_self is not True:
        raise type_error("bool", "include_self", include_self, "index_reduce")
    if reduce not in REDUCTIONS[1:]:
        raise RuntimeError(
            "index_reduce(): Expected reduce to be one of prod, mean, amax or amin but "
            f"got {reduce}."
        )
    op = IndexReduce(
        dim_of(dim, ndim_of(input, "index_reduce"), "index_reduce"),
        reduce,
        include_self,
    )
    result = apply(op, input, index, source)
    refuse_complex_gradients("index_reduce", result)
    if out is None:
        return result
    return copyto(out, result, "index_reduce", (input,), disjoint=(index, source))
