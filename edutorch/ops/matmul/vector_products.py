"""Products with vectors: mv, dot, vdot, outer."""

from __future__ import annotations

from typing import Any

from ...autograd import modes as _m
from ...autograd.dispatch import Op, apply2
from ...dtypes import of_numpy
from ...tensor.tensor import Tensor
from ..argument_checks import refuse_numbers
from ..dims import ndim_of
from ..out_history import gradient_error
from ..pointwise.conjugate import conj
from ..promotion import promoted
from ..registration import copyto, public
from ..shape.transposing import transpose
from ..shape.views import reshape
from .array_products import ctranspose, matmul_arrays
from .checks import shape_mismatch

__all__ = ["dot", "ger", "mv", "outer", "vdot"]


class Mv(Op):
    """Product of a matrix and a vector.

    Math: y = a v      ∂L/∂a = g vᵀ      ∂L/∂v = aᵀ g
    Shape: (n, k), (k) -> (n)
    """

    same_device = slice(None)
    public = "matmul"
    onnx = "MatMul"
    saves_for = {0: 1, 1: 0}  # noqa: RUF012 (a table, not a state)
    float8_kernel = "dot"
    complex32_kernel = "addmm_impl_cpu_"

    def promote(self, a: Any, v: Any) -> Any:
        if a.shape[1] != v.shape[0]:
            raise RuntimeError(shape_mismatch(a.shape, v.shape))
        matrix, vector = (of_numpy[x.dtype].short for x in (a, v))
        raise RuntimeError(
            "addmv input tensors must have the same dtype, but got "
            f"{vector}, {matrix}, and {vector}"
        )

    def forward(self, a: Any, b: Any) -> Any:
        try:
            return matmul_arrays(a, b, "addmv_impl_cpu")
        except ValueError:
            raise RuntimeError(shape_mismatch(a.shape, b.shape)) from None

    def backward(self, g: Any) -> Any:
        a, v = self.inputs
        return (
            self.grad_matrix(g, v) if self.needs[0] else None,
            apply2(Mv(), ctranspose(a), g) if self.needs[1] else None,
        )

    @staticmethod
    def grad_matrix(g: Any, v: Any) -> Any:
        """∂L/∂a, the outer product of g and v."""
        return reshape(g, (-1, 1)) * conj(v)


@public("mv")
def mv(input: Tensor, vec: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Product of a matrix and a vector.

    Math: y = a v      ∂L/∂a = g vᵀ      ∂L/∂v = aᵀ g
    Shape: (n, k), (k) -> (n)

    Raises:
        RuntimeError: for other numbers of dimensions, or sizes that do not fit.
        IndexError: for a number in place of the matrix.

    Example:
        >>> import edutorch as torch
        >>> torch.mv(torch.ones(2, 3), torch.ones(3))
        tensor([3., 3.])
    """
    if _m.special_modes and mv in _m.modes.autocast:
        return _m.autocast(mv, input, vec, out=out)
    if ndim_of(input, "mv") == 0:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    if input.ndim != 2 or ndim_of(vec, "mv", "vec") != 1:
        raise RuntimeError(
            f"vector + matrix @ vector expected, got 1, {input.ndim}, {vec.ndim}"
        )
    result = apply2(Mv(), input, vec)
    if out is None:
        return result
    resized = getattr(out, "shape", None) != result.shape
    variant = "resized" if resized else ""
    return copyto(out, result, "mv", (input, vec), variant=variant)


class Dot(Op):
    """Inner product of two vectors.

    Math: y = Σ a · b      ∂L/∂a = g · b      ∂L/∂b = g · a
    Shape: (n), (n) -> ()
    """

    same_device = slice(None)
    saves_for = {0: 1, 1: 0}  # noqa: RUF012 (a table, not a state)
    float8_kernel = "dot"
    complex32_kernel = "dot"

    def check(self, a: Any, b: Any) -> None:
        n, m = a._data.shape, b._data.shape
        if len(n) != 1 or len(m) != 1:
            raise RuntimeError(
                f"1D tensors expected, but got {len(n)}D and {len(m)}D tensors"
            )
        if a._data.dtype != b._data.dtype:
            raise RuntimeError(
                "dot : expected both vectors to have same dtype, but found "
                f"{a.dtype.short} and {b.dtype.short}"
            )
        if n != m:
            raise RuntimeError(
                "inconsistent tensor size, expected tensor "
                f"{list(n)} and src {list(m)} to have the same number of elements, "
                f"but got {n[0]} and {m[0]} elements respectively"
            )

    def forward(self, a: Any, b: Any) -> Any:
        return matmul_arrays(a, b, "dot")

    def backward(self, g: Any) -> Any:
        a, b = self.inputs
        return (
            g * conj(b) if self.needs[0] else None,
            g * conj(a) if self.needs[1] else None,
        )


def _refuse_resized(name: str, a: Tensor, b: Tensor, out: Tensor) -> None:
    """Raise for a vector as `out`, which would be resized before it is read."""
    if _m.modes.grad and (a.requires_grad or b.requires_grad):
        raise gradient_error(name)
    if a.ndim == b.ndim == 1:
        n, m = (0 if x is out else 1 for x in (a, b))
        raise RuntimeError(f"1D tensors expected, but got {n}D and {m}D tensors")


@public("dot")
def dot(input: Tensor, tensor: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Inner product of two vectors.

    Math: y = Σ a · b      ∂L/∂a = g · b      ∂L/∂b = g · a
    Shape: (n), (n) -> ()

    Raises:
        RuntimeError: if an input is not a vector, or if sizes or dtypes differ.

    Example:
        >>> import edutorch as torch
        >>> torch.dot(torch.tensor([2.0, 3.0]), torch.tensor([2.0, 1.0]))
        tensor(7.)
    """
    if _m.special_modes and dot in _m.modes.autocast:
        return _m.autocast(dot, input, tensor, out=out)
    refuse_numbers("dot", input=input, tensor=tensor)
    if out is not None and (out is input or out is tensor):
        _refuse_resized("dot", input, tensor, out)
    result = apply2(Dot(), input, tensor)
    return result if out is None else copyto(out, result, "dot", (input, tensor))


class Vdot(Dot):
    """Inner product of two vectors, the first one conjugated.

    Math: y = Σ conj(a) · b      ∂L/∂a = conj(g) · b      ∂L/∂b = g · a
    """

    complex32_kernel = "vdot"

    def forward(self, a: Any, b: Any) -> Any:
        return matmul_arrays(a.conj(), b, "dot")

    def backward(self, g: Any) -> Any:
        a, b = self.inputs
        return (
            conj(g) * b if self.needs[0] else None,
            g * a if self.needs[1] else None,
        )


@public("vdot")
def vdot(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Inner product of two vectors, the first one conjugated.

    Math: y = Σ conj(a) · b      ∂L/∂a = conj(g) · b      ∂L/∂b = g · a
    Shape: (n), (n) -> ()

    Raises:
        RuntimeError: if an input is not a vector, or if sizes or dtypes differ.

    Example:
        >>> import edutorch as torch
        >>> torch.vdot(torch.tensor([2.0, 3.0]), torch.tensor([2.0, 1.0]))
        tensor(7.)
    """
    if _m.special_modes and vdot in _m.modes.autocast:
        return _m.autocast(vdot, input, other, out=out)
    refuse_numbers("vdot", input=input, other=other)
    if out is not None and (out is input or out is other):
        _refuse_resized("vdot", input, other, out)
    result = apply2(Vdot(), input, other)
    return result if out is None else copyto(out, result, "vdot", (input, other))


class Outer(Op):
    """Outer product of two vectors.

    Math: y[i, j] = a[i] · b[j]      ∂L/∂a = g b      ∂L/∂b = gᵀ a
    Shape: (n), (m) -> (n, m)
    """

    same_device = slice(None)
    torch_name = "Mul"
    packs = (1, 0)
    saves_for = {0: 1, 1: 0}  # noqa: RUF012 (a table, not a state)
    complex32 = "single"

    def check(self, a: Any, b: Any) -> None:
        for x, name in ((a, "self"), (b, "vec2")):
            if x._data.ndim != 1:
                raise RuntimeError(
                    f"outer: Expected 1-D argument {name}, but got {x._data.ndim}-D"
                )

    promote = staticmethod(promoted)

    def forward(self, a: Any, b: Any) -> Any:
        return a[:, None] * b

    def backward(self, g: Any) -> Any:
        a, b = self.inputs
        return (
            _times_vector(g, conj(b)) if self.needs[0] else None,
            _times_vector(transpose(g, 0, 1), conj(a)) if self.needs[1] else None,
        )


def _times_vector(g: Any, v: Any) -> Any:
    """The product of a matrix and a vector, one of which may be complex."""
    return apply2(Mv(), g, v) if g.dtype == v.dtype else (g * v).sum(-1)


@public("outer", "ger")
def outer(input: Tensor, vec2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Outer product of two vectors.

    Math: y[i, j] = a[i] · b[j]      ∂L/∂a = g b      ∂L/∂b = gᵀ a
    Shape: (n), (m) -> (n, m)

    Raises:
        RuntimeError: if the input is not a vector.

    Example:
        >>> import edutorch as torch
        >>> torch.outer(torch.tensor([1, 2]), torch.tensor([3, 4]))
        tensor([[3, 4],
                [6, 8]])
    """
    refuse_numbers("outer", input=input, vec2=vec2)
    result = apply2(Outer(), input, vec2)
    if out is None:
        return result
    return copyto(out, result, "outer", (input.reshape(-1, 1), vec2))


ger = outer
