"""A tensor plus a product: addmm, addmv, addbmm, baddbmm, addr."""

from __future__ import annotations

from typing import Any

from ...autograd.op import Op, apply
from ...tensor.tensor import Tensor
from ..attach import composite, into, public
from ..reduce.sums import sum
from .arrays import multiplied, refuse_dtypes, turned
from .products import Bmm, bmm
from .vectors import Mv, outer

__all__ = ["addbmm", "addmm", "addmv", "addr", "baddbmm"]


class _AddProduct(Op):
    """What these ops share: scales, and operands of one dtype."""

    attributes = ("beta", "alpha")
    saves = (1, 2)
    beta: complex = 1
    alpha: complex = 1

    def agree(self, x: Any, a: Any, b: Any) -> Any:
        if a.dtype != b.dtype:
            refuse_dtypes(a, b)
        if x.dtype != a.dtype:
            raise RuntimeError(
                f"self and mat2 must have the same dtype, but got {x.dtype} and "
                f"{b.dtype}"
            )
        return x, a, b

    def product(self, a: Any, b: Any) -> Any:
        """The product of two arrays."""
        return a @ b

    def forward(self, x: Any, a: Any, b: Any) -> Any:
        if a.dtype.itemsize == 2 and a.dtype.kind not in "iu":  # half: rounded once
            return self.forward(*(t.astype("f4") for t in (x, a, b))).astype(a.dtype)
        y = self.product(a, b)
        alpha, beta = _as_kind(self.alpha, y), _as_kind(self.beta, y)
        if alpha != 1:
            y = y * alpha
        if beta == 0:  # nan in x then does not matter
            return y
        x = x if beta == 1 else x * beta
        if len(x.shape) > len(y.shape):
            raise RuntimeError(
                f"expand({self.public}): the number of sizes provided ({y.ndim}) must "
                "be greater or equal to the number of dimensions in the tensor "
                f"({x.ndim})"
            )
        y += x
        return y

    def backward(self, g: Any) -> Any:
        _, a, b = self.inputs
        gx = g if self.beta == 1 else g * self.beta
        scaled = g if self.alpha == 1 else g * self.alpha
        return (
            gx,
            self.slope_of_first(scaled, b) if self.needs[1] else None,
            turned(a) @ scaled if self.needs[2] else None,
        )

    def slope_of_first(self, g: Any, b: Any) -> Any:
        """∂L/∂a of the product a b."""
        return g @ turned(b)


def _as_kind(number: complex, x: Any) -> complex:
    """A scale for `x`: integers are scaled by integers."""
    kind = getattr(x, "_data", x).dtype.kind
    return int(number.real) if kind in "iub" else number


def _scaled(op: _AddProduct, beta: complex, alpha: complex) -> _AddProduct:
    if beta != 1:
        op.beta = beta
    if alpha != 1:
        op.alpha = alpha
    return op


class Addmm(_AddProduct):
    """A matrix plus a product of matrices.

    Math: y = β x + α a b      ∂L/∂x = β g      ∂L/∂a = α g bᵀ      ∂L/∂b = α aᵀ g
    Shape: (n, m), (n, k), (k, m) -> (n, m)
    """

    onnx = "Gemm"

    def check(self, x: Any, a: Any, b: Any) -> None:
        n, m = a._data.shape, b._data.shape
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
        return multiplied(a, b)


@public("addmm", inplace="addmm_")
def addmm(
    input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: complex = 1, alpha: complex = 1,
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
    result = apply(_scaled(Addmm(), beta, alpha), input, mat1, mat2)
    return result if out is None else into(out, result)


class Addmv(_AddProduct):
    """A vector plus the product of a matrix and a vector.

    Math: y = β x + α a v      ∂L/∂x = β g      ∂L/∂a = α g vᵀ      ∂L/∂v = α aᵀ g
    Shape: (n), (n, k), (k) -> (n)
    """

    def check(self, x: Any, a: Any, b: Any) -> None:
        n, m = a._data.shape, b._data.shape
        if len(n) != 2 or len(m) != 1 or x._data.ndim > 1:
            raise RuntimeError(
                f"vector + matrix @ vector expected, got {x._data.ndim}, {len(n)}, "
                f"{len(m)}"
            )
        if n[1] != m[0]:
            size = x._data.shape[0] if x._data.ndim else 1
            raise RuntimeError(
                f"size mismatch, got input ({size}), mat ({n[0]}x{n[1]}), vec ({m[0]})"
            )

    def slope_of_first(self, g: Any, b: Any) -> Any:
        return Mv.slope_of_matrix(g, b)


@public("addmv", inplace="addmv_")
def addmv(
    input: Tensor, mat: Tensor, vec: Tensor, *, beta: complex = 1, alpha: complex = 1,
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
    result = apply(_scaled(Addmv(), beta, alpha), input, mat, vec)
    return result if out is None else into(out, result)


class Baddbmm(_AddProduct):
    """A batch of matrices plus products of matrices.

    Math: y = β x + α a b      ∂L/∂x = β g      ∂L/∂a = α g bᵀ      ∂L/∂b = α aᵀ g
    Shape: (n, p, q), (n, p, k), (n, k, q) -> (n, p, q)
    """

    def check(self, x: Any, a: Any, b: Any) -> None:
        Bmm().check(a, b)


@public("baddbmm", inplace="baddbmm_")
def baddbmm(
    input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: complex = 1,
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
    result = apply(_scaled(Baddbmm(), beta, alpha), input, batch1, batch2)
    return result if out is None else into(out, result)


def _combined(x: Tensor, y: Tensor, beta: complex, alpha: complex) -> Tensor:
    """β x + α y; nan in x does not matter where β is 0."""
    alpha, beta = _as_kind(alpha, y), _as_kind(beta, y)
    y = y if alpha == 1 else y * alpha
    if beta == 0:
        return y
    return (x if beta == 1 else x * beta) + y


@public("addbmm", inplace="addbmm_")
@composite
def addbmm(
    input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: complex = 1,
    alpha: complex = 1, out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """A matrix plus the sum of products of matrices.

    Math: y = β x + α Σᵢ a[i] b[i]
    Shape: (p, q), (n, p, k), (n, k, q) -> (p, q)

    Example:
        >>> import edutorch as torch
        >>> torch.addbmm(torch.ones(1, 1), torch.ones(2, 1, 3), torch.ones(2, 3, 1))
        tensor([[7.]])
    """
    result = _combined(input, sum(bmm(batch1, batch2), 0), beta, alpha)
    return result if out is None else into(out, result)


@public("addr", inplace="addr_")
@composite
def addr(
    input: Tensor, vec1: Tensor, vec2: Tensor, *, beta: complex = 1, alpha: complex = 1,
    out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """A matrix plus the outer product of two vectors.

    Math: y = β x + α a bᵀ
    Shape: (n, m), (n), (m) -> (n, m)

    Raises:
        RuntimeError: for what is no vector, or scales that do not fit integers.

    Example:
        >>> import edutorch as torch
        >>> torch.addr(torch.zeros(2, 2), torch.tensor([1.0, 2.0]), torch.ones(2))
        tensor([[1., 1.],
                [2., 2.]])
    """
    for name, x in (("vec1", vec1), ("vec2", vec2)):
        if x.ndim != 1:
            raise RuntimeError(
                f"addr: Expected 1-D argument {name}, but got {x.ndim}-D"
            )
    if input._data.dtype.kind in "iub" and isinstance(beta, float):
        raise RuntimeError(
            "For integral input tensors, argument beta must not be a floating point "
            "number."
        )
    logical = all(x._data.dtype.kind == "b" for x in (input, vec1, vec2))
    if logical:  # numbers of any size are true
        beta, alpha = bool(beta), bool(alpha)
    result = _combined(input, outer(vec1, vec2), beta, alpha)
    return result if out is None else into(out, result)
