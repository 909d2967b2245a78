"""Distinct values, counts and bins."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.dispatch import Op, apply
from ...backends import array_module
from ...kernels.memory_format import row_major
from ...tensor.tensor import Tensor
from ..argument_checks import need_flags, refuse_kinds, tensor_of, type_error
from ..argument_errors import argument_error, invalid_combination
from ..dims import dim_unless_scalar, ndim_of
from ..int_arguments import int_of
from ..promotion import common_dtype, refuse_dtype, result_type
from ..registration import copyto, public

__all__ = [
    "bincount", "bucketize", "searchsorted", "unique", "unique_consecutive",
]  # fmt: skip


class Unique(Op):
    """Distinct elements (or slices along a dimension), sorted; no derivative."""

    attributes = ("dim",)
    meta_kernel = "_unique2"
    data_dependent = True
    multiple_outputs = True
    saves = ()
    plain_name, name_along = "_unique2", "unique_dim"
    float8_kernel = "unique"

    def __init__(self, dim: int | None) -> None:
        self.dim = dim

    def check(self, x: Any) -> None:
        refuse_kinds("unique" if self.dim is None else "unique_dim", "c", x)

    def kind(self) -> str:
        """PyTorch's name of the function, for all elements or along a dimension."""
        return self.plain_name if self.dim is None else self.name_along

    def name(self) -> str:
        """PyTorch's name of the node."""
        return "".join(w.capitalize() for w in self.kind().split("_")) + "Backward0"

    def backward(self, *_: Any) -> Any:
        raise NotImplementedError(
            f"the derivative for '{self.kind()}' is not implemented."
        )

    def forward(self, x: Any) -> Any:
        if self.dim is None:
            found, inverse, counts = np.unique(
                x, return_inverse=True, return_counts=True, equal_nan=False
            )
            return found, inverse.reshape(x.shape), counts
        found, inverse, counts = np.unique(
            x, return_inverse=True, return_counts=True, axis=self.dim, equal_nan=False
        )
        return found, inverse.reshape(-1), counts


def _dim_to_compare(name: str, x: Tensor, dim: Any) -> int | None:
    """The dimension along which slices are compared, of those that have elements."""
    if dim is None:
        return None
    ndim = ndim_of(x, name)
    try:
        along = dim_unless_scalar(dim, ndim, name)
    except IndexError:
        refuse_kinds("unique_dim", "c", x)
        raise
    if not (name == "unique_consecutive" and ndim == 1 and dim == 0):
        refuse_kinds("unique_dim", "c", x)
    empty = [d for d in range(ndim) if x._data.shape[d] == 0]
    if len(empty) > 1 and along in empty:
        raise RuntimeError(
            "Number of zero sized dimensions is more than one, so unique cannot be "
            "applied "
        )
    if empty and along not in empty:
        raise RuntimeError(
            "There are 0 sized dimensions, and they aren't selected, so unique cannot "
            "be applied"
        )
    return along


def _requested_outputs(found: Any, inverse: bool, counts: bool) -> Any:
    """The values, with indices and counts if requested."""
    values, positions, numbers = found
    result = [values]
    if inverse:
        result.append(positions)
    if counts:
        result.append(numbers)
    return tuple(result) if len(result) > 1 else values


def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """Distinct elements, or distinct slices along `dim`, sorted.

    Math: y = the different values of x, ascending      no ∂L/∂x
    Shape: (*) -> (m), or (.., m, ..)

    Args:
        sorted: whether they must come in order; here they always do.
        return_inverse: also, for each element of the input, its index in the result.
        return_counts: also how often each was found.

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.unique(torch.tensor([3, 1, 3]), return_counts=True)
        (tensor([1, 3]), tensor([1, 2]))
    """
    need_flags(
        "unique",
        sorted=sorted,
        return_inverse=return_inverse,
        return_counts=return_counts,
    )
    along = _dim_to_compare("unique", input, dim)
    return _requested_outputs(
        apply(Unique(along), tensor_of(input, "unique")),
        return_inverse,
        return_counts,
    )


@public("unique")
def _tensor_unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """`unique` with PyTorch's arguments for the method.

    Math: y = the different values of x, ascending
    Shape: (*) -> (m), or (.., m, ..)

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([2, 1, 2]).unique()
        tensor([1, 2])
    """
    return unique(input, sorted, return_inverse, return_counts, dim)


class UniqueConsecutive(Unique):
    """Elements or slices without consecutive duplicates; no derivative."""

    plain_name = name_along = "unique_consecutive"

    def check(self, x: Any) -> None:
        """Refuse complex numbers; those of a vector by the kernel for all elements."""
        along = self.dim is not None and x.ndim > 1
        refuse_kinds("unique_dim" if along else "unique", "c", x)

    def forward(self, x: Any) -> Any:
        dim = self.dim
        flat = x.reshape(-1) if dim is None else np.moveaxis(x, dim, 0)
        n = flat.shape[0]
        differs = flat[1:] != flat[:-1]
        differs = differs.any(tuple(range(1, differs.ndim)))
        first = array_module(x).ones(min(n, 1), bool)
        new = np.concatenate([first, differs])
        inverse = np.add.accumulate(new, dtype=np.int64) - 1
        counts = np.bincount(inverse, minlength=int(new.sum()))
        found = flat[new]
        if dim is None:
            return found, inverse.reshape(x.shape), counts
        return np.moveaxis(row_major(found), 0, dim), inverse, counts


@public("unique_consecutive")
def unique_consecutive(
    input: Tensor,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """Elements, or slices along `dim`, without consecutive duplicates.

    Math: y = x without what equals its predecessor      no ∂L/∂x
    Shape: (*) -> (m), or (.., m, ..)

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.unique_consecutive(torch.tensor([1, 1, 2, 1]))
        tensor([1, 2, 1])
    """
    name = "unique_consecutive"
    need_flags(name, return_inverse=return_inverse)
    if return_counts is not False and return_counts is not True:
        bool(return_counts)  # which selects the function, and fails for a tensor
        raise type_error("bool", "return_counts", return_counts, name)
    along = _dim_to_compare(name, input, dim)
    found = apply(UniqueConsecutive(along), tensor_of(input, "unique_consecutive"))
    return _requested_outputs(found, return_inverse, return_counts)


class Bincount(Op):
    """The number of occurrences of each integer, or its total weight."""

    attributes = ("minlength",)
    data_dependent = True
    differentiable = False
    forward_in_single = False

    def __init__(self, minlength: int) -> None:
        self.minlength = minlength

    def check(self, x: Any, weights: Any = None) -> None:
        if x._data.dtype.kind not in "iu":
            raise NotImplementedError(
                f"\"bincount_cpu\" not implemented for '{x.dtype.short}'"
            )
        if self.minlength < 0:
            raise RuntimeError("minlength should be >= 0")
        if x._data.ndim != 1 or (x._data.size and x._data.min() < 0):
            raise RuntimeError(
                "bincount only supports 1-d non-negative integral inputs."
            )
        some = weights is not None and x._data.size
        if some and weights._data.shape != x._data.shape:
            raise RuntimeError(
                "weights should be 1-d and have the same length as input"
            )

    def forward(self, x: Any, weights: Any = None) -> Any:
        if weights is None or not x.size:
            return np.bincount(x.astype(np.int64), None, self.minlength)
        wide = weights.astype(np.float64)
        y = np.bincount(x.astype(np.int64), wide, self.minlength)
        return y.astype(np.float32) if weights.dtype == np.float32 else y


@public("bincount")
def bincount(
    input: Tensor, weights: Tensor | None = None, minlength: int = 0
) -> Tensor:
    """The number of occurrences of each integer, or its total in `weights`.

    Math: y[k] = Σ_(i: x[i] = k) w[i]
    Shape: (n), (n) -> (max + 1), at least (minlength)

    Raises:
        RuntimeError: for negative numbers and other than one dimension.

    Example:
        >>> import edutorch as torch
        >>> torch.bincount(torch.tensor([1, 0, 1, 3]))
        tensor([1, 2, 0, 1])
    """
    op = Bincount(int_of(minlength, "minlength", "bincount"))
    if weights is None:
        return apply(op, tensor_of(input, "bincount"))
    return apply(
        op,
        tensor_of(input, "bincount"),
        tensor_of(weights, "bincount", "weights"),
    )


class Searchsorted(Op):
    """The indices at which to insert values into sorted rows.

    Math: y = the first i with sorted[i] >= v (right: > v)
    """

    attributes = ("right", "out_int32")
    differentiable = False

    def __init__(self, right: bool, out_int32: bool) -> None:
        self.right, self.out_int32 = right, out_int32

    def check(self, rows: Any, values: Any, sorter: Any = None) -> None:
        n = rows._data.shape
        m = values._data.shape if isinstance(values, Tensor) else ()
        if sorter is not None:
            _check_sorter(n, sorter)
        if not m and len(n) != 1:
            raise RuntimeError(
                "torch.searchsorted(): input value can be a scalar only when "
                "boundaries tensor dimension is 1, but we got boundaries tensor "
                f"dim({len(n)}) and input value's dim(0) numel(1)"
            )
        if not n:
            raise RuntimeError(
                "torch.searchsorted(): boundaries tensor should have positive "
                "dimension, but got 0 dimension"
            )
        if len(n) > 1 and (len(n) != len(m) or n[:-1] != m[:-1]):
            raise RuntimeError(
                "torch.searchsorted(): boundaries tensor should be 1 dimension or the "
                "first N-1 dimensions of boundaries tensor and input value tensor must "
                f"match, but we got boundaries tensor {list(n)} and input value tensor "
                f"{list(m)}"
            )

        if values._data.size if isinstance(values, Tensor) else rows.ndim:
            both = isinstance(values, Tensor) and values._data.dtype.kind == "b"
            refuse_kinds("searchsorted_out_cpu", "bc" if both else "c", rows)
            found = values._data.dtype.kind if isinstance(values, Tensor) else ""
            if isinstance(values, complex) or found == "c":
                refuse_dtype("searchsorted_out_cpu", result_type(rows, values))

    def forward(self, rows: Any, values: Any, sorter: Any = None) -> Any:
        if sorter is not None:
            rows = np.take_along_axis(rows, sorter, -1)
        if not hasattr(values, "dtype"):  # a number takes the dtype of the rows
            found = common_dtype(rows, values).numpy
            with np.errstate(all="ignore"):
                values = np.asarray(values).astype(found)
        values = array_module(rows).asarray(values)
        side: Any = "right" if self.right else "left"
        dtype = np.int32 if self.out_int32 else np.int64
        if rows.ndim == 1 and (rows[1:] >= rows[:-1]).all():
            return array_module(rows).searchsorted(rows, values, side).astype(dtype)
        if rows.ndim == 1:
            return bisect(rows, values.reshape(-1), self.right).reshape(
                values.shape).astype(dtype)  # fmt: skip
        return bisect(rows, values, self.right).astype(dtype)


def _check_sorter(shape: tuple[int, ...], sorter: Tensor) -> None:
    """Check that a sorter has this shape, and valid indices of its last dimension."""
    name, values = "torch.searchsorted()", sorter._data
    if values.shape != shape:
        raise RuntimeError(
            f"{name}: boundary and sorter must have the same size, but got boundary "
            f"tensor {list(shape)}and got sorter tensor {list(values.shape)}"
        )
    if values.dtype != np.int64:
        raise RuntimeError(
            f"{name}: sorter must be a tensor of long dtype but got dtype "
            f"{sorter.dtype.short}"
        )
    if values.size and (values.min() < 0 or values.max() >= shape[-1]):
        raise RuntimeError(f"{name}: sorter index out of range")


def bisect(rows: Any, values: Any, right: bool) -> Any:
    """Binary search for all values at once.

    Shape: (.., n), (.., m) -> (.., m)
    """
    n = rows.shape[-1]
    xp = array_module(rows)
    low, high = xp.zeros(values.shape, np.int64), xp.full(values.shape, n)
    while (undecided := low < high).any():
        middle = (low + high) // 2
        found = np.take_along_axis(rows, np.minimum(middle, n - 1), -1)
        further = ~(found > values if right else found >= values) & undecided
        low = np.where(further, middle + 1, low)
        high = np.where(undecided & ~further, middle, high)
    return low


def searchsorted(
    sorted_sequence: Tensor,
    input: Any,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Tensor | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The indices at which to insert values so that rows stay sorted.

    Math: y = the first i with sorted[i] >= v (`right`: > v)
    Shape: (.., n), (.., m) -> (.., m); one row (n) serves values of any shape

    Raises:
        RuntimeError: for `side` and `right` that contradict each other.

    Example:
        >>> import edutorch as torch
        >>> torch.searchsorted(torch.tensor([1, 3, 5]), torch.tensor([3, 6]))
        tensor([1, 3])
    """
    need_flags("searchsorted", out_int32=out_int32, right=right)
    if side == "left" and right:
        raise RuntimeError(
            "torch.searchsorted(): side and right can't be set to opposites, got side "
            "of left while right was True"
        )
    if side not in (None, "left", "right"):
        raise argument_error() or RuntimeError(
            "torch.searchsorted(): side can only be 'left' or 'right' but got " + side
        )
    if isinstance(input, (list, tuple, str, bytes, np.ndarray)):
        raise invalid_combination("searchsorted")
    op = Searchsorted(right or side == "right", out_int32)
    operands = (sorted_sequence, input) if sorter is None else (
        sorted_sequence, input, sorter
    )  # fmt: skip
    result = apply(op, *operands)
    if out is None:
        return result
    return copyto(out, result, "searchsorted", (sorted_sequence, input, sorter))


def bucketize(
    input: Any,
    boundaries: Tensor,
    *,
    out_int32: bool = False,
    right: bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """The index of the bucket that each value falls into.

    Math: y = the first i with boundaries[i] >= v (`right`: > v)
    Shape: (*), (n) -> (*)

    Raises:
        RuntimeError: for boundaries that are not a vector.

    Example:
        >>> import edutorch as torch
        >>> torch.bucketize(torch.tensor([3, 6]), torch.tensor([1, 3, 5]))
        tensor([1, 3])
    """
    need_flags("bucketize", out_int32=out_int32, right=right)
    if tensor_of(boundaries, "bucketize", "boundaries").ndim != 1:
        raise RuntimeError(
            f"boundaries tensor must be 1 dimension, but got dim({boundaries.ndim})"
        )
    if isinstance(input, (list, tuple, str, bytes, np.ndarray)):
        raise invalid_combination("bucketize")
    result = apply(Searchsorted(right, out_int32), boundaries, input)
    if out is None:
        return result
    return copyto(out, result, "bucketize", (input, boundaries))
