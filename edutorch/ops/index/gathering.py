"""Selection along one dimension: `gather`, `index_select`, `take`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import dtypes
from ...autograd.dispatch import Op, apply, apply2
from ...autograd.op_errors import broadcast_error
from ...backends import array_module
from ...backends.sparse import Coo
from ...errors import raise_if
from ...kernels.memory_format import row_major
from ...kernels.scatter import scatter_add_flat
from ...op_events import reported
from ...tensor.tensor import Tensor, wrap
from ..argument_checks import need_tensors, type_error
from ..argument_errors import argument_error
from ..dims import axis_for, dim_of, dim_unless_scalar, ndim_of
from ..out_devices import device_message
from ..pointwise.division import remainder
from ..registration import copyto, public
from .advanced import IndexBackward
from .index_errors import no_entries_error

__all__ = ["gather", "index_select", "take", "take_along_dim"]


def index_along(index: Any, dim: int) -> tuple[Any, ...]:
    """A NumPy index that replaces the position along `dim` element by element."""
    xp = array_module(index)
    n = index.ndim
    return tuple(
        index if d == dim else xp.arange(size).reshape(size, *(1,) * (n - d - 1))
        for d, size in enumerate(index.shape)
    )


def flat_indices(indices: tuple[Any, ...], shape: tuple[int, ...]) -> Any:
    """The positions of indexed elements in the flattened array of `shape`."""
    cells, step = 0, 1
    for index, n in zip(reversed(indices), reversed(shape), strict=True):
        cells = cells + index * step
        step *= n
    return cells


def check_bounds(
    index: Tensor, n: int, dim: int, kind: type[Exception] = RuntimeError
) -> None:
    """Raise for indices out of the bounds of a dimension.

    Raises:
        RuntimeError: (or another kind of exception) with the first such entry.
    """
    values = index._data
    if not values.size:
        return
    if values.min() < 0 or values.max() >= n:
        wrong = values[(values < 0) | (values >= n)].item(0)
        raise kind(f"index {wrong} is out of bounds for dimension {dim} with size {n}")


def check_in_bounds(index: Tensor, n: int) -> None:
    """Raise for indices out of bounds, without naming them.

    Raises:
        IndexError: if there is such an entry.
    """
    values = index._data
    if values.size and (int(values.min()) < 0 or int(values.max()) >= n):
        raise IndexError("index out of range in self")


def check_index(name: str, x: Tensor, index: Tensor, what: str) -> None:
    """Check the index tensor of `gather` and `scatter`.

    Raises:
        RuntimeError: for another type or number of dimensions.
    """
    check_integers(name, index)
    if index._data.size and max(index._data.ndim, 1) != max(x._data.ndim, 1):
        raise RuntimeError(
            f"Index tensor must have the same number of dimensions as {what} tensor"
        )


def check_integers(name: str, index: Tensor) -> None:
    """Check the dtype of an index tensor; an empty one may have any.

    Raises:
        RuntimeError: for another dtype than int32 and int64.
    """
    if index._data.size and index._data.dtype not in (np.int64, np.int32):
        raise RuntimeError(f"{name}(): Expected dtype int32/int64 for index")


def check_entries(x: Tensor, dim: int, index: Tensor) -> None:
    """Raise for indices out of the bounds of dimension `dim`.

    Raises:
        RuntimeError: with the first such entry.
    """
    if x._data.ndim:
        check_bounds(index, x._data.shape[dim], dim)
    else:
        check_bounds(index, 1, 0)


class Gather(Op):
    """Entries along a dimension, each chosen by an index tensor.

    Math: y[i, j] = x[index[i, j], j]      ∂L/∂x[index[i, j], j] += g[i, j]
    """

    forward_in_single = False
    constants = (1,)
    attributes = ("dim",)
    onnx = "GatherElements"
    saves = (0, 1)  # x for its version only
    float8_kernel = "gather_expanded_index"
    complex32_kernel = "scatter_gather_tensor_cpu"

    def __init__(self, dim: int, sparse: bool = False) -> None:
        self.dim, self.sparse = dim, sparse

    def check(self, x: Tensor, index: Tensor) -> None:
        """Check the shape and the bounds of the index."""
        check_index("gather", x, index, "input")
        for d, (n, m) in enumerate(zip(index._data.shape, x._data.shape, strict=False)):
            if d != self.dim and n > m and index._data.size:
                raise RuntimeError(
                    f"Size does not match at dimension {d} expected index "
                    f"{list(index._data.shape)} to be no larger than self "
                    f"{list(x._data.shape)} apart from dimension {self.dim}"
                )
        check_entries(x, self.dim, index)

    def forward(self, x: Any, index: Any) -> Any:
        self.old_shape = x.shape
        if not index.size:
            return array_module(x).empty(index.shape, x.dtype)
        if not x.ndim or not index.ndim:
            return x.reshape(-1)[index]
        y = x[index_along(index, self.dim)]
        return y if y.flags.c_contiguous else y.copy()

    def backward(self, g: Any) -> Any:
        op = GatherBackward(self.dim, self.old_shape, self.sparse)
        return apply2(op, g, self.inputs[1]), None


class GatherBackward(Op):
    """Sums values into the indexed positions: the gradient of `Gather`.

    A sparse one lists the values.

    Math: y[.., index_i, ..] = Σ x[.., i, ..]      ∂L/∂x[.., i, ..] = g[.., index_i, ..]
    """

    attributes = ("dim", "shape")
    saves = (1,)

    def __init__(self, dim: int, shape: tuple[int, ...], sparse: bool = False) -> None:
        self.dim, self.shape, self.sparse = dim, shape, sparse

    def forward(self, x: Any, index: Any) -> Any:
        if self.sparse:
            n = len(self.shape)
            places = np.indices(index.shape or (1,))[:n]
            places[self.dim : self.dim + 1] = index  # a 0-d tensor has none
            return Coo(places.reshape(n, index.size), x.reshape(-1), self.shape)
        size = int(np.prod(self.shape))
        if not self.shape or not index.ndim or not index.size:
            cells = index.astype(np.int64)
        else:
            cells = flat_indices(index_along(index, self.dim), self.shape)
        return scatter_add_flat(cells.reshape(-1), x.reshape(-1), size).reshape(
            self.shape
        )

    def backward(self, g: Any) -> Any:
        return apply2(Gather(self.dim), g, self.inputs[1]), None


@public("gather")
def gather(
    input: Tensor, dim: int, index: Tensor, *, sparse_grad: bool = False,
    out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Entries along a dimension, each chosen by an index tensor.

    Math: y[i, j] = x[index[i, j], j] for dim 0      ∂L/∂x[index[i, j], j] += g[i, j]
    Shape: (n, m), (k, l) -> (k, l), with l <= m for dim 0

    Args:
        sparse_grad: whether the gradient only lists the entries that were chosen.

    Raises:
        RuntimeError: for entries that do not exist, or an index that does not fit.

    Example:
        >>> import edutorch as torch
        >>> torch.gather(torch.tensor([[1, 2], [3, 4]]), 1, torch.tensor([[0], [1]]))
        tensor([[1],
                [4]])
    """
    if sparse_grad is not False and sparse_grad is not True:
        raise type_error("bool", "sparse_grad", sparse_grad, "gather")
    need_tensors("gather", input=input)
    along = dim_of(dim, ndim_of(input, "gather"), "gather")
    result = apply2(Gather(along, sparse_grad), input, index)
    if out is None:
        return result
    disjoint = (input,) if index._data.size or out is input else ()
    return copyto(out, result, "gather", (input, index), disjoint=disjoint)


@public("take_along_dim")
@reported
def take_along_dim(
    input: Tensor, indices: Tensor, dim: int | None = None, *,
    out: Tensor | None = None, axis: Any = None,
) -> Tensor:  # fmt: skip
    """Entries along a dimension at a broadcast index, such as that of `argsort`.

    Math: y[.., i, ..] = x[.., index_i, ..]      ∂L/∂x: g added there
    Shape: (n, m), (k, m) -> (k, m) for dim 0; without `dim` both are flattened

    Raises:
        RuntimeError: for entries that do not exist, or other numbers of dimensions.

    Example:
        >>> import edutorch as torch
        >>> torch.take_along_dim(torch.tensor([[3, 1]]), torch.tensor([[1, 0]]), 1)
        tensor([[1, 3]])
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis)
    need_tensors("take_along_dim", input=input, indices=indices)
    if isinstance(out, Tensor) and out.is_meta is not input.is_meta:
        raise RuntimeError(device_message("take_along_dim", meta=True))
    if dim is not None and input.ndim != indices.ndim:
        raise argument_error() or RuntimeError(
            "torch.take_along_dim(): input and indices should have the same number of "
            f"dimensions, but got {input.ndim} dimensions for input, and "
            f"{indices.ndim} dimensions for indices"
        )
    if dim is not None and indices._data.dtype != np.int64:
        raise argument_error() or RuntimeError(
            "torch.take_along_dim(): dtype of indices should be Long but got "
            f"{indices.dtype.short}"
        )
    if dim is None:
        return gather(input.view(-1), 0, indices.view(-1), out=out)
    dim = dim_unless_scalar(dim, ndim_of(input, "take_along_dim"), "take_along_dim")
    shapes = [[*s[:dim], 1, *s[dim + 1 :]] for s in (input.shape, indices.shape)]
    raise_if(broadcast_error([tuple(s) for s in shapes]))
    common = np.broadcast_shapes(*shapes)
    expanded = [
        t.expand(*common[:dim], t.shape[dim], *common[dim + 1 :])
        for t in (input, indices)
    ]
    return gather(expanded[0], dim, _from_front(expanded[1], input, dim), out=out)


def _from_front(indices: Tensor, input: Tensor, dim: int) -> Tensor:
    """Convert negative indices, and those beyond the end, to indices from the front."""
    n = input._data.shape[dim] if input._data.ndim else 1
    if not n:
        return remainder(indices, n)  # which raises for any index
    outside = (indices._data < 0) | (indices._data >= n)
    if not outside.any():  # PyTorch copies in any case
        return indices.clone() if input._requires_grad else indices
    return wrap(indices._data % n, indices._device)


class IndexSelect(Op):
    """Entries along a dimension, selected by a vector of indices.

    Math: y[i, :] = x[index[i], :]      ∂L/∂x[index[i], :] += g[i, :]
    """

    takes_float8 = True
    forward_in_single = False
    constants = (1,)
    attributes = ("dim",)
    onnx = "Gather"
    saves = (1,)

    def __init__(self, dim: int) -> None:
        self.dim = dim

    def check(self, x: Tensor, index: Tensor) -> None:
        """Check that the index is a vector within bounds."""
        if index._data.ndim > 1:
            raise IndexError("index_select(): Index is supposed to be a vector")
        if not x._data.ndim and index._data.size != 1:
            raise RuntimeError(
                "index_select(): Index to scalar can have only 1 value, got "
                f"{index._data.size} value(s)"
            )
        if index._data.dtype not in (np.int64, np.int32):
            raise RuntimeError(
                "index_select(): Expected dtype int32 or int64 for index"
            )
        n = x._data.shape[self.dim] if x._data.ndim else 1
        if not n and index._data.size and x._data.ndim > 1:
            raise no_entries_error()
        try:
            check_in_bounds(index, n)
        except IndexError:
            if x._data.ndim == 1 or (x._data.size and self.dim != 1):
                raise
            values = index._data  # other kernels: of dimension 1, or for nothing
            wrong = values[(values < 0) | (values >= n)].item(0)
            raise RuntimeError(
                f"INDICES element is out of DATA bounds, id={wrong} axis_dim={n}"
            ) from None

    def forward(self, x: Any, index: Any) -> Any:
        self.old_shape = x.shape
        if not x.ndim:
            return x.reshape(1)[index.reshape(-1)].reshape(())
        if isinstance(x, np.ndarray) and 0 in x.strides:  # all would be copied
            return row_major(x[(slice(None),) * self.dim + (index.reshape(-1),)])
        return np.take(x, index.reshape(-1), self.dim)

    def backward(self, g: Any) -> Any:
        if not self.old_shape:
            return g, None
        index = self.inputs[1].reshape(-1)
        slots = (*(None,) * self.dim, 0)
        return apply(IndexBackward(slots, self.old_shape), g, index), None


@public("index_select")
def index_select(
    input: Tensor, dim: int, index: Tensor, *, out: Tensor | None = None
) -> Tensor:
    """A copy of the entries along a dimension selected by a vector of indices.

    Math: y[i, :] = x[index[i], :] for dim 0      ∂L/∂x[index[i], :] += g[i, :]
    Shape: (n, m), (k) -> (k, m) for dim 0

    Raises:
        IndexError: for entries that do not exist.

    Example:
        >>> import edutorch as torch
        >>> torch.index_select(torch.tensor([[1, 2], [3, 4]]), 1, torch.tensor([1, 1]))
        tensor([[2, 2],
                [4, 4]])
    """
    result = apply2(
        IndexSelect(dim_of(dim, ndim_of(input, "index_select"), "index_select")),
        input,
        index,
    )
    if out is None:
        return result
    return copyto(out, result, "index_select", (input, index), disjoint=(input,))


class Take(Op):
    """Elements of the flattened tensor, selected by index.

    Math: y[i] = x.flat[index[i]]      ∂L/∂x.flat[index[i]] += g[i]
    """

    forward_in_single = False
    constants = (1,)
    saves = (0, 1)  # x for its version only

    def check(self, x: Tensor, index: Tensor) -> None:
        """Check that the index contains valid positions."""
        check_take("take", x, index)

    def forward(self, x: Any, index: Any) -> Any:
        self.old_shape = x.shape
        if not isinstance(x, np.ndarray) or x.flags.c_contiguous:
            return row_major(x.reshape(-1)[index])
        cells = np.unravel_index(index % x.size, x.shape)
        return row_major(x[cells])  # a flat copy may need more memory than there is

    def backward(self, g: Any) -> Any:
        size = int(np.prod(self.old_shape))
        flat = apply(IndexBackward((0,), (size,)), g, self.inputs[1])
        return flat.reshape(self.old_shape), None


def check_long(name: str, index: Tensor) -> None:
    """Raise unless an index is int64.

    Raises:
        RuntimeError: for another type.
    """
    if index._data.dtype != np.int64:
        short = dtypes.of_numpy[index._data.dtype].short
        raise RuntimeError(
            f"{name}(): Expected a long tensor for index, but got {short}"
        )


def check_take(name: str, x: Tensor, index: Tensor) -> None:
    """Check the index of `take` and `put_`.

    Raises:
        RuntimeError: for another type.
        IndexError: for elements that are not there.
    """
    check_long(name, index)
    n, values = x._data.size, index._data
    if not values.size:
        return
    if not n:
        raise IndexError(f"{name}(): tried to take from an empty tensor")
    if values.min() < -n or values.max() >= n:
        wrong = values[(values < -n) | (values >= n)].item(0)
        raise IndexError(
            f"out of range: tried to access index {wrong} on a tensor of {n} elements."
        )


@public("take")
def take(input: Tensor, index: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elements of the flattened tensor, selected by index.

    Math: y[i] = x.flat[index[i]]      ∂L/∂x.flat[index[i]] += g[i]
    Shape: (*), (k, l) -> (k, l)

    Raises:
        IndexError: for elements that are not there.

    Example:
        >>> import edutorch as torch
        >>> torch.take(torch.tensor([[1, 2], [3, 4]]), torch.tensor([0, 3]))
        tensor([1, 4])
    """
    need_tensors("take", input=input)
    result = apply2(Take(), input, index)
    if out is None:
        return result
    return copyto(out, result, "take", (input, index), disjoint=(input,))
