"""Distances and similarity of vectors."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Any

import numpy as np

from ..autograd import modes as _m
from ..autograd.dispatch import Op, apply1
from ..autograd.half_precision import is_half
from ..autograd.modes import no_grad
from ..backends import array_module
from ..dtypes import of_numpy, promote_types
from ..kernels import distances as kernels
from ..op_events import reported
from ..tensor.tensor import Tensor
from .argument_checks import need_tensors, number_of, type_error
from .argument_errors import check_call, parser_errors
from .pointwise.with_numbers import add_number
from .promotion import refuse_dtype
from .reduce import sum
from .reduce.norms import Norm, VectorNorm, vector_norm
from .registration import composite
from .shape.broadcasting import broadcast_tensors

__all__ = ["cosine_similarity", "pairwise_distance", "pdist"]

BLOCK = 2**15  # elements per block, so that the differences stay in the cache


@composite
@reported
def pairwise_distance(
    x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False
) -> Tensor:
    """The p-norm of the difference of corresponding vectors.

    Math: y = (Σ_d |a_d − b_d + eps|^p)^(1/p)
          ∂L/∂a = g · sgn(d) · (|d| / y)^(p-1), d = a − b + eps      ∂L/∂b = −∂L/∂a
    Shape: (*, D), (*, D) -> (*), or (*, 1) with `keepdim`

    Args:
        x1: vectors.
        x2: vectors.
        p: which norm.
        eps: added to the differences, against a norm of 0.
        keepdim: keep the last dimension, with size 1.

    Raises:
        TypeError: for a flag that is not a bool.

    Example:
        >>> import edutorch as torch
        >>> a, b = torch.tensor([[3.0, 4.0]]), torch.zeros(1, 2)
        >>> torch.pairwise_distance(a, b)
        tensor([5.0000])
    """
    if keepdim is not False and keepdim is not True:
        raise type_error("bool", "keepdim", keepdim, "pairwise_distance")
    need_tensors("pairwise_distance", x1=x1, x2=x2)
    check_call(isinstance(p, (int, float)) and isinstance(eps, (int, float)))
    between = add_number(x1 - x2, float(eps))
    last = (between.ndim - 1,) if between.ndim else ()
    return apply1(Norm(float(p), last, keepdim), between)


@composite
@parser_errors
@reported
def cosine_similarity(
    x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8
) -> Tensor:
    """Cosine of the angle between vectors.

    Math: y = a·b / (m n), m = max(‖a‖, eps), n = max(‖b‖, eps)
          ∂L/∂a = g · (b/n − y · a/‖a‖) / m, as if m were never eps      ∂L/∂b likewise
    Shape: (*), (*) -> (*) without `dim`, broadcast

    Args:
        x1: vectors.
        x2: vectors.
        dim: the dimension of the vectors.
        eps: the least length, against division by 0.

    Raises:
        IndexError: if there is no such dimension.
        RuntimeError: for a negative `eps`.

    Example:
        >>> import edutorch as torch
        >>> a, b = torch.tensor([[1.0, 0.0]]), torch.tensor([[1.0, 1.0]])
        >>> torch.cosine_similarity(a, b)
        tensor([0.7071])
    """
    if _m.special_modes and cosine_similarity in _m.modes.autocast:
        return _m.autocast(cosine_similarity, x1, x2, dim, eps)
    need_tensors("cosine_similarity", x1=x1, x2=x2)
    eps = number_of(eps, "eps", "cosine_similarity", "float")
    x1, x2 = _promote_to_floating(x1, x2)
    if not eps >= 0:
        raise RuntimeError(f"eps must be non-negative, got: {eps:g}")
    x1, x2 = broadcast_tensors(x1, x2)  # `dim` counts the dimensions of both

    def unit(v: Any) -> Any:
        length = vector_norm(v, 2, (dim,), keepdim=True).clone()
        with no_grad():  # the gradient is that of the length, as in PyTorch
            length.clamp_min_(eps)
        return v / length

    return sum(unit(x1) * unit(x2), (dim,))


def _promote_to_floating(x1: Any, x2: Any) -> tuple[Any, Any]:
    """Convert integers to the common dtype, which must be floating-point."""
    common = promote_types(x1.dtype, x2.dtype)  # 0-d tensors count fully
    if not common.is_floating_point:
        raise RuntimeError(
            "expected common dtype to be floating point, yet common dtype is "
            f"{common.short}"
        )
    first, second = (x if x.is_floating_point() else x.to(common) for x in (x1, x2))
    return first, second


class PairDifferences(Op):
    """The difference of each pair of rows, the first minus the second.

    Math: y[k] = x[i] − x[j], k counting the pairs i < j      ∂L/∂x: `PairSums` of g
    Shape: (N, D) -> (N·(N − 1)/2, D)
    """

    saves = ()

    def forward(self, x: Any) -> Any:
        self.n = n = len(x)
        y = array_module(x).empty((n * (n - 1) // 2, x.shape[1]), x.dtype)
        for i, pairs in pairs_of(n):
            y[pairs] = x[i] - x[i + 1 :]
        return y

    def backward(self, g: Any) -> Any:
        return apply1(PairSums(self.n), g)


class PairSums(Op):
    """The transpose of `PairDifferences`: sums over the pairs of each row.

    Math: y[i] = Σ_(k of (i, j)) x[k] − Σ_(k of (j, i)) x[k]
          ∂L/∂x: `PairDifferences` of g
    Shape: (N·(N − 1)/2, D) -> (N, D)
    """

    attributes = ("n",)
    saves = ()

    def __init__(self, n: int) -> None:
        self.n = n

    def forward(self, x: Any) -> Any:
        y = array_module(x).zeros((self.n, x.shape[1]), x.dtype)
        for i, pairs in pairs_of(self.n):
            y[i] += x[pairs].sum(0)
            y[i + 1 :] -= x[pairs]
        return y

    def backward(self, g: Any) -> Any:
        return apply1(PairDifferences(), g)


def pairs_of(n: int) -> Iterator[tuple[int, slice]]:
    """For each of `n` rows, the indices of its pairs with later rows.

    Example:
        >>> list(pairs_of(3))
        [(0, slice(0, 2, None)), (1, slice(2, 3, None))]
    """
    start = 0
    for i in range(n - 1):
        stop = start + n - 1 - i
        yield i, slice(start, stop)
        start = stop


def later_pairs(n: int) -> Any:
    """A boolean matrix that is True for each pair i < j.

    Example:
        >>> later_pairs(2)
        array([[False,  True],
               [False, False]])
    """
    return ~np.tri(n, dtype=bool)


class Pdist(VectorNorm):
    """The p-norm of the difference d[k] = x[i] − x[j] of every two rows, i < j.

    Math: y[k] = ‖d[k]‖_p      ∂L/∂d = g · sgn(d) · (|d| / y)^(p-1), 0 where y is 0
          ∂L/∂x[i] = Σ_(k of (i, j)) ∂L/∂d[k] − Σ_(k of (j, i)) ∂L/∂d[k]
    Shape: (N, D) -> (N·(N − 1)/2)
    """

    def __init__(self, p: float) -> None:
        super().__init__(p, (1,), keepdim=False)

    def check(self, x: Any) -> None:
        """Do nothing: `pdist` has checked its arguments."""

    def forward(self, x: Any) -> Any:
        n, width = x.shape
        y = array_module(x).zeros(n * (n - 1) // 2, x.dtype)
        if not width:
            return y
        all_pairs = kernels.distances_compiled(x, x) if self.p == 2 else None
        if all_pairs is not None:
            return all_pairs[later_pairs(n)]
        along = VectorNorm(self.p, (0,), keepdim=False)
        columns = array_module(x).ascontiguousarray(x.T)
        step = max(1, BLOCK // max(1, n * width))
        places = dict(pairs_of(n))
        for i in range(0, n - 1, step):
            last = min(i + step, n - 1)
            gaps = columns[:, None, i + 1 :] - columns[:, i:last, None]
            lengths = along.compute_norm(gaps)  # (last - i, n - 1 - i)
            for k in range(i, last):  # the first pairs of later rows are known already
                y[places[k]] = lengths[k - i, k - i :]
        return y

    def backward(self, g: Any) -> Any:
        if is_half(self.out_dtype):  # of a single row, which has no distances
            refuse_dtype("pdist_backward", of_numpy[self.out_dtype])
        if self.p == 2 and not isinstance(g, Tensor):
            found = self.by_kernel(g, self.inputs[0])
            if found is not None:
                return found
        if self.p == 0:  # a count
            return self.inputs[0] * 0
        gaps = apply1(PairDifferences(), self.inputs[0])
        pair_gradients = self.gradient(g, gaps, self.output)
        return apply1(PairSums(self.inputs[0].shape[0]), pair_gradients)

    def by_kernel(self, g: Any, x: Any) -> Any:
        """The gradient by a compiled kernel, or None if there is none."""
        n = len(x)
        shares = array_module(x).zeros((n, n), x.dtype)
        y = self.output
        over_distance = g / array_module(x).where(y == 0, y.dtype.type(inf), y)
        shares[later_pairs(n)] = over_distance
        found = kernels.distances_backward_compiled(shares, x, x)
        return None if found is None else found[0] + found[1]


def pdist(input: Tensor, p: float = 2.0) -> Tensor:
    """The p-norm distances between all pairs of rows.

    Math: y[(i, j)] = ‖x[i] − x[j]‖_p for all i < j
          ∂L/∂x[i] = Σ_(j≠i) g · sgn(d) · (|d| / y)^(p-1), d = x[i] − x[j]
    Shape: (N, D) -> (N·(N − 1)/2)

    Args:
        input: rows.
        p: which norm: 0 counts differences, ∞ is the largest.

    Raises:
        RuntimeError: for another number of dimensions, integers, or p < 0.
        NotImplementedError: for half precision.

    Example:
        >>> import edutorch as torch
        >>> torch.pdist(torch.tensor([[0.0, 0.0], [3.0, 4.0], [0.0, 4.0]]))
        tensor([5., 4., 3.])
    """
    if _m.special_modes and pdist in _m.modes.autocast:
        return _m.autocast(pdist, input, p)
    need_tensors("pdist", input=input)
    p = number_of(p, "p", "pdist", "float")
    if input.ndim != 2:
        raise RuntimeError(f"pdist only supports 2D tensors, got: {input.ndim}D")
    if not input.is_floating_point():
        raise RuntimeError("pdist only supports floating-point dtypes")
    if not p >= 0:
        raise RuntimeError("pdist only supports non-negative p values")
    if input.dtype.itemsize == 2 and input.shape[0] > 1 and input.shape[1]:
        raise NotImplementedError(
            f"\"pdist\" not implemented for '{input.dtype.short}'"
        )
    return apply1(Pdist(float(p)), input)
