"""Embeddings: rows of a table looked up by index."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..autograd.dispatch import Op, apply1
from ..autograd.save_for_backward import save_version
from ..backends import array_module
from ..backends.sparse import Coo
from ..kernels.scatter import scatter_add_rows
from ..tensor.tensor import Tensor
from .argument_checks import (
    need_flags,
    need_one_device,
    need_tensors,
    refuse_complex_gradients,
)
from .argument_errors import check_call
from .embedding_checks import (
    check_lookup,
    check_renormalised,
    check_rows,
    out_of_range,
)
from .reduce.norms import VectorNorm

__all__ = ["Embedding", "RowSums", "embedding", "look_up", "renormalise"]


class Embedding(Op):
    """The rows of a table with the given indices.

    Math: y_i = w[index_i] · s_i      ∂L/∂w[k] = Σ_(i: index_i = k) s_i g_i
    Shape: (V, D) -> (*, D); s = 1 in the forward, 0 in the backward for padding
    """

    attributes = ("index", "rows", "scale")
    onnx = "Gather"
    saves = ()
    by_frequency = False  # rare rows get larger updates

    def __init__(self, index: Any, rows: int, scale: Any = None) -> None:
        self.index, self.rows = index, rows
        self.scale = scale  # of each row's gradient, (*, 1) or None

    def forward(self, w: Any) -> Any:
        return array_module(w).take(w, self.index, axis=0)

    def backward(self, g: Any) -> Any:
        return apply1(RowSums(self.index, self.rows, self.scale), g)


class RowSums(Op):
    """Sums of the rows that share an index: the transpose of `Embedding`.

    Math: y[k] = Σ_(i: index_i = k) s_i x_i      ∂L/∂x_i = s_i g[index_i]
    Shape: (*, D) -> (V, D)
    """

    attributes = ("index", "rows", "scale")
    torch_name = "EmbeddingDenseBackward"
    saves = ()

    def __init__(self, index: Any, rows: int, scale: Any = None) -> None:
        self.index, self.rows, self.scale = index, rows, scale

    def forward(self, x: Any) -> Any:
        x = x if self.scale is None else x * self.scale
        return scatter_add_rows(
            self.index.reshape(-1), x.reshape(self.index.size, x.shape[-1]), self.rows
        )

    def backward(self, g: Any) -> Any:
        y = apply1(Embedding(self.index, self.rows), g)
        return y if self.scale is None else y * self.scale


class EmbeddingSparse(Embedding):
    """`Embedding` with a sparse gradient of the rows that were looked up.

    Math: y_i = w[index_i]      ∂L/∂w[index_i] = g_i, of a row used twice both
    Shape: (V, D) -> (*, D)
    """

    public = "embedding"
    torch_name = "Embedding"

    def forward(self, w: Any) -> Any:
        y = super().forward(w)
        return y.dense() if isinstance(y, Coo) else y

    def backward(self, g: Any) -> Any:
        if self.by_frequency:
            raise RuntimeError(
                "embedding_backward: scale_grad_by_freq not supported with sparse "
                "gradients"
            )
        return apply1(SparseRows(self.index, self.rows, self.scale), g)


class SparseRows(RowSums):
    """A sparse table with the given rows: the transpose of `EmbeddingSparse`.

    Math: y[k] = Σ_(i: index_i = k) x_i, listed one by one      ∂L/∂x_i = s_i g[index_i]
    Shape: (*, D) -> (V, D); rows whose scale is 0 are left out
    """

    def forward(self, x: Any) -> Any:
        index = self.index.reshape(1, -1).astype(np.int64)
        rows = x.reshape(self.index.size, x.shape[-1])
        if self.scale is not None:
            nonzero = self.scale.reshape(-1) != 0
            index, rows = index[:, nonzero], rows[nonzero]
        tensor_list = index.shape[1]
        return Coo(index, rows, (self.rows, rows.shape[1]), coalesced=tensor_list < 2)

    def backward(self, g: Any) -> Any:
        y = apply1(EmbeddingSparse(self.index, self.rows), g)
        return y if self.scale is None else y * self.scale


def _gradient_scale(index: Any, w: Any, padding: int | None, by_frequency: bool) -> Any:
    """The factor of each row's gradient, or None for 1."""
    xp = array_module(index)
    scale = None
    if by_frequency:
        scale = 1 / xp.bincount(index.reshape(-1), minlength=w.shape[0])[index]
    if padding is not None:
        not_padding = index != padding
        scale = not_padding if scale is None else not_padding * scale
    return None if scale is None else scale.astype(w.dtype)[..., None]


def renormalise(w: Tensor, index: Any, max_norm: float, p: float) -> None:
    """Rescale the rows that are looked up to norm at most `max_norm`, in place."""
    if w._data.dtype.kind in "iub":
        raise RuntimeError(
            "norm(): input dtype should be either floating point or complex. Got "
            f"{w.dtype.short} instead."
        )
    xp = array_module(w._data)
    used = xp.unique(index)
    check_rows(used, tuple(w.shape))
    rows = w._data[used]
    norms = VectorNorm(float(p), (1,), False).forward(rows)
    factors = xp.where(norms > max_norm, max_norm / (norms + 1e-7), 1)
    w._data[used] = rows * factors[:, None].astype(rows.dtype)
    w.untyped_storage().version += 1


def look_up(
    index: Any, w: Any, padding: int | None, by_frequency: bool, sparse: bool
) -> Tensor:
    """The rows of a table with checked indices.

    Raises:
        IndexError: for rows that do not exist.
    """
    data, rows = index._data, w.shape[0]
    if data.size and (data.min() < 0 or data.max() >= rows):
        raise out_of_range(data, w.shape)
    scale = _gradient_scale(data, w._data, padding, by_frequency and not sparse)
    op = EmbeddingSparse(data, rows, scale) if sparse else Embedding(data, rows, scale)
    op.by_frequency = by_frequency
    y: Tensor = apply1(op, w)
    save_version(y, index)
    return y


def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """The rows of a table with the given indices.

    Math: y_i = w[index_i]      ∂L/∂w[k] = Σ_(i: index_i = k) g_i
    Shape: (*), (V, D) -> (*, D)
    Reference: Bengio, Ducharme, Vincent and Jauvin (2003), "A neural probabilistic
          language model".

    Args:
        input: indices of rows.
        weight: the table.
        padding_idx: a row that gets no gradient.
        max_norm: rows that are looked up are shortened to this norm, in place.
        norm_type: p of that norm.
        scale_grad_by_freq: divide the gradient of a row by its number of lookups.
        sparse: the gradient of the table lists only the rows that were looked up.

    Raises:
        IndexError: for a row that does not exist.
        AssertionError: for a `padding_idx` that does not exist.
        RuntimeError: for indices of another type.

    Example:
        >>> import edutorch as torch
        >>> table = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> torch.nn.functional.embedding(torch.tensor([1]), table)
        tensor([[3., 4.]])
    """
    need_flags("embedding", scale_grad_by_freq=scale_grad_by_freq, sparse=sparse)
    need_tensors("embedding", weight=weight, indices=input)
    if padding_idx is not None:
        rows = weight.size(0)
        if padding_idx >= rows if padding_idx > 0 else padding_idx < -rows:
            raise AssertionError("Padding_idx must be within num_embeddings")
        check_call(type(padding_idx) is int)
        padding_idx = int(padding_idx) % rows if rows else 0
    if max_norm is not None:
        check_call(isinstance(max_norm, (int, float)))
        max_norm = float(max_norm)
        check_renormalised(input, weight)
    if input._device is not weight._device:
        need_one_device("__index_select", weight, index=input)
    check_lookup(input, weight, "embedding")
    if max_norm is not None:
        renormalise(weight, input._data, max_norm, norm_type)
    rows = look_up(input, weight, padding_idx, scale_grad_by_freq, sparse)
    if rows._data.dtype.kind == "c":
        refuse_complex_gradients("embedding", rows)
    return rows
