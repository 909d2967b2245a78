"""Matrix products: matmul and mm; `batched_products.py` has bmm."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from numpy import ndarray

from ...autograd import modes as _m
from ...autograd.dispatch import Op, apply2
from ...autograd.op_errors import broadcast_error
from ...backends.meta import MetaArray
from ...errors import raise_if
from ...kernels.products import LARGE, product
from ...layouts import strided
from ...tensor.tensor import Tensor
from ..argument_checks import (
    refuse_numbers,
    tensor_of,
    type_error,
)
from ..dims import ndim_of
from ..pointwise.conjugate import conj
from ..reduce.sums import sum
from ..registration import copyto, public
from ..shape.transposing import Permute, T, Transpose, permute, transpose
from ..shape.views import reshape
from .array_products import bmm_arrays, ctranspose, matmul_arrays
from .batched_products import batch_times
from .checks import folds, refuse_dtypes, shape_mismatch
from .vector_products import Dot, Mv, dot

__all__ = ["inner", "matmul", "mm", "spmm"]

BLAS = frozenset(map(np.dtype, "fd"))  # faster than looking up a dtype's letter


def times(a: Any, b: Any) -> Any:
    """The product of two matrices, for formulas."""
    dense = type(a) is ndarray and type(b) is ndarray
    return matmul_arrays(a, b) if dense else apply2(Mm(), a, b)


def times_transposed(a: Any, b: Any) -> Any:
    """The product a bᵀ of two matrices, for formulas."""
    if type(b) is ndarray and b.dtype in BLAS:
        large = b.size >= LARGE and type(a) is ndarray
        return product(a, b.T) if large else a.dot(b.T)
    return times(a, ctranspose(b))


def transposed_times(a: Any, b: Any) -> Any:
    """aᵀ b of two matrices, for formulas."""
    if type(b) is ndarray and b.dtype in BLAS:
        large = b.size >= LARGE and type(a) is ndarray
        return product(a.T, b) if large else a.T.dot(b)
    return times(ctranspose(a), b)


def times_conjugate(a: Any, b: Any) -> Any:
    """The product a conj(b) of rows and a matrix, for formulas."""
    if type(a) is type(b) is ndarray and a.ndim == 2 and b.dtype in BLAS:
        return product(a, b) if b.size >= LARGE else a.dot(b)
    return times(a, conj(b)) if a.ndim == 2 else matmul(a, conj(b))


def transposed_times_conjugate(a: Any, b: Any) -> Any:
    """aᵀ conj(b) of two matrices, for formulas."""
    if type(b) is ndarray and b.dtype in BLAS:
        if 1 == len(a) < min(a.shape[1], b.shape[1]):
            return a.T * b  # no sum: -0 stays
        large = b.size >= LARGE and type(a) is ndarray
        return product(a.T, b) if large else a.T.dot(b)
    return times(transpose(a, 0, 1), conj(b))


class Mm(Op):
    """Product of two matrices.

    Math: y = a b      ∂L/∂a = g bᵀ      ∂L/∂b = aᵀ g
    Shape: (n, k), (k, m) -> (n, m)
    """

    __slots__ = ()

    public = "matmul"
    onnx = "MatMul"
    packs = (1, 0)
    saves_for = {0: 1, 1: 0}  # noqa: RUF012 (a table, not a state)
    promote = staticmethod(refuse_dtypes)
    float8_kernel = "dot"
    complex32_kernel = "addmm_impl_cpu_"

    def forward(self, a: Any, b: Any) -> Any:
        try:
            # For small matrices `dot` takes half the time of `@`.
            small = a.dtype in BLAS and len(b) != 1 and b.size < LARGE
            return a.dot(b) if small else matmul_arrays(a, b)
        except ValueError:
            raise RuntimeError(_mm_mismatch(a, b)) from None
        except TypeError:  # `dot` does not support sparse matrices, `@` defers to them
            return a @ b

    def backward(self, g: Any) -> Any:
        a, b = self.inputs
        ga = gb = None
        if self.needs[0]:
            ga = gradient_of_first(g, b, self.edges[0])
        if self.needs[1]:
            gb = gradient_of_second(g, a, self.edges[1])
        return ga, gb


# Note [Order of gradients]
# The gradient of a column-major factor is column-major, as in PyTorch: it is computed
# transposed. So that of `w` in `x @ w.T` is row-major. Products do not save a factor
# for its own gradient; where it comes from tells its order.
def _is_column_major(source: Any) -> bool:
    """Whether a factor with a node, or a leaf, lies in memory column by column."""
    if isinstance(source, Tensor):
        return bool(source._data.flags.fnc)
    if isinstance(source, Permute):
        return source.dims == (1, 0)
    return isinstance(source, (T, Transpose))


def _is_dense(x: Any) -> bool:
    return getattr(x, "layout", strided) is strided  # arrays have none


def gradient_of_first(g: Any, b: Any, source: Any) -> Any:
    """∂L/∂a of the product a b of two matrices; `source` is the node or leaf of a."""
    if _is_column_major(source) and _is_dense(b) and _is_dense(g):
        return ctranspose(times_transposed(b, g))
    return times_transposed(g, b)


def gradient_of_second(g: Any, a: Any, source: Any) -> Any:
    """∂L/∂b of the product a b of two matrices; `source` is the node or leaf of b."""
    if _is_column_major(source) and _is_dense(a) and _is_dense(g):
        return ctranspose(transposed_times(g, a))
    return transposed_times(a, g)


def _mm_mismatch(a: Any, b: Any) -> str:
    """PyTorch's message for matrices that do not fit, which differs without values."""
    if isinstance(a, MetaArray) or isinstance(b, MetaArray):
        return (
            "a and b must have same reduction dim, but got "
            f"{list(a.shape)} X {list(b.shape)}."
        )
    return shape_mismatch(a.shape, b.shape)


@public("mm")
def mm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Product of two matrices, without broadcasting.

    Math: y = a b      ∂L/∂a = g bᵀ      ∂L/∂b = aᵀ g
    Shape: (n, k), (k, m) -> (n, m)

    Raises:
        RuntimeError: for other numbers of dimensions, shapes that do not fit and
            different dtypes.

    Example:
        >>> import edutorch as torch
        >>> torch.mm(torch.ones(2, 3), torch.ones(3, 1))
        tensor([[3.],
                [3.]])
    """
    if _m.special_modes and mm in _m.modes.autocast:
        return _m.autocast(mm, input, mat2, out=out)
    if ndim_of(input, "mm") != 2:
        raise RuntimeError("self must be a matrix")
    if ndim_of(mat2, "mm", "mat2") != 2:
        raise RuntimeError("mat2 must be a matrix")
    result = apply2(Mm(), input, mat2)
    return result if out is None else copyto(out, result, "mm", (input, mat2))


spmm = mm  # the old name for a sparse first factor


class Matmul(Op):
    """Product of stacks of matrices, with broadcasting of the stacks.

    A vector on the left is one row, on the right one column; that dimension is left
    out of the result.

    Math: y = a b      ∂L/∂a = g bᵀ      ∂L/∂b = aᵀ g
    Shape: (.., n, k), (.., k, m) -> (.., n, m)
    """

    onnx = "MatMul"
    __slots__ = ("ndims",)
    torch_name = "UnsafeView"  # the last op that PyTorch composes it of
    packs = (1, 0)
    saves_for = {0: 1, 1: 0}  # noqa: RUF012 (a table, not a state)
    promote = staticmethod(refuse_dtypes)
    float8_kernel = "dot"
    complex32_kernel = "addmm_impl_cpu_"

    def check(self, a: Any, b: Any) -> None:
        n, m = a._data.shape, b._data.shape
        if not n or not m:
            raise RuntimeError(
                "both arguments to matmul need to be at least 1D, but they are "
                f"{len(n)}D and {len(m)}D"
            )
        if n[-1] != m[-2 if len(m) > 1 else 0]:
            if len(n) == 1 and len(m) > 2 and folds(b, a):
                raise RuntimeError(shape_mismatch((*m[:-2], m[-1], m[-2]), n))
            raise RuntimeError(shape_mismatch(n, m))

    def name(self) -> str:
        """PyTorch's name of the node: a row is squeezed, or a product transposed."""
        n, m = self.ndims
        if n == 1 and m == 2:
            return "SqueezeBackward4"
        return "CloneBackward0" if n == 2 < m and self.needs[0] else self.usual_name

    def forward(self, a: Any, b: Any) -> Any:
        self.ndims = a.ndim, b.ndim  # backward may have only one of the two
        try:
            return bmm_arrays(a, b)
        except ValueError:
            raise_if(broadcast_error([a.shape[:-2], b.shape[:-2]]))
            raise

    def backward(self, g: Any) -> Any:
        a, b = self.inputs
        n, m = self.ndims
        if n == 1:
            g = g[..., None, :] if m > 1 else reshape(g, (1, 1))
        elif m == 1:
            g = g[..., None]
        ga = gb = None
        if self.needs[0]:
            column = reshape(b, (-1, 1)) if m == 1 else b
            ga = batch_times(g, ctranspose(column))
            ga = ga[..., 0, :] if n == 1 else ga
        if self.needs[1]:
            row = reshape(a, (1, -1)) if n == 1 else a
            if n > 2 and m <= 2:  # as in `bmm_arrays`
                count = prod(g.shape[:-1])
                row = reshape(row, (count, row.shape[-1]))
                g = reshape(g, (count, g.shape[-1]))
                gb = gradient_of_second(g, row, self.edges[1])
            else:
                gb = self.grad_second(row, g, m)
            gb = gb[..., 0] if m == 1 else gb
        return ga, gb

    def grad_second(self, a: Any, g: Any, ndim: int) -> Any:
        """∂L/∂b, given matrices a and g; b has `ndim` dimensions."""
        if a.ndim == 2 < ndim:  # transposed, all of them are one product
            return ctranspose(batch_times(ctranspose(g), a))
        return batch_times(ctranspose(a), g)


class TransposedMatmul(Matmul):
    """`Matmul` of matrices and transposed weights.

    Here, too, the weights' gradients are row-major: see Note [Order of gradients].

    Math: y = a b      ∂L/∂a = g bᵀ      ∂L/∂b = (gᵀ a)ᵀ
    Shape: (.., n, k), (.., k, m) -> (.., n, m)
    """

    __slots__ = ()

    def grad_second(self, a: Any, g: Any, ndim: int) -> Any:
        return ctranspose(batch_times(ctranspose(g), a))


@public("matmul")
def matmul(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Product of matrices, vectors, or stacks of matrices with broadcasting.

    Math: y = a b      ∂L/∂a = g bᵀ      ∂L/∂b = aᵀ g
    Shape: (.., n, k), (.., k, m) -> (.., n, m); vectors: (k), (k) -> ();
        (n, k), (k) -> (n); (k), (k, m) -> (m)

    Raises:
        RuntimeError: for shapes that do not fit, 0-d tensors, different dtypes.
        TypeError: for arguments that are not tensors.

    Example:
        >>> import edutorch as torch
        >>> torch.ones(2, 3) @ torch.ones(3)
        tensor([3., 3.])
    """
    if _m.special_modes and matmul in _m.modes.autocast:
        return _m.autocast(matmul, input, other, out=out)
    if isinstance(input, Tensor) is not isinstance(other, Tensor):
        wrong = "other" if isinstance(input, Tensor) else "input"
        raise type_error(
            "Tensor", wrong, other if wrong == "other" else input, "matmul"
        )
    if not (isinstance(input, Tensor) or _m.modes.takes_arrays):
        raise type_error("Tensor", "input", input, "matmul")
    result = _tensor_matmul(input, other)
    if out is None:
        return result
    if (input.ndim, other.ndim) == (1, 2):  # computed as a matrix of one row
        rows = copyto(out, reshape(result, (1, -1)), "matmul", (input, other))
        return rows.squeeze_(0)
    step = {(1, 1): "dot", (2, 1): "mv"}.get((input.ndim, other.ndim), "")
    step = "bmm" if min(input.ndim, other.ndim) > 2 else step
    if step == "mv" and getattr(out, "shape", None) != result.shape:
        step = "mv.resized"
    return copyto(out, result, "matmul", (input, other), variant=step)


_KINDS: dict[Any, Any] = {(2, 1): Mv, (1, 1): Dot}


@public("__matmul__")
def _tensor_matmul(input: Any, other: Any) -> Any:
    """`input @ other`, computed by the op for their numbers of dimensions."""
    if _m.special_modes and _tensor_matmul in _m.modes.autocast:
        return _m.autocast(_tensor_matmul, input, other)
    try:
        n, m = input._data.ndim, other._data.ndim
    except AttributeError:
        if isinstance(input, Tensor) or isinstance(other, Tensor):
            return NotImplemented  # Python makes a TypeError of it
        return input @ other  # arrays
    if n == 2 and m == 2:
        return apply2(Mm(), input, other)
    return apply2(_KINDS.get((n, m), Matmul)(), input, other)


@public("__rmatmul__")
def _tensor_rmatmul(input: Tensor, other: Any) -> Any:
    return _tensor_matmul(other, input)


def _rows_times_rows(a: Tensor, b: Tensor) -> Tensor:
    """The products of the rows of two tensors: a matrix or, of one pair, a number."""
    count, size, number = prod(a.shape[:-1]), a.shape[-1], prod(b.shape[:-1])
    if size == 1:  # nothing to contract, which PyTorch sums first
        a = sum(a, (-1,), keepdim=True, dtype=a.dtype)
    left = permute(a, (*range(a.ndim),))
    right = permute(b, (b.ndim - 1, *range(b.ndim - 1)))
    if count == number == 1 and a.is_contiguous() and b.is_contiguous():
        vectors = (x if x.ndim == 1 else reshape(x, (size,)) for x in (left, right))
        return dot(*vectors)
    return mm(reshape(left, (count, size)), reshape(right, (size, number)))


@public("inner")
def inner(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Sums of products over the last dimensions.

    Math: y[i.., j..] = Σₖ a[i.., k] · b[j.., k]
          ∂L/∂a[i.., k] = Σⱼ g[i.., j..] · b[j.., k]
          ∂L/∂b[j.., k] = Σᵢ g[i.., j..] · a[i.., k]
    Shape: (*, k), (+, k) -> (*, +)

    Raises:
        RuntimeError: if the last dimensions differ, or the dtypes.

    Example:
        >>> import edutorch as torch
        >>> torch.inner(torch.tensor([1, 2]), torch.tensor([[3, 4], [5, 6]]))
        tensor([11, 17])
    """
    refuse_numbers("inner", input=input, other=other)
    tensor_of(input, "inner")
    tensor_of(other, "inner", "other")
    n, m = input._data.shape, other._data.shape
    if not n or not m:
        result = input * other
    elif n[-1] != m[-1]:
        raise RuntimeError(
            "inner() the last dimension must match on both input tensors but got "
            f"shapes {list(n)} and {list(m)}"
        )
    elif input._data.dtype != other._data.dtype:
        raise RuntimeError("both inputs should have same dtype")
    else:
        result = reshape(_rows_times_rows(input, other), (*n[:-1], *m[:-1]))
    if out is None:
        return result
    here = getattr(out, "_device", None) is result._device  # what `inner` checks itself
    name = "tensordot" if n and m and here else "inner"
    return copyto(out, result, name, (input, other))
