"""Vector norms and distances."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from ... import dtypes
from ...autograd import modes as _m
from ...autograd.dispatch import Op, apply1, apply2
from ...autograd.foreign_operands import accept_arrays
from ...backends import reduce_with
from ...kernels.memory_format import row_major
from ...kernels.sum_of_squares import sum_of_squares
from ...op_events import reported
from ...tensor.tensor import Tensor
from ..argument_checks import need_tensors, number_of, numpy_dtype, type_error
from ..argument_errors import argument_error, parser_errors
from ..dims import ABSENT, axis_for, dim_of, dims_of, keepdim_shape, ndim_of
from ..pointwise.abs_sign import abs, sgn
from ..pointwise.conjugate import conj
from ..pointwise.ternary import where
from ..promotion import result_type
from ..registration import copyto, public
from ..shape.views import reshape
from .sums import SMALL, sum

__all__ = ["dist", "renorm"]

# NumPy's types want a literal `keepdims`.
ADD: Any = np.add
MAXIMUM: Any = np.maximum
MINIMUM: Any = np.minimum


class VectorNorm(Op):
    """The p-norm over dimensions, treating elements as one vector.

    Math: y = (Σ |x|^p)^(1/p); p = ∞: max |x|; p = 0: how many are not 0
          ∂L/∂x = g · sgn(x) · (|x| / y)^(p-1), 0 where y is 0
          p = ±∞: g · sgn(x), shared equally by the elements of that size; p = 0: 0
    Shape: (*) -> (* without dim)
    """

    attributes = ("p", "dim", "keepdim", "dtype")
    torch_name = "LinalgVectorNorm"
    saves_output = True
    complex32 = "single"
    given_dims: tuple[int, ...] = ()  # negative ones, too, for messages
    raises_single = False  # whether a single element is raised to p, too

    def __init__(
        self, p: float, dim: tuple[int, ...] | None, keepdim: bool, dtype: Any = None
    ) -> None:
        self.p, self.dim, self.keepdim, self.dtype = p, dim, keepdim, dtype

    def check(self, x: Any) -> None:
        name = "linalg.vector_norm"
        refuse_integers(x)
        if self.p < 0 or self.p == inf:
            self._need_elements(x._data, f"{name} cannot compute the {self.p:g} norm")
        if self.dtype is not None:
            require_wider(name, x, dtypes.of_numpy[self.dtype])

    def _need_elements(self, x: Any, what: str) -> None:
        """Raise for empty dimensions, which have no maximum."""
        given = range(x.ndim) if self.dim is None else self.given_dims or self.dim
        for d in given:
            if x.shape[d] == 0:
                where = f"the dimension {d}because this dimension is empty and"
                if self.dim is None:
                    where = "an empty tensor because"
                raise RuntimeError(
                    f"{what} on {where} the operation does not have an identity"
                )

    def forward(self, x: Any) -> Any:
        if self.dtype is not None:
            x = x.astype(self.dtype)
        if x.dtype.itemsize == 2 and x.dtype.kind not in "iu":  # half: in single
            return row_major(self.compute_norm(x.astype("f4"))).astype(x.dtype)
        return row_major(self.compute_norm(x))

    def compute_norm(self, x: Any) -> Any:
        """The norm in the precision of `x`."""
        p, dim, keep = self.p, self.dim, self.keepdim
        lone = x.size == 1 if dim is None else all(x.shape[d] == 1 for d in dim)
        if lone and p != 0 and not self.raises_single:  # no power that may overflow
            return ADD.reduce(np.abs(x), dim, keepdims=keep)
        size = x if p == 2 and x.dtype.kind == "f" else np.abs(x)
        if p in (inf, -inf):
            most = np.maximum if p > 0 else np.minimum
            return reduce_with(most, size, dim, keep)
        if p == 0 or not x.size:
            return ADD.reduce(x != 0, dim, keepdims=keep).astype(size.dtype)
        if p == 1:
            return ADD.reduce(size, dim, keepdims=keep)
        if p == 2:
            total = self.sum_of_squares_in_lanes(x)
            if total is None:
                total = ADD.reduce(size * size, dim, keepdims=keep)
            return np.sqrt(total)
        return ADD.reduce(size**p, dim, keepdims=keep) ** (1 / p)

    def sum_of_squares_in_lanes(self, x: Any) -> Any:
        """Σ x² of all elements, in PyTorch's order of summation."""
        if x.size < SMALL or x.dtype != np.float32 or type(x) is not np.ndarray:
            return None
        if self.dim is not None and len(self.dim) < x.ndim:
            return None
        if not (x.flags.c_contiguous or x.flags.f_contiguous):
            return None
        total = sum_of_squares(x.ravel("K"))
        return total.reshape((1,) * x.ndim) if self.keepdim else total

    def backward(self, g: Any) -> Any:
        return self.gradient(g, self.inputs[0], self.output)

    def gradient(self, g: Any, x: Any, y: Any) -> Any:
        """∂L/∂x, given x and its norm y."""
        p = self.p
        shape = keepdim_shape(tuple(x.shape), self.dim)
        g, y = reshape(g, shape), reshape(y, shape)
        if p == 0:  # a count has no gradient
            return None
        if p == 1:
            return g * sgn(x)
        if p == 2:
            return g / where(y == 0, inf, y) * x
        if p in (inf, -inf):
            return self.shared(g, x, y)
        size = where(x == 0, 1, abs(x))  # zeros have the slope 0 by their sign
        direction = sgn(x) * size ** (p - 1)
        return where(y == 0, 0, g / where(y == 0, 1, y) ** (p - 1)) * direction

    def shared(self, g: Any, x: Any, y: Any) -> Any:
        """The gradient shared equally by the elements of extreme magnitude."""
        hit = (abs(x) == y) | ((x != x) & (y != y))
        return where(hit, sgn(x) * (g / sum(hit, self.dim, keepdim=True)), 0)


class Norm(VectorNorm):
    """The p-norm of older functions, whose node has another name in PyTorch.

    Math: y = (Σ |x|^p)^(1/p)      ∂L/∂x = g · sgn(x) · (|x| / y)^(p-1)
    Shape: (*, D) -> (*)
    """

    torch_name = "Norm"
    overload = 1
    complex32 = "single"


def refuse_integers(x: Tensor) -> None:
    """Raise for integers and booleans.

    Raises:
        RuntimeError: with their dtype.
    """
    if x._data.dtype.kind in "iub":
        raise argument_error() or RuntimeError(
            "linalg.vector_norm: Expected a floating point or complex tensor as input. "
            f"Got {x.dtype.short}"
        )


def require_wider(name: str, x: Tensor, dtype: dtypes.dtype | None) -> None:
    """Raise for a dtype narrower than that of the tensor.

    Raises:
        RuntimeError: in PyTorch's words.
    """
    if dtype is None:
        return
    if dtype.numpy.kind not in "fcVW":
        raise RuntimeError(
            f"{name}: dtype should be floating point or complex, but got {dtype.short}"
        )
    if dtype.is_complex != x.is_complex():
        kind = "complex" if x.is_complex() else "real"
        raise RuntimeError(
            f"{name}: dtype should be {kind} for {kind} inputs, but got {dtype.short}"
        )
    if dtypes.promote_types(x.dtype, dtype) is not dtype:
        raise RuntimeError(
            f"{name}: the dtype of the input ({x.dtype.short}) should be convertible "
            f"without narrowing to the specified dtype ({dtype.short})"
        )


def vector_norm(
    input: Tensor,
    ord: float = 2,
    dim: Any = None,
    keepdim: bool = False,
    *,
    dtype: dtypes.dtype | None = None,
    out: Tensor | None = None,
    axis: Any = None,
    keepdims: Any = ABSENT,
) -> Tensor:
    """The p-norm over dimensions, treating elements as one vector.

    Math: y = (Σ |x|^p)^(1/p); p = ∞: max |x|; p = 0: how many are not 0
          ∂L/∂x = g · sgn(x) · (|x| / y)^(p-1), 0 where y is 0
          p = ±∞: g · sgn(x), shared equally by the elements of that size; p = 0: 0
    Shape: (*) -> (* without dim), or with size 1 there (`keepdim`)

    Raises:
        RuntimeError: for integers, and for norms of nothing that have no value.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.vector_norm(torch.tensor([3.0, 4.0]))
        tensor(5.)
    """
    if _m.special_modes and vector_norm in _m.modes.autocast:
        return _m.autocast(
            vector_norm, input, ord, dim, keepdim, dtype=dtype, out=out, axis=axis,
            keepdims=keepdims,
        )  # fmt: skip
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis)
    if keepdims is not ABSENT:
        keepdim = keepdims
    if keepdim is not False and keepdim is not True:
        raise type_error("bool", "keepdim", keepdim, "linalg_vector_norm")
    to = numpy_dtype(dtype, None, "linalg_vector_norm")
    need_tensors("linalg_vector_norm", input=input)
    if isinstance(ord, Tensor):
        ord = number_of(ord, "ord", "linalg_vector_norm")
    if isinstance(ord, complex):
        refuse_integers(input)
        raise argument_error() or RuntimeError(
            "linalg.vector_norm: Expected a non-complex scalar as the order of norm."
        )
    if not isinstance(ord, (int, float)) and not hasattr(ord, "__float__"):
        raise type_error("Number", "ord", ord, "linalg_vector_norm")
    refuse_integers(input)
    try:
        dims = dims_of(dim, ndim_of(input, "linalg_vector_norm"), "linalg_vector_norm")
    except (IndexError, RuntimeError):
        if to is not None:  # PyTorch looks at dtypes first
            require_wider("linalg.vector_norm", input, dtypes.of_numpy[to])
        raise
    op = VectorNorm(float(ord), dims, keepdim, to)
    if op.dim is not None:
        op.given_dims = tuple(dim) if isinstance(dim, (tuple, list)) else (dim,)
    of_all = dim is None or (isinstance(dim, (tuple, list)) and not dim)
    op.raises_single = not input.ndim and not of_all
    result = apply1(op, input)
    return (
        result if out is None else copyto(out, result, "linalg_vector_norm", (input,))
    )


class Dist(Op):
    """The p-norm of the difference of two tensors.

    Math: y = ‖a - b‖ₚ      ∂L/∂a = -∂L/∂b = the gradient of the norm
    Shape: (*), (*) -> (), broadcast
    """

    same_device = slice(None)
    attributes = ("p",)
    saves_output = True
    complex32 = "single"

    def __init__(self, p: float) -> None:
        self.p = p

    @property
    def norm(self) -> VectorNorm:
        """The op for the norm of the difference."""
        return VectorNorm(self.p, None, keepdim=False)

    def forward(self, a: Any, b: Any) -> Any:
        return self.norm.forward(a - b)

    def backward(self, g: Any) -> Any:
        a, b = self.inputs
        ga = self.norm.gradient(g, a - b, self.output)
        return (None, None) if ga is None else (ga, -ga)


@public("dist")
@parser_errors
def dist(input: Tensor, other: Tensor, p: float = 2) -> Tensor:
    """The p-norm of the difference of two tensors.

    Math: y = ‖a - b‖ₚ      ∂L/∂a = -∂L/∂b = the gradient of the norm
    Shape: (*), (*) -> (), broadcast

    Raises:
        RuntimeError: for integers and booleans, and shapes that do not broadcast.

    Example:
        >>> import edutorch as torch
        >>> torch.dist(torch.tensor([1.0, 2.0]), torch.tensor([4.0, 6.0]))
        tensor(5.)
    """
    if _m.special_modes and dist in _m.modes.autocast:
        return _m.autocast(dist, input, other, p)
    need_tensors("dist", input=input, other=other)
    p = number_of(p, "p", "dist")
    common = result_type(input, other)
    if common.kind < dtypes.FLOATING:
        _ = input - other  # refused first
        raise RuntimeError(
            "norm(): input dtype should be either floating point or complex. Got "
            f"{common.short} instead."
        )
    same = input.dtype is other.dtype
    of_nothing = not (input.numel() and other.numel())
    refused = isinstance(p, complex) or (of_nothing and not 0 <= p < inf)
    if refused or not same:
        return vector_norm(input - other, p)
    result: Tensor = apply2(Dist(float(p)), input, other)
    return result


class Renorm(Op):
    """Scales slices along a dimension down to a p-norm of at most `maxnorm`.

    Math: y = x · min(1, maxnorm / (‖x‖ₚ + 1e-7))
          ∂L/∂x = g where ‖x‖ₚ <= maxnorm, else f·g − f²/maxnorm · Σ g·x · ∂‖x‖ₚ/∂x,
          f the factor of x
    Shape: (*) -> (*)
    """

    attributes = ("p", "dim", "maxnorm")
    forward_in_single = False

    def __init__(self, p: float, dim: int, maxnorm: float) -> None:
        self.p, self.dim, self.maxnorm = p, dim, maxnorm

    def norm(self, x: Any) -> VectorNorm:
        """The op for the norm of each slice."""
        others = tuple(d for d in range(x.ndim) if d != self.dim)
        return VectorNorm(self.p, others, keepdim=True)

    def factor(self, size: Any) -> Any:
        """What slices of these norms are multiplied by."""
        return where(size > self.maxnorm, self.maxnorm / (size + 1e-7), 1.0)

    def forward(self, x: Any) -> Any:
        single = x.astype("f4") if x.dtype.itemsize == 2 else x
        with accept_arrays():
            factor = self.factor(self.norm(x).forward(single))
        if single is not x:  # only the factor and the product are rounded to 16 bits
            factor = factor.astype(x.dtype).astype("f4")
        return (row_major(single) * factor).astype(x.dtype, copy=False)

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        norm = self.norm(x)
        size = norm.forward(x) if type(x) is np.ndarray else apply1(norm, x)
        factor = self.factor(size)
        along = sum(g * conj(x), norm.dim, keepdim=True)
        slope = where(size > self.maxnorm, -factor / (size + 1e-7) * along.real, 0)
        return g * factor + norm.gradient(slope, x, size)


@public("renorm", inplace="renorm_")
@parser_errors
@reported
def renorm(
    input: Tensor, p: float, dim: int, maxnorm: float, *, out: Tensor | None = None
) -> Tensor:
    """Scale slices along `dim` down to a p-norm of at most `maxnorm`.

    Math: y = x · min(1, maxnorm / (‖x‖ₚ + 1e-7))
          ∂L/∂x = g where ‖x‖ₚ <= maxnorm, else f·g − f²/maxnorm · Σ g·x · ∂‖x‖ₚ/∂x,
          f the factor of x
    Shape: (*) -> (*)

    Raises:
        RuntimeError: for fewer than two dimensions, or a p or norm out of range.

    Example:
        >>> import edutorch as torch
        >>> torch.renorm(torch.tensor([[3.0, 4.0], [0.3, 0.4]]), 2, 0, 1.0)
        tensor([[0.6000, 0.8000],
                [0.3000, 0.4000]])
    """
    if _m.special_modes and renorm in _m.modes.autocast:
        return _m.autocast(renorm, input, p, dim, maxnorm, out=out)
    if ndim_of(input, "renorm") < 2:
        raise RuntimeError(
            f"renorm: input needs at least 2 dimensions, got {input.ndim} dimensions"
        )
    p = number_of(p, "p", "renorm")
    maxnorm = number_of(maxnorm, "maxnorm", "renorm")
    for name, value in (("p", p), ("maxnorm", maxnorm)):
        if isinstance(value, complex):
            raise RuntimeError(f"renorm: {name} must be real-valued")
    if not p > 0:
        raise RuntimeError("renorm: non-positive-norm not supported")
    if not maxnorm >= 0:
        raise RuntimeError(f"renorm: expected maxnorm to be >= 0 but got {maxnorm:g}")
    along = dim_of(dim, ndim_of(input, "renorm"), "renorm")
    op = Renorm(float(p), along, float(maxnorm))
    op.norm(input).check(input)
    result: Tensor = apply1(op, input)
    return result if out is None else copyto(out, result, "renorm", (input,))
