"""Conversion from sparse to dense and COO: `coalesce`, `values`, `sparse_mask`."""

from __future__ import annotations

from typing import Any

from ... import dtypes
from ...autograd.dispatch import Op, apply1
from ...backends.sparse import Blocks, Compressed, Coo, SparseArray, from_dense
from ...layouts import sparse_coo, strided
from ...tensor.tensor import Tensor
from ..argument_errors import argument_error
from ..registration import method
from .create import same_pattern_op, values_at
from .validation import BY_COLUMNS, BY_ROWS, refuse_backend, require_layout

__all__: list[str] = []


def pattern_of(x: Any) -> Any:
    """The distinct positions of a sparse array."""
    if isinstance(x, Blocks):
        return x
    return x.coo() if isinstance(x, Compressed) and x.values.ndim > 1 else x.unique()


class SparseMask(Op):
    """The elements of a tensor at the positions of a sparse one.

    Math: y[i] = x[i] where the mask has a value, else 0      ∂L/∂x = the same of g
    Shape: (*), (*) -> (*)
    """

    attributes = ("pattern",)
    saves = ()

    def __init__(self, pattern: Any) -> None:
        self.pattern = pattern

    def check(self, x: Tensor) -> None:
        if tuple(x.shape) != self.pattern.shape:
            raise RuntimeError(
                "sparse_mask(): operands have incompatible sizes; self has size "
                f"{list(x.shape)} but mask has size {list(self.pattern.shape)}"
            )

    def forward(self, x: Any) -> Any:
        self.dense = not isinstance(x, SparseArray)
        values = self.pattern.values_at(x) if self.dense else values_at(x, self.pattern)
        return self.pattern.like(values)

    def backward(self, g: Any) -> Any:
        masked = apply1(SparseMask(self.pattern), g)
        return apply1(ToDense(), masked) if self.dense else masked


class ToDense(Op):
    """Converts a sparse tensor to a dense one.

    Math: y[i] = Σ_(j: index_j = i) v_j      ∂L/∂v_j = g[index_j]
    Shape: (*) -> (*)
    """

    saves = ()
    complex32 = "single"

    def forward(self, x: Any) -> Any:
        if not isinstance(x, SparseArray):
            return x
        self.pattern = x
        return x.dense()

    def backward(self, g: Any) -> Any:
        return apply1(SparseMask(pattern_of(self.pattern)), g)


@method
def _tensor_to_dense(
    self: Tensor, dtype: dtypes.dtype | None = None, *, masked_grad: bool | None = None
) -> Tensor:
    """Convert to a dense tensor; a dense tensor is returned unchanged.

    Math: y[i] = Σ_(j: index_j = i) v_j      ∂L/∂v_j = g[index_j]
    Shape: (*) -> (*)

    Args:
        masked_grad: accepted; a sparse tensor's gradient has its positions only.

    Raises:
        RuntimeError: for `dtype` with a sparse tensor.

    Example:
        >>> import edutorch as torch
        >>> torch.sparse_coo_tensor([[0, 2]], [1.0, 3.0], (4,)).to_dense()
        tensor([1., 0., 3., 0.])
    """
    if dtype is not None and not isinstance(dtype, dtypes.dtype):
        raise argument_error() or TypeError(
            "to_dense(): argument 'dtype' (position 1) must be torch.dtype, not "
            f"{type(dtype).__name__}"
        )
    if self.layout is strided:
        return self if dtype is None else self.to(dtype)
    if dtype is not None:
        raise RuntimeError("dtype argument is not supported by sparse_to_dense")
    return apply1(ToDense(), self)


class ToSparse(Op):
    """Converts a tensor to the COO layout.

    Math: y = x, its zeros not stored      ∂L/∂x = g
    Shape: (*) -> (*)
    """

    attributes = ("sparse_dim",)
    overload = 1
    saves = ()
    complex32 = "single"
    float8_kernel = "nonzero_count_cpu"

    def __init__(self, sparse_dim: int) -> None:
        self.sparse_dim = sparse_dim

    def forward(self, x: Any) -> Any:
        self.given = x if isinstance(x, SparseArray) else None
        if isinstance(x, Compressed):
            return x.coo()
        return from_dense(x, self.sparse_dim)

    def backward(self, g: Any) -> Any:
        if self.given is not None:
            return apply1(SparseMask(self.given), g)
        return apply1(ToDense(), g)


class Coalesce(Op):
    """Coalesces: sorts positions, and adds values of equal positions.

    Math: y = x      ∂L/∂x = g
    """

    saves = ()

    def forward(self, x: Any) -> Any:
        return x.unique()

    def backward(self, g: Any) -> Any:
        return g


@method
def _tensor_coalesce(self: Tensor) -> Tensor:
    """A sparse tensor with sorted and unique positions.

    Values that were listed for the same position are added.

    Math: y = x      ∂L/∂x = g
    Shape: (*) -> (*)

    Raises:
        RuntimeError: for a tensor in another layout.

    Example:
        >>> import edutorch as torch
        >>> torch.sparse_coo_tensor([[1, 0, 1]], [1.0, 2.0, 3.0], (2,)).coalesce()
        tensor(indices=tensor([[0, 1]]),
               values=tensor([2., 4.]),
               size=(2,), nnz=2, layout=torch.sparse_coo)
    """
    if require_layout(self, "coalesce", sparse_coo).coalesced:
        return self
    return apply1(Coalesce(), self)


class Values(Op):
    """The stored values.

    Math: v_j = x[index_j]      ∂L/∂x[index_j] = g_j
    Shape: (*) -> (nnz, *)
    """

    saves = ()

    def forward(self, x: Any) -> Any:
        self.pattern = x
        return x.values

    def backward(self, g: Any) -> Any:
        return apply1(same_pattern_op(self.pattern), g)


@method
def _tensor_values(self: Tensor) -> Tensor:
    """The stored values of a sparse tensor.

    Math: v_j = x[index_j]      ∂L/∂x[index_j] = g_j
    Shape: (*) -> (nnz, *)

    Raises:
        RuntimeError: for dense tensors, and such as are not coalesced.

    Example:
        >>> import edutorch as torch
        >>> torch.eye(2).to_sparse().values()
        tensor([1., 1.])
    """
    data = require_layout(self, "values", sparse_coo, *BY_ROWS, *BY_COLUMNS)
    if isinstance(data, Coo) and not data.coalesced:
        raise RuntimeError(
            "Cannot get values on an uncoalesced tensor, please call .coalesce() first"
        )
    return apply1(Values(), self)


@method
def _tensor_sparse_mask(self: Tensor, mask: Tensor) -> Tensor:
    """The elements at the positions of a sparse tensor, in its layout.

    Math: y[i] = x[i] where the mask has a value, else 0      ∂L/∂x = the same of g
    Shape: (*), (*) -> (*)

    Raises:
        RuntimeError: for another shape than the mask's.

    Example:
        >>> import edutorch as torch
        >>> torch.ones(2, 2).sparse_mask(torch.eye(2).to_sparse()).to_dense()
        tensor([[1., 0.],
                [0., 1.]])
    """
    if not isinstance(mask, Tensor):
        raise argument_error() or TypeError(
            "sparse_mask(): argument 'mask' (position 1) must be Tensor, not "
            f"{type(mask).__name__}"
        )
    if mask.layout is strided:
        refuse_backend(mask, "sparse_mask")
    if mask is self:  # a position that the mask lists twice would count twice
        return self
    return apply1(SparseMask(mask._data), self)
