"""Sparse matrix products that reduce by mean, maximum or minimum."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.dispatch import Op, apply1, apply2
from ...layouts import sparse_bsc, sparse_bsr, sparse_csc, sparse_csr
from ...tensor.tensor import Tensor
from ..embedding import Embedding, RowSums
from ..pointwise.conjugate import conj
from ..reduce.sums import sum
from ..shape.views import reshape
from .create import SparseCompressedTensor
from .to_dense import Values
from .validation import refuse_backend

__all__: list[str] = []

EXTREMES = {"amax": np.maximum, "amin": np.minimum}


class SparseMmReduceImpl(Op):
    """The sum, mean or extreme of the products of each row's values.

    Math: y[i, m] = reduce over k of a[i, k] b[k, m], for the values of a
          ∂L/∂a[i, k] = Σₘ c g[i, m] b[k, m]      ∂L/∂b[k, m] = Σᵢ c g[i, m] a[i, k]
          with c = 1 for sums, 1 / count for means, 1 at the extreme and else 0
    Shape: (n, k), (k, m) -> (n, m)
    """

    attributes = ("reduce",)

    def __init__(self, reduce: str) -> None:
        self.reduce = reduce

    def forward(self, a: Any, b: Any) -> Any:
        rows, columns = self.coordinates = a.coordinates()
        self.pattern, self.size = a, len(b)
        products = a.values[:, None] * b[columns]  # (nnz, m)
        y = np.zeros((a.shape[0], b.shape[1]), products.dtype)
        filled = np.diff(a.pointers) > 0
        starts = a.pointers[:-1][filled]
        self.share = np.ones((len(products), 1), products.dtype)
        if not starts.size:
            return y
        if self.reduce in EXTREMES:
            y[filled] = EXTREMES[self.reduce].reduceat(products, starts)
            self.share = _first_extremes(products == y[rows], rows, starts, filled)
            self.share = self.share.astype(products.dtype)
            return y
        y[filled] = np.add.reduceat(products, starts)
        if self.reduce == "mean":
            counts = np.maximum(np.diff(a.pointers), 1)[:, None].astype(y.dtype)
            y, self.share = y / counts, 1 / counts[rows]
        return y

    def backward(self, g: Any) -> Any:
        a, b = self.inputs
        rows, columns = self.coordinates
        x = self.pattern
        spread = apply1(Embedding(rows, x.shape[0]), g) * self.share  # (nnz, m)
        ga = gb = None
        if self.needs[0]:
            met = apply1(Embedding(columns, self.size), conj(b))
            put = SparseCompressedTensor(x.pointers, x.plain, x.shape, x.layout)
            ga = apply1(put, sum(spread * met, 1))
        if self.needs[1]:
            values = reshape(apply1(Values(), conj(a)), (-1, 1))
            gb = apply1(RowSums(columns, self.size), spread * values)
        return ga, gb


def _first_extremes(best: Any, rows: Any, starts: Any, filled: Any) -> Any:
    """The first of the products that equal the extreme of their row."""
    order = np.arange(len(best))[:, None]
    place = np.where(best, order, len(best))  # (nnz, m)
    first = np.zeros((filled.size, best.shape[1]), np.int64)
    first[filled] = np.minimum.reduceat(place, starts)
    return order == first[rows]


def reduced_mm(a: Tensor, b: Tensor, reduce: str) -> Tensor:
    """The product of a CSR and a dense matrix with a reduction other than a sum."""
    if reduce not in ("sum", "mean", "amax", "amin"):
        raise RuntimeError(
            "torch._sparse_mm_reduce_impl: expected reduce to be one of sum, mean, "
            f"amax or amin, got {reduce}"
        )
    if a.layout in (sparse_csc, sparse_bsr, sparse_bsc):
        raise RuntimeError(
            f"sparse_mm_reduce: expect self to be SparseCsr, got {a.layout.words}"
        )
    if a.layout is not sparse_csr:
        refuse_backend(a, "_sparse_mm_reduce_impl")
    if a.shape[1] != b.shape[0]:
        raise RuntimeError(
            "torch._sparse_mm_reduce_impl: mat1 and mat2 shapes cannot be multiplied "
            f"({a.shape[0]}x{a.shape[1]} and {b.shape[0]}x{b.shape[1]})"
        )
    return apply2(SparseMmReduceImpl(reduce), a, b)
