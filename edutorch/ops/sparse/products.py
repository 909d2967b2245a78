"""Products of sparse and dense matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd import modes as _m
from ...autograd.dispatch import Op, apply, apply1, apply2
from ...backends.sparse import Coo, SparseArray
from ...layouts import sparse_csr, strided
from ...tensor.tensor import Tensor
from ..argument_checks import need_tensors
from ..matmul.array_products import ctranspose
from ..matmul.checks import shape_mismatch
from ..matmul.matrix_products import mm as dense_mm
from ..matmul.matrix_products import times
from ..registration import public
from .mm_reduce import reduced_mm
from .to_dense import SparseMask, pattern_of
from .validation import refuse_backend

__all__ = ["dsmm", "hsmm", "hspmm", "saddmm", "smm", "sspaddmm"]


def need_sparse_matrix(function: str, x: Tensor) -> None:
    """Raise for hybrid tensors, whose values are arrays."""
    n = getattr(x._data, "sparse_dim", 2)
    if n != 2 and isinstance(x._data, SparseArray):
        raise RuntimeError(f"{function}: matrices expected, got {n}D tensor")


class SampledMm(Op):
    """A product of dense matrices at the positions of a sparse matrix.

    Math: y[i, j] = Σₖ a[i, k] b[k, j] where the pattern has a value
          ∂L/∂a = g bᵀ      ∂L/∂b = aᵀ g
    Shape: (n, k), (k, m) -> (n, m)
    """

    attributes = ("pattern",)

    def __init__(self, pattern: Any) -> None:
        self.pattern = pattern

    def forward(self, a: Any, b: Any) -> Any:
        rows, columns = self.pattern.coordinates()
        values = np.einsum("...m,...m->...", a[rows], b.T[columns])
        return self.pattern.like(values)

    def backward(self, g: Any) -> Any:
        a, b = self.inputs
        return (
            times(g, ctranspose(b)) if self.needs[0] else None,
            times(ctranspose(a), g) if self.needs[1] else None,
        )


class SparseAddmm(Op):
    """A dense matrix plus the product of a sparse and a dense one.

    Math: y = β x + α a b      ∂L/∂x = β g
          ∂L/∂a = α g bᵀ at the positions of a      ∂L/∂b = α aᵀ g
    Shape: (n, m), (n, k), (k, m) -> (n, m)
    """

    attributes = ("beta", "alpha")
    saves = (1, 2)
    saves_for = {2: 1}  # noqa: RUF012 (a table, not a state)

    def __init__(self, beta: complex = 1, alpha: complex = 1) -> None:
        self.beta, self.alpha = beta, alpha

    def check(self, x: Any, a: Any, b: Any) -> None:
        if a.ndim != 2 or b.ndim != 2:
            which = "self" if a.ndim != 2 else "mat2"
            raise RuntimeError(f"{which} must be a matrix")
        need_sparse_matrix("addmm", a)
        if a.shape[1] != b.shape[0]:
            raise RuntimeError(
                f"addmm: Argument #3 (dense): Expected dim 0 size {a.shape[1]}, got "
                f"{b.shape[0]}"
            )
        for other in (b, x):
            if other is not None and a.dtype is not other.dtype:
                raise RuntimeError(
                    f"expected scalar type {a.dtype.short} but found "
                    f"{other.dtype.short}"
                )

    def forward(self, x: Any, a: Any, b: Any) -> Any:
        y = a @ b
        y = y if self.alpha == 1 else y * self.alpha
        if x is None:
            return y
        return y + (x if self.beta == 1 else x * self.beta)

    def backward(self, g: Any) -> Any:
        _, a, b = self.inputs
        scaled = g if self.alpha == 1 else g * self.alpha
        gx = g if self.beta == 1 else g * self.beta
        pattern = pattern_of(getattr(a, "_data", a))
        ga = (
            apply2(SampledMm(pattern), scaled, ctranspose(b)) if self.needs[1] else None
        )
        gb = times(ctranspose(a), scaled) if self.needs[2] else None
        return gx if self.needs[0] else None, ga, gb


class SparseSparseMatmul(Op):
    """The product of two sparse matrices.

    Math: y = a b      ∂L/∂a = g bᵀ and ∂L/∂b = aᵀ g, where a and b have values
    Shape: (n, k), (k, m) -> (n, m)
    """

    def check(self, a: Any, b: Any) -> None:
        if a.shape[1] != b.shape[0]:
            raise RuntimeError(shape_mismatch(a.shape, b.shape))

    def forward(self, a: Any, b: Any) -> Any:
        self.patterns = pattern_of(a), pattern_of(b)
        return a @ b

    def backward(self, g: Any) -> Any:
        a, b = self.inputs
        ga = gb = None
        if self.needs[0]:
            ga = apply1(SparseMask(self.patterns[0]), times(g, ctranspose(b)))
        if self.needs[1]:
            gb = apply1(SparseMask(self.patterns[1]), times(ctranspose(a), g))
        return ga, gb


def mm(sparse: Tensor, dense: Tensor, reduce: str | None = None) -> Tensor:
    """The product of two matrices, at least one of which is sparse.

    Math: y = a b      ∂L/∂a = g bᵀ at the positions of a      ∂L/∂b = aᵀ g
    Shape: (n, k), (k, m) -> (n, m)

    Args:
        reduce: "sum" (as in a product), "mean", "amax" or "amin" of the products of a
            row's values; for matrices in compressed row format.

    Raises:
        RuntimeError: for sizes or dtypes that do not fit.

    Example:
        >>> import edutorch as torch
        >>> a = torch.sparse_coo_tensor([[0, 1], [1, 0]], [2.0, 3.0], (2, 2))
        >>> torch.sparse.mm(a, torch.tensor([[1.0], [10.0]]))
        tensor([[20.],
                [ 3.]])
    """
    if _m.special_modes and mm in _m.modes.autocast:
        return _m.autocast(mm, sparse, dense, reduce)
    need_tensors("_sparse_mm", sparse=sparse, dense=dense)
    if reduce is not None:
        return reduced_mm(sparse, dense, reduce)
    if sparse.layout is strided:
        return dense_mm(sparse, dense)
    if dense.layout is not strided:
        return apply2(SparseSparseMatmul(), sparse, dense)
    return apply(SparseAddmm(), None, sparse, dense)


def addmm(
    mat: Tensor, mat1: Tensor, mat2: Tensor, *, beta: complex = 1.0,
    alpha: complex = 1.0,
) -> Tensor:  # fmt: skip
    """A dense matrix plus the product of a sparse and a dense one.

    Math: y = β x + α a b      ∂L/∂x = β g
          ∂L/∂a = α g bᵀ at the positions of a      ∂L/∂b = α aᵀ g
    Shape: (n, m), (n, k), (k, m) -> (n, m)

    Raises:
        RuntimeError: for sizes or dtypes that do not fit.

    Example:
        >>> import edutorch as torch
        >>> a = torch.eye(2).to_sparse()
        >>> torch.sparse.addmm(torch.ones(2, 1), a, torch.tensor([[1.0], [2.0]]))
        tensor([[2.],
                [3.]])
    """
    need_tensors("_sparse_addmm", input=mat, mat1=mat1, mat2=mat2)
    return apply(SparseAddmm(beta, alpha), mat, mat1, mat2)


def sampled_addmm(
    input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: complex = 1.0,
    alpha: complex = 1.0, out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """A sparse matrix plus a product of dense ones, at its own positions only.

    Math: y = β x + α (a b) at the positions of x      ∂L/∂x = β g
          ∂L/∂a = α g bᵀ      ∂L/∂b = α aᵀ g
    Shape: (n, m), (n, k), (k, m) -> (n, m)

    Raises:
        RuntimeError: for sizes or dtypes that do not fit.

    Example:
        >>> import edutorch as torch
        >>> x = torch.eye(2).to_sparse_csr()
        >>> torch.sparse.sampled_addmm(x, torch.ones(2, 3), torch.ones(3, 2)).values()
        tensor([4., 4.])
    """
    need_tensors("sparse_sampled_addmm", input=input, mat1=mat1, mat2=mat2)
    if input.layout is strided:
        raise RuntimeError("Expected self to have sparse csr layout, but got Strided")
    if input.layout is not sparse_csr:
        refuse_backend(input, "sparse_sampled_addmm")
    if mat1.dtype is not mat2.dtype or mat1.dtype is not input.dtype:
        raise RuntimeError(
            f"sampled_addmm: Expected mat1 and mat2 to have the same dtype, but got "
            f"{mat1.dtype.short} and {mat2.dtype.short}"
        )
    n, m = input.shape
    if mat1.shape[1:] != mat2.shape[:1] or (mat1.shape[0], mat2.shape[1]) != (n, m):
        raise RuntimeError(
            f"sampled_addmm: mat1 and mat2 shapes cannot be multiplied ("
            f"{mat1.shape[0]}x{mat1.shape[1]} and {mat2.shape[0]}x{mat2.shape[1]})"
        )
    product = apply2(SampledMm(input._data), mat1, mat2)
    product = product if alpha == 1 else product * alpha
    return _write_out(out, (input if beta == 1 else input * beta) + product)


def _write_out(out: Tensor | None, result: Tensor) -> Tensor:
    """Write a sparse result to the tensor given as `out=`, whatever its content."""
    if out is None:
        return result
    out._data = result._data
    return out


class Sspaddmm(Op):
    """A sparse matrix plus the product of a sparse and a dense one, as a sparse matrix.

    Math: y = β x + α a b, no derivative
    """

    attributes = ("beta", "alpha")
    saves = ()

    def __init__(self, beta: complex, alpha: complex) -> None:
        self.beta, self.alpha = beta, alpha

    def forward(self, x: Any, a: Any, b: Any) -> Any:
        rows = np.unique(a.coordinates()[0])
        product = (a @ b)[rows] * self.alpha  # (filled rows, m)
        n, m = product.shape
        indices = np.stack([np.repeat(rows, m), np.tile(np.arange(m), n)])
        shape = (a.shape[0], b.shape[1])
        made = Coo(indices, product.reshape(-1), shape, True)
        if x is None:
            return made
        both = np.concatenate([x.indices, indices], axis=1)
        return Coo(both, np.concatenate([x.values * self.beta, made.values]), shape)


@public("sspaddmm")
def sspaddmm(
    input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: complex = 1,
    alpha: complex = 1, out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """A sparse matrix plus a product, kept sparse; no derivative.

    Math: y = β x + α a b
    Shape: (n, m), (n, k), (k, m) -> (n, m)

    Raises:
        RuntimeError: for sizes that do not fit.

    Example:
        >>> import edutorch as torch
        >>> x = torch.eye(2).to_sparse()
        >>> torch.sspaddmm(x, x, torch.ones(2, 2)).to_dense()
        tensor([[2., 1.],
                [1., 2.]])
    """
    need_tensors("sspaddmm", input=input, mat1=mat1, mat2=mat2)
    need_sparse_matrix("sspaddmm: Argument #2", mat1)
    n, m = mat1.shape[0], mat2.shape[1]
    for dim, size in enumerate((n, m)):
        if input.shape[dim] != size:
            raise RuntimeError(
                f"sspaddmm: Argument #1: Expected dim {dim} size {size}, got "
                f"{input.shape[dim]}"
            )
    return _write_out(out, apply(Sspaddmm(beta, alpha), input, mat1, mat2))


@public("smm")
def smm(input: Tensor, mat2: Tensor) -> Tensor:
    """The product of a sparse and a dense matrix, as a sparse one; no derivative.

    Math: y = a b
    Shape: (n, k), (k, m) -> (n, m)

    Raises:
        RuntimeError: for a dense `input`.

    Example:
        >>> import edutorch as torch
        >>> torch.smm(torch.eye(2).to_sparse(), torch.ones(2, 1)).to_dense()
        tensor([[1.],
                [1.]])
    """
    need_tensors("smm", input=input, mat2=mat2)
    if not isinstance(input._data, SparseArray):
        raise RuntimeError("tensor.sspaddmm(...) can only be called on sparse tensors")
    need_sparse_matrix("sspaddmm: Argument #2", input)
    return apply(Sspaddmm(1, 1), None, input, mat2)


class Hspmm(Op):
    """The product of a sparse and a dense matrix, with only nonempty rows stored.

    Math: y = a b, no derivative
    """

    saves = ()

    def forward(self, a: Any, b: Any) -> Any:
        rows = np.unique(a.coordinates()[0])
        y = a @ b
        return Coo(rows[None], y[rows], y.shape)


def hspmm(mat1: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The product of a sparse and a dense matrix, as a hybrid tensor with sparse rows.

    Math: y = a b, no derivative
    Shape: (n, k), (k, m) -> (n, m)

    Raises:
        NotImplementedError: for a dense `mat1`.

    Example:
        >>> import edutorch as torch
        >>> a = torch.sparse_coo_tensor([[1], [0]], [2.0], (3, 2))
        >>> torch.hspmm(a, torch.ones(2, 2))._indices()
        tensor([[1]])
    """
    need_tensors("hspmm", mat1=mat1, mat2=mat2)
    if not isinstance(mat1._data, Coo):
        refuse_backend(mat1, "hspmm")
    need_sparse_matrix("hspmm: Argument #2", mat1)
    return _write_out(out, apply2(Hspmm(), mat1, mat2))


# PyTorch's older names.
dsmm = dense_mm
hsmm = hspmm
saddmm = sspaddmm
