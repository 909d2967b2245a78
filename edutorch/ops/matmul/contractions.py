"""Products over chosen dimensions, and distances between rows."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ...autograd import modes as _m
from ...autograd.batched_tensor import any_batched
from ...autograd.dispatch import apply1, apply2
from ...autograd.op_errors import broadcast_error
from ...backends.flags import warn_once
from ...errors import raise_if
from ...kernels.memory_format import elementwise_strides, row_major
from ...op_events import reported
from ...tensor.tensor import Tensor
from ..argument_checks import need_tensors, number_of, refuse_kinds, refuse_numbers
from ..argument_errors import check_call, parser_errors
from ..create.strided import copy_with_strides
from ..dims import axis_for, dim_unless_scalar, dims_of, ndim_of
from ..pointwise.conjugate import conj
from ..promotion import Pointwise
from ..reduce.norms import VectorNorm, vector_norm
from ..reduce.sums import sum
from ..registration import composite, copyto, public
from ..shape.squeezing import squeeze
from ..shape.transposing import permute
from ..shape.views import Reshape, reshape
from .euclidean import Distances, EuclideanDistances
from .matrix_products import mm
from .vector_products import dot

__all__ = ["cdist", "cross", "kron", "tensordot"]


@composite
@reported
def tensordot(a: Tensor, b: Tensor, dims: Any = 2, out: Tensor | None = None) -> Tensor:
    """Sums of products over selected dimensions of two tensors.

    Math: y[i.., j..] = Σₖ a[i.., k..] · b[k.., j..]
          ∂L/∂a = Σⱼ g[i.., j..] · b[k.., j..]      ∂L/∂b = Σᵢ a[i.., k..] · g[i.., j..]
    Shape: (i.., k..), (k.., j..) -> (i.., j..) with as many k as `dims` says

    Args:
        dims: how many of the last dimensions of `a` are summed with the first of `b`,
            or a list for each.

    Raises:
        RuntimeError: if sizes do not fit.

    Example:
        >>> import edutorch as torch
        >>> a = torch.arange(4.0).reshape(2, 2)
        >>> b = torch.tensor([[1.0, 0.0], [0.0, 2.0]])
        >>> torch.tensordot(a, b), torch.tensordot(a, b, dims=1)  # over two, over one
        (tensor(6.), tensor([[0., 2.],
                [2., 6.]]))
        >>> a, b = torch.ones(2, 3, 4), torch.ones(4, 3, 5)
        >>> torch.tensordot(a, b, ([2, 1], [0, 1])).shape
        torch.Size([2, 5])
    """
    if _m.special_modes and tensordot in _m.modes.autocast:
        return _m.autocast(tensordot, a, b, dims, out=out)
    need_tensors("tensordot", a=a, b=b)
    if a.dtype is not b.dtype:
        raise RuntimeError("both inputs should have same dtype")
    given = _dims_to_contract(dims, min(a.ndim, b.ndim))
    of_a: list[int] = []
    of_b: list[int] = []
    for i, (d, e) in enumerate(zip(*given, strict=True)):
        d = dim_unless_scalar(d, a.ndim, "tensordot")
        e = dim_unless_scalar(e, b.ndim, "tensordot")
        of_a.append(d)
        of_b.append(e)
        if b.shape[e] == 1:
            a = sum(a, d, keepdim=True, dtype=a.dtype)
        elif a.shape[d] == 1:
            b = sum(b, e, keepdim=True, dtype=b.dtype)
        elif a.shape[d] != b.shape[e]:
            raise RuntimeError(
                "contracted dimensions need to match, but first has size "
                f"{a.shape[d]} in dim {given[0][i]} and second has size {b.shape[e]} "
                f"in dim {given[1][i]}"
            )
    dims_of(of_a, a.ndim)  # which rejects repeated dimensions
    dims_of(of_b, b.ndim)
    rest_a = [d for d in range(a.ndim) if d not in of_a]
    rest_b = [d for d in range(b.ndim) if d not in of_b]
    n = prod(a.shape[d] for d in of_a)
    shape = [a.shape[d] for d in rest_a] + [b.shape[d] for d in rest_b]
    rows = prod(a.shape[d] for d in rest_a)
    columns = prod(b.shape[d] for d in rest_b)
    left, right = permute(a, [*rest_a, *of_a]), permute(b, [*of_b, *rest_b])
    if rows == columns == 1:
        product = _single_product(left, right)
    else:
        product = mm(reshape(left, (rows, n)), reshape(right, (n, columns)))
    result = reshape(product, shape)
    return result if out is None else copyto(out, result, "tensordot", (a, b, dims))


def _single_product(a: Tensor, b: Tensor) -> Tensor:
    """The sum of all products, in the way that depends on memory in PyTorch, too."""
    if a.is_contiguous() and b.is_contiguous():
        return dot(reshape(a, (-1,)), reshape(b, (-1,)))
    return sum(squeeze(a) * squeeze(b), dtype=a.dtype)


def _dims_to_contract(dims: Any, fewest: int) -> list[Any]:
    """The dimensions of each operand that `tensordot` sums over."""
    if isinstance(dims, Tensor):
        dims = dims.tolist() if dims.numel() > 1 else int(dims)
    if not isinstance(dims, (int, tuple, list)):
        raise RuntimeError(
            "tensordot expects dims to be int or tuple[list[int], list[int]] or "
            f"list[list[int]] containing two lists, but got dims={dims}"
        )
    if isinstance(dims, int):
        if dims < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
        if dims > fewest:
            raise RuntimeError(
                f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}"
            )
        dims = list(range(-dims, 0)), list(range(dims))
    given = list(dims)
    check_call(len(given) == 2 and not any(isinstance(v, int) for v in given))
    for place, (name, v) in enumerate(zip(("self", "other"), given, strict=False), 3):
        if isinstance(v, float):
            raise TypeError(
                f"tensordot(): argument 'dims_{name}' (position {place}) must be tuple "
                "of ints, not float"
            )
    if len({len(v) for v in given}) > 1:
        raise RuntimeError("both dimension lists should have same length")
    return given


@public("kron")
@composite
@reported
def kron(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Kronecker product: a block `input[i] * other` for every element of `input`.

    Math: y[i·m + k] = a[i] · b[k], in every dimension
          ∂L/∂a[i] = Σₖ g[i·m + k] · b[k]      ∂L/∂b[k] = Σᵢ g[i·m + k] · a[i]
    Shape: (n.. ), (m..) -> (n·m..)

    Example:
        >>> import edutorch as torch
        >>> torch.kron(torch.tensor([1, 10]), torch.tensor([1, 2]))
        tensor([ 1,  2, 10, 20])
    """
    refuse_numbers("kron", input=input, other=other)
    ndim = max(ndim_of(input, "kron"), ndim_of(other, "kron", "other"))
    n = (1,) * (ndim - input.ndim) + tuple(input.shape)
    m = (1,) * (ndim - other.ndim) + tuple(other.shape)
    left = apply1(Reshape(tuple([s for i in n for s in (i, 1)])), input)
    right = apply1(Reshape(tuple([s for i in m for s in (1, i)])), other)
    sizes = tuple([i * k for i, k in zip(n, m, strict=True)])
    product = left * right
    if out is None and not (input.is_contiguous() and other.is_contiguous()):
        return _in_order(product, left, right).view(sizes)
    result = apply1(Reshape(sizes), product)
    if out is None:
        return result
    return copyto(out, result, "kron", (input, other), disjoint=(input, other))


def _in_order(product: Tensor, left: Tensor, right: Tensor) -> Tensor:
    """The product of two tensors, in the memory order of the first one, if it has any.

    NumPy leaves dimensions in row-major order where either operand says so.
    """
    if any_batched((product,)):
        return product.contiguous()
    strides = elementwise_strides(product.shape, 1, (left._data, right._data))
    same = product.stride() == strides
    return product if same else copy_with_strides(product, strides)


class Cross(Pointwise):
    """Cross product of 3-element vectors.

    Math: y = a × b      ∂L/∂a = b × g      ∂L/∂b = g × a
    Shape: (.., 3, ..), (.., 3, ..) -> (.., 3, ..)
    """

    torch_name = "LinalgCross"
    attributes = ("dim",)
    forward_in_single = False  # each product is rounded
    complex32_kernel = "cross"

    def __init__(self, dim: int) -> None:
        self.dim = dim

    def check(self, a: Any, b: Any) -> None:
        n, m = a._data.shape, b._data.shape
        if len(n) != len(m):
            raise RuntimeError(
                "linalg.cross: inputs must have the same number of dimensions."
            )
        if n[self.dim] != 3 or m[self.dim] != 3:
            raise RuntimeError(
                f"linalg.cross: inputs dimension {self.dim} must have length 3. Got "
                f"{n[self.dim]} and {m[self.dim]}"
            )
        raise_if(broadcast_error([n, m]))
        if a._data.dtype.kind == "b":
            raise NotImplementedError("\"cross\" not implemented for 'Bool'")
        if a._data.dtype != b._data.dtype:
            raise RuntimeError(
                f"expected scalar type {a.dtype.short} but found {b.dtype.short}"
            )

    def forward(self, a: Any, b: Any) -> Any:
        return row_major(np.cross(a, b, axis=self.dim))

    def backward(self, g: Any) -> Any:
        a, b = self.inputs
        return (
            cross_along(conj(b), g, self.dim) if self.needs[0] else None,
            cross_along(g, conj(a), self.dim) if self.needs[1] else None,
        )


def cross_along(a: Any, b: Any, dim: int) -> Any:
    """The cross product along a dimension, for formulas."""
    return apply2(Cross(dim), a, b)


@public("cross")
def cross(
    input: Tensor, other: Tensor, dim: int | None = None, *, out: Tensor | None = None,
    axis: Any = None,
) -> Tensor:  # fmt: skip
    """Cross product of 3-element vectors along `dim`.

    Math: y = a × b      ∂L/∂a = b × g      ∂L/∂b = g × a
    Shape: (.., 3, ..), (.., 3, ..) -> (.., 3, ..), broadcast

    Args:
        dim: without it, the first dimension of size 3.

    Raises:
        RuntimeError: if no dimension, or that one, has size 3.

    Example:
        >>> import edutorch as torch
        >>> torch.cross(torch.tensor([1, 0, 0]), torch.tensor([0, 1, 0]), dim=0)
        tensor([0, 0, 1])
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis)
    if _m.special_modes and cross in _m.modes.autocast:
        return _m.autocast(cross, input, other, dim, out=out)
    need_tensors("cross", input=input, other=other)
    if dim is None:
        warn_once(WITHOUT_DIM)
        threes = [d for d, n in enumerate(input.shape) if n == 3]
        if not threes:
            raise RuntimeError("no dimension of size 3 in input")
        dim = threes[0]
    if input.ndim != other.ndim:
        Cross(0).check(input, other)
    along = dim_unless_scalar(dim, input.ndim, "cross")
    Cross(dim).check(input, other)  # whose message shows the dimension as given
    result: Tensor = cross_along(input, other, along)
    if out is None:
        return result
    return copyto(out, result, "cross", (input, other), disjoint=(input, other))


WITHOUT_DIM = (
    "Using torch.cross without specifying the dim arg is deprecated.\nPlease either "
    "pass the dim explicitly or simply use torch.linalg.cross.\nThe default value of "
    "dim will change to agree with that of linalg.cross in a future release."
)
COMPUTE_MODES = (
    "use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist",
    "donot_use_mm_for_euclid_dist",
)  # fmt: skip


@composite
@parser_errors
def cdist(
    x1: Tensor,
    x2: Tensor,
    p: float = 2.0,
    compute_mode: str = "use_mm_for_euclid_dist_if_necessary",
) -> Tensor:
    """The p-norm distance between every row of one tensor and every row of another.

    Math: y[i, j] = ‖x₁[i] - x₂[j]‖ₚ
          ∂L/∂x₁[i] = Σⱼ g[i, j] · sgn(d) · (|d| / y)^(p-1), d = x₁[i] - x₂[j]
          ∂L/∂x₂[j] = −Σᵢ of the same
    Shape: (*, n, d), (*, m, d) -> (*, n, m)

    Args:
        compute_mode: how PyTorch computes euclidean distances; here always directly,
            but it decides whether there are distances in 16 bits.

    Raises:
        RuntimeError: for vectors, rows of different sizes or dtypes, or a negative p.
        ValueError: for an unknown mode.

    Example:
        >>> import edutorch as torch
        >>> torch.cdist(torch.tensor([[0.0, 0.0]]), torch.tensor([[3.0, 4.0]]))
        tensor([[5.]])
    """
    if _m.special_modes and cdist in _m.modes.autocast:
        return _m.autocast(cdist, x1, x2, p, compute_mode)
    need_tensors("cdist", x1=x1, x2=x2)
    p = number_of(p, "p", "cdist", "float")
    if compute_mode not in COMPUTE_MODES:
        raise ValueError(f"{compute_mode} is not a valid value for compute_mode")
    _check_cdist(x1, x2, p, compute_mode)
    if not any_batched((x1, x2)):
        if x1.numel() and x2.numel() and _uses_products(x1, x2, p, compute_mode):
            return _distances_from_products(x1, x2)
        distances: Tensor = apply2(Distances(p), x1, x2)
        return distances
    between = x1.unsqueeze(-2) - x2.unsqueeze(-3)  # (*, n, m, d)
    if p == 0:
        return apply1(Differing(0.0, (-1,), keepdim=False), between)
    return vector_norm(between, p, -1)


def _uses_products(x1: Tensor, x2: Tensor, p: float, mode: str) -> bool:
    """Whether PyTorch uses a product of matrices, which has another node."""
    large = mode == COMPUTE_MODES[0] and max(x1.shape[-2], x2.shape[-2]) > 25
    return p == 2 and (large or mode == COMPUTE_MODES[1])


def _distances_from_products(x1: Tensor, x2: Tensor) -> Tensor:
    """Euclidean distances with the nodes of PyTorch's way by products of matrices."""
    raise_if(broadcast_error([x1.shape[:-2], x2.shape[:-2]]))
    batch = np.broadcast_shapes(x1.shape[:-2], x2.shape[:-2])
    if batch:
        x1, x2 = (
            x.expand(*batch, -1, -1).contiguous().view(prod(batch), *x.shape[-2:])
            for x in (x1, x2)
        )
    y = apply2(EuclideanDistances(), x1, x2)
    return reshape(y, (*batch, *y.shape[-2:]))


def _check_cdist(x1: Tensor, x2: Tensor, p: float, mode: str) -> None:
    """Check that the rows have equal sizes, and a dtype that PyTorch supports.

    It has no kernel for 16 bits, but products of matrices, where it uses them.
    """
    for which, x in (("X1", x1), ("X2", x2)):
        if x.ndim < 2:
            raise RuntimeError(
                f"cdist only supports at least 2D tensors, {which} got: {x.ndim}D"
            )
    if x1.shape[-1] != x2.shape[-1]:
        raise RuntimeError(
            f"X1 and X2 must have the same number of columns. X1: {x1.shape[-1]} X2: "
            f"{x2.shape[-1]}"
        )
    for which, x in (("X1", x1), ("X2", x2)):
        if not x.is_floating_point():
            raise RuntimeError(
                f"cdist only supports floating-point dtypes, {which} got: "
                f"{x.dtype.short}"
            )
    if not p >= 0:
        raise RuntimeError("cdist only supports non-negative p values")
    if 0 not in (*x1.shape, *x2.shape) and not _uses_products(x1, x2, p, mode):
        refuse_kinds("cdist", "h", x1)
    if x1.dtype is not x2.dtype:
        raise RuntimeError(
            f"expected scalar type {x1.dtype.short} but found {x2.dtype.short}"
        )


class Differing(VectorNorm):
    """The number of nonzero elements; unlike the norm, it has gradients (zeros).

    Math: y = Σ [x ≠ 0]      ∂L/∂x = 0
    """

    torch_name = "Cdist"

    def backward(self, g: Any) -> Any:
        return self.inputs[0] * 0
