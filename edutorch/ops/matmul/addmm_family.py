"""A tensor plus a product: addmm, addmv, addbmm, baddbmm."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import dtypes
from ...autograd import modes as _m
from ...autograd.dispatch import Op, apply
from ...autograd.half_precision import half_rounding, is_half
from ...autograd.op_errors import cast_error
from ...backends import array_module
from ...dtypes import of_numpy
from ...tensor.tensor import Tensor
from ..argument_checks import number_of
from ..deprecated_overloads import reordered
from ..dims import dim_unless_scalar
from ..number_ranges import in_range, overflow_error
from ..pointwise.conjugate import conj
from ..promotion import common_dtype
from ..registration import copyto, public
from .array_products import bmm_arrays, ctranspose, matmul_arrays
from .batched_products import Bmm
from .checks import check_expands, refuse_dtypes, refuse_dtypes_of_sum, sum_mismatch
from .inplace import (
    check_size,
    check_size_and_memory,
    refuse_addmm_size,
    resize_to_sum,
)
from .matrix_products import gradient_of_first, gradient_of_second
from .vector_products import Mv

__all__ = ["addbmm", "addmm", "addmv", "baddbmm"]


class AddProduct(Op):
    """Base class of these ops: scaling factors, and operands of one dtype.

    Math: y = β x + α a b      ∂L/∂x = β g      ∂L/∂a = α g bᵀ      ∂L/∂b = α aᵀ g
    """

    attributes = ("beta", "alpha")
    saves = (1, 2)
    saves_for = {1: 2, 2: 1}  # noqa: RUF012 (a table, not a state)
    beta: complex = 1
    alpha: complex = 1
    by_blas = True  # BLAS does not multiply by 0; loops of PyTorch do

    def promote(self, x: Any, a: Any, b: Any) -> Any:
        if not x.dtype == a.dtype == b.dtype:
            refuse_dtypes_of_sum(x, a, b)
        return x, a, b

    def product(self, a: Any, b: Any) -> Any:
        """The product of two arrays."""
        return a @ b

    def forward(self, x: Any, a: Any, b: Any) -> Any:
        try:
            y = self.product(a, b)
            if not (a.size and b.size):
                return self.alone(x, y)
            alpha, beta = _as_kind(self.alpha, y), _as_kind(self.beta, y)
        except RuntimeError:
            if a.ndim == b.ndim == 2:  # sizes are checked before dtypes and numbers
                check_expands(x, (a.shape[0], b.shape[1]))
            raise
        if alpha == 0 and self.by_blas:  # nan in the product then does not matter
            y = array_module(y).zeros_like(y)
        elif alpha != 1:
            y = y * alpha
        if beta == 0:  # nor nan in x
            check_expands(x, y.shape)
            return y
        x = x if beta == 1 else x * beta
        try:
            y += x
        except ValueError:
            raise RuntimeError(sum_mismatch(x, y.shape)) from None
        return y

    def alone(self, x: Any, y: Any) -> Any:
        """β x for a product `y` without terms, which α does not change.

        Raises:
            RuntimeError: for a factor of a higher kind than that of matrices.
        """
        check_expands(x, y.shape)
        if self.beta == 0 or not y.size:
            return y
        dtype, found = of_numpy[y.dtype], common_dtype(x.reshape(-1), self.beta)
        if y.ndim > 1 and found is not dtype:
            raise cast_error(found.short, dtype.short)
        if y.ndim > 1:  # numbers wrap around
            y[...] = x * np.asarray(self.beta).astype(y.dtype).item()
        else:
            y += x * _as_kind(self.beta, y)
        return y

    def backward(self, g: Any) -> Any:
        _, a, b = self.inputs
        gx = g if self.beta == 1 else g * conj(self.beta)
        scaled = g if self.alpha == 1 else g * conj(self.alpha)
        return (
            gx,
            self.grad_first(scaled, b) if self.needs[1] else None,
            self.grad_second(scaled, a) if self.needs[2] else None,
        )

    def grad_first(self, g: Any, b: Any) -> Any:
        """∂L/∂a of the product a b."""
        return g @ ctranspose(b)

    def grad_second(self, g: Any, a: Any) -> Any:
        """∂L/∂b of the product a b."""
        return ctranspose(a) @ g


def _as_kind(number: complex, x: Any) -> complex:
    """A factor for the array `x`: for integers, an integer of the same size.

    Raises:
        RuntimeError: for a complex number with others.
    """
    kind = x.dtype.kind
    if isinstance(number, complex) and kind not in "cW":
        raise overflow_error(of_numpy[x.dtype])
    if kind == "b":
        return bool(number)
    if kind in "iu":  # -1 is the largest one without a sign
        fits, whole = in_range(number.real, x.dtype)
        if not fits:
            raise overflow_error(of_numpy[x.dtype])
        return whole
    return number


def scaled_by(op: AddProduct, beta: complex, alpha: complex) -> AddProduct:
    """The op with its scaling factors."""
    for name, scale in (("beta", beta), ("alpha", alpha)):
        # `True` keeps the type of booleans; tensors of one element may be refused.
        if isinstance(scale, Tensor) or scale != 1 or scale is True:
            setattr(op, name, number_of(scale, name))
    return op


class Addmm(AddProduct):
    """A matrix plus a product of matrices.

    Math: y = β x + α a b      ∂L/∂x = β g      ∂L/∂a = α g bᵀ      ∂L/∂b = α aᵀ g
    Shape: (n, m), (n, k), (k, m) -> (n, m)
    """

    onnx = "Gemm"
    complex32_kernel = "addmm_impl_cpu_"

    def check(self, x: Any, a: Any, b: Any) -> None:
        n, m = a._data.shape, b._data.shape
        fits = len(n) == len(m) == 2 and n[1] == m[0]
        if not fits and not x._data.dtype == a._data.dtype == b._data.dtype:
            refuse_dtypes_of_sum(x._data, a._data, b._data)
        if len(n) != 2 or len(m) != 2:
            raise RuntimeError(
                f"mat{1 if len(n) != 2 else 2} must be a matrix, got "
                f"{len(n) if len(n) != 2 else len(m)}-D tensor"
            )
        if n[1] != m[0]:
            raise RuntimeError(
                "mat1 and mat2 shapes cannot be multiplied "
                f"({n[0]}x{n[1]} and {m[0]}x{m[1]})"
            )

    def product(self, a: Any, b: Any) -> Any:
        return matmul_arrays(a, b)

    def grad_first(self, g: Any, b: Any) -> Any:
        return gradient_of_first(g, b, self.edges[1])

    def grad_second(self, g: Any, a: Any) -> Any:
        return gradient_of_second(g, a, self.edges[2])


@public("addmm", inplace="addmm_", refuse=refuse_addmm_size, fit=check_size_and_memory)
def addmm(
    input: Tensor, mat1: Tensor, mat2: Tensor, *old: Any,
    beta: complex = 1, alpha: complex = 1,
    out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """A matrix plus a product of matrices.

    Math: y = β x + α a b      ∂L/∂x = β g      ∂L/∂a = α g bᵀ      ∂L/∂b = α aᵀ g
    Shape: (n, m) or what broadcasts to it, (n, k), (k, m) -> (n, m)

    Raises:
        RuntimeError: for other numbers of dimensions, or sizes that do not fit.

    Example:
        >>> import edutorch as torch
        >>> torch.addmm(torch.ones(2), torch.ones(1, 3), torch.ones(3, 2), alpha=2)
        tensor([[7., 7.]])
    """
    if _m.special_modes and addmm in _m.modes.autocast:
        return _m.autocast(
            addmm, input, mat1, mat2, *old, beta=beta, alpha=alpha, out=out
        )
    if old:  # the deprecated signature with numbers first
        given, numbers = reordered("addmm", input, mat1, mat2, *old)
        return addmm(*given, out=out, **numbers)
    result = apply(scaled_by(Addmm(), beta, alpha), input, mat1, mat2)
    return result if out is None else copyto(out, result, "addmm", (input,))


class Addmv(AddProduct):
    """A vector plus the product of a matrix and a vector.

    Math: y = β x + α a v      ∂L/∂x = β g      ∂L/∂a = α g vᵀ      ∂L/∂v = α aᵀ g
    Shape: (n), (n, k), (k) -> (n)
    """

    complex32_kernel = "addmv_impl_cpu"

    def check(self, x: Any, a: Any, b: Any) -> None:
        n, m = a._data.shape, b._data.shape
        if len(n) != 2 or len(m) != 1 or x._data.ndim > 1:
            raise RuntimeError(
                f"vector + matrix @ vector expected, got {x._data.ndim}, {len(n)}, "
                f"{len(m)}"
            )
        size = x._data.shape[0] if x._data.ndim else 1
        if n[1] != m[0] or size not in (1, n[0]):
            dim_unless_scalar(0, x._data.ndim)
            raise RuntimeError(
                f"size mismatch, got input ({size}), mat ({n[0]}x{n[1]}), vec ({m[0]})"
            )

    def promote(self, x: Any, a: Any, b: Any) -> Any:
        kinds = [of_numpy[v.dtype].short for v in (x, a, b)]
        if kinds.count(kinds[0]) < 3:
            raise RuntimeError(
                "addmv input tensors must have the same dtype, but got "
                f"{kinds[0]}, {kinds[1]}, and {kinds[2]}"
            )
        if is_half(x.dtype) and a.size:  # PyTorch names 16-bit floats in its errors
            _as_kind(self.alpha, x)
            _as_kind(self.beta, x)
        return x, a, b

    def product(self, a: Any, b: Any) -> Any:
        return matmul_arrays(a, b, "addmv_impl_cpu")

    def grad_first(self, g: Any, b: Any) -> Any:
        return Mv.grad_matrix(g, b)


@public("addmv", inplace="addmv_", fit=check_size)
def addmv(
    input: Tensor, mat: Tensor, vec: Tensor, *old: Any,
    beta: complex = 1, alpha: complex = 1,
    out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """A vector plus the product of a matrix and a vector.

    Math: y = β x + α a v      ∂L/∂x = β g      ∂L/∂a = α g vᵀ      ∂L/∂v = α aᵀ g
    Shape: (n), (n, k), (k) -> (n)

    Raises:
        RuntimeError: for other numbers of dimensions, or sizes that do not fit.

    Example:
        >>> import edutorch as torch
        >>> torch.addmv(torch.ones(2), torch.ones(2, 3), torch.ones(3))
        tensor([4., 4.])
    """
    if _m.special_modes and addmv in _m.modes.autocast:
        return _m.autocast(
            addmv, input, mat, vec, *old, beta=beta, alpha=alpha, out=out
        )
    if old:  # the deprecated signature with numbers first
        given, numbers = reordered("addmv", input, mat, vec, *old)
        return addmv(*given, out=out, **numbers)
    result = apply(scaled_by(Addmv(), beta, alpha), input, mat, vec)
    return result if out is None else copyto(out, result, "addmv", (input,))


class Baddbmm(AddProduct):
    """A batch of matrices plus products of matrices.

    Math: y = β x + α a b      ∂L/∂x = β g      ∂L/∂a = α g bᵀ      ∂L/∂b = α aᵀ g
    Shape: (n, p, q), (n, p, k), (n, k, q) -> (n, p, q)
    """

    by_blas = False
    complex32_kernel = "baddbmm"

    def check(self, x: Any, a: Any, b: Any) -> None:
        self.check_sizes(x, a, b)
        Bmm().check(a, b)

    def check_sizes(self, x: Any, a: Any, b: Any) -> None:
        """Check that the summand expands to the sizes of the result."""
        dim_unless_scalar(1 if a.ndim or self.by_blas else 0, a.ndim)
        dim_unless_scalar(2, b.ndim)
        if a.ndim > 1 and b.ndim > 2:
            check_expands(x._data, self.result_shape(a.shape, b.shape))

    def result_shape(self, a: Any, b: Any) -> tuple[int, ...]:
        """The shape of the sum, from those of the factors."""
        return (*a[:2], b[2])

    def promote(self, x: Any, a: Any, b: Any) -> Any:
        if x.dtype != a.dtype:
            words = [dtypes.of_array(v).c_name for v in (x, a, b)]
            raise RuntimeError(
                f"Input dtypes must be the same, got: input {words[0]}, batch1: "
                f"{words[1]}, batch2: {words[2]}"
            )
        if a.dtype != b.dtype:
            refuse_dtypes(a, b, "baddbmm")
        return x, a, b

    def product(self, a: Any, b: Any) -> Any:
        return bmm_arrays(a, b, "baddbmm")


@public("baddbmm", inplace="baddbmm_", fit=check_size)
def baddbmm(
    input: Tensor, batch1: Tensor, batch2: Tensor, *old: Any, beta: complex = 1,
    alpha: complex = 1, out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """A batch of matrices plus products of matrices.

    Math: y = β x + α a b      ∂L/∂x = β g      ∂L/∂a = α g bᵀ      ∂L/∂b = α aᵀ g
    Shape: (n, p, q), (n, p, k), (n, k, q) -> (n, p, q)

    Raises:
        RuntimeError: for other numbers of dimensions, or sizes that do not fit.

    Example:
        >>> import edutorch as torch
        >>> torch.baddbmm(torch.ones(1, 1, 1), torch.ones(1, 1, 3), torch.ones(1, 3, 1))
        tensor([[[4.]]])
    """
    if _m.special_modes and baddbmm in _m.modes.autocast:
        return _m.autocast(
            baddbmm, input, batch1, batch2, *old, beta=beta, alpha=alpha, out=out
        )
    if old:  # the deprecated signature with numbers first
        given, numbers = reordered("baddbmm", input, batch1, batch2, *old)
        return baddbmm(*given, out=out, **numbers)
    result = apply(scaled_by(Baddbmm(), beta, alpha), input, batch1, batch2)
    if out is None:
        return result
    return copyto(out, result, "baddbmm", (input,))


class Addbmm(Baddbmm):
    """A matrix plus the sum of products of matrices.

    Math: y = β x + α Σᵢ a[i] b[i]
          ∂L/∂x = β g      ∂L/∂a[i] = α g b[i]ᵀ      ∂L/∂b[i] = α a[i]ᵀ g
    Shape: (p, q), (n, p, k), (n, k, q) -> (p, q)
    """

    by_blas = True
    promote = AddProduct.promote
    rounded: Any = None
    complex32_kernel = "addmm_impl_cpu_"

    def result_shape(self, a: Any, b: Any) -> tuple[int, ...]:
        """The shape of the sum, which has no batch dimension."""
        return (a[1], b[2])

    def check(self, x: Any, a: Any, b: Any) -> None:
        """Check as in `baddbmm`; 16-bit sums over the batch are rounded each time."""
        self.check_sizes(x, a, b)
        n, m = a._data.shape, b._data.shape
        if len(n) == len(m) == 3 and n[0] != m[0]:
            raise RuntimeError(
                "batch1 and batch2 must have same number of batches, got "
                f"{n[0]} and {m[0]}"
            )
        if len(n) == len(m) == 3 and n[2] != m[1]:
            raise RuntimeError(
                f"Incompatible matrix sizes for bmm ({n[1]}x{n[2]} and {m[1]}x{m[2]})"
            )
        Bmm().check(a, b)
        self.rounded = half_rounding(x, a, b)

    def forward(self, x: Any, a: Any, b: Any) -> Any:
        if self.rounded is None or not len(a):
            return super().forward(x, a, b)
        alpha, beta = _as_kind(self.alpha, a), _as_kind(self.beta, a)
        products = bmm_arrays(a, b, "addmm_impl_cpu_") * alpha
        y = self.rounded(products[0] + (x * beta if beta else 0))
        for product in products[1:]:
            y = self.rounded(y + product)
        return y

    def product(self, a: Any, b: Any) -> Any:
        return bmm_arrays(a, b, "addmm_impl_cpu_").sum(0, dtype=a.dtype)


@public("addbmm", inplace="addbmm_", fit=resize_to_sum)
def addbmm(
    input: Tensor, batch1: Tensor, batch2: Tensor, *old: Any, beta: complex = 1,
    alpha: complex = 1, out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """A matrix plus the sum of products of matrices.

    Math: y = β x + α Σᵢ a[i] b[i]
          ∂L/∂x = β g      ∂L/∂a[i] = α g b[i]ᵀ      ∂L/∂b[i] = α a[i]ᵀ g
    Shape: (p, q), (n, p, k), (n, k, q) -> (p, q)

    Raises:
        RuntimeError: for other numbers of dimensions, or sizes that do not fit.

    Example:
        >>> import edutorch as torch
        >>> torch.addbmm(torch.ones(1, 1), torch.ones(2, 1, 3), torch.ones(2, 3, 1))
        tensor([[7.]])
    """
    if _m.special_modes and addbmm in _m.modes.autocast:
        return _m.autocast(
            addbmm, input, batch1, batch2, *old, beta=beta, alpha=alpha, out=out
        )
    if old:  # the deprecated signature with numbers first
        given, numbers = reordered("addbmm", input, batch1, batch2, *old)
        return addbmm(*given, out=out, **numbers)
    result = apply(scaled_by(Addbmm(), beta, alpha), input, batch1, batch2)
    if out is None:
        return result
    return copyto(out, result, "addbmm", (input,))
