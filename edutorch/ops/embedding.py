"""Embeddings: rows of a table looked up by index."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ..autograd.dispatch import Op, apply1, apply2
from ..autograd.save_for_backward import save_version
from ..backends import array_module, host_array
from ..backends.sparse import Coo
from ..kernels.scatter import scatter_add_rows
from ..tensor.tensor import Tensor, wrap
from .argument_checks import need_flags, need_one_device, need_tensors
from .argument_errors import check_call
from .embedding_checks import (
    check_lookup,
    check_renormalised,
    check_rows,
    need_dtype_of,
    out_of_range,
)
from .index.gathering import Gather
from .reduce.norms import VectorNorm
from .registration import composite
from .shape.joining import cat

__all__ = ["embedding", "embedding_bag"]


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


class BagSums(RowSums):
    """Sums of the rows of each bag.

    Math: y[b] = Σ_(i in bag b) s_i x_i      ∂L/∂x_i = s_i g[b]
    Shape: (L, D) -> (B, D)
    """

    public = "embedding_bag"
    torch_name = "EmbeddingBag"


class BagMaxima(Gather):
    """The chosen entries of each column, for each bag.

    Math: y[b, j] = x[index[b, j], j]      ∂L/∂x[index[b, j], j] += g[b, j]
    Shape: (L, D), (B, D) -> (B, D)
    """

    public = "embedding_bag"
    torch_name = "EmbeddingBag"


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


def _look_up(
    index: Any, w: Any, padding: int | None, by_frequency: bool, sparse: bool
) -> Tensor:
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
    return _look_up(input, weight, padding_idx, scale_grad_by_freq, sparse)


@composite
def embedding_bag(
    input: Tensor,
    weight: Tensor,
    offsets: Tensor | None = None,
    max_norm: float | None = None,
    norm_type: float = 2,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    sparse: bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Tensor:
    """The sum, mean or maximum of rows of a table, for each bag of indices.

    Math: y_b = Σ_(i in bag b) s_i w[index_i], or their mean or maximum
          ∂L/∂w[k] = Σ s_i g_b over the i in a bag b with index_i = k; mean: divided by
          the size of the bag; maximum: where it stood      ∂L/∂s_i = g_b · w[index_i]
    Shape: (B, N), (V, D) -> (B, D); or (L), (V, D), offsets (B) -> (B, D)
    Reference: Joulin, Grave, Bojanowski and Mikolov (2016), "Bag of tricks for
        efficient text classification".

    Args:
        input: indices of rows: a bag in each row, or one bag after the other.
        weight: the table.
        offsets: where each bag begins, for a one-dimensional input.
        max_norm: rows that are looked up are shortened to this norm, in place.
        norm_type: p of that norm.
        scale_grad_by_freq: divide the gradient of a row by its number of lookups.
        mode: "sum", "mean" or "max".
        sparse: the gradient of the table lists only the rows that were looked up.
        per_sample_weights: s, for sums only.
        include_last_offset: the last offset is where the last bag ends.
        padding_idx: a row that does not count.

    Raises:
        ValueError: for sizes that do not fit, or an unknown mode.
        RuntimeError: for rows that do not exist, or indices of another type.

    Example:
        >>> import edutorch as torch
        >>> table = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> torch.nn.functional.embedding_bag(torch.tensor([[0, 1]]), table)
        tensor([[2., 3.]])
    """
    if weight.dtype.short == "Long" and input.is_floating_point():
        warnings.warn(
            "Argument order of nn.functional.embedding_bag was changed. Usage "
            "`embedding_bag(weight, input, ...)` is deprecated, and should now be "
            "`embedding_bag(input, weight, ...)`.",
            stacklevel=2,
        )
        input, weight = weight, input
    starts = _bag_offsets(input, weight, offsets, per_sample_weights)
    _check_mode(mode, scale_grad_by_freq, sparse)
    index = input.reshape((-1,))
    if max_norm is not None:
        check_call(isinstance(max_norm, (int, float)))
        check_renormalised(index, weight)
        renormalise(weight, index._data, float(max_norm), norm_type)
    _check_sample_weights(per_sample_weights, mode)
    need_one_device(
        "__embedding_bag", weight, indices=input, offsets=offsets,
        per_sample_weights=per_sample_weights,
    )  # fmt: skip
    _check_bags(index, weight, starts, padded=padding_idx is not None)
    if per_sample_weights is not None:
        need_dtype_of(weight, per_sample_weights, "per_sample_weights", "embedding_bag")
    bags = starts[:-1] if include_last_offset and input.ndim == 1 else starts
    if padding_idx is not None:
        padding_idx = padding_idx % weight.shape[0]
    rows = _look_up(index, weight, padding_idx, scale_grad_by_freq, sparse)  # (L, D)
    bag = np.searchsorted(bags, np.arange(index.numel()), side="right") - 1
    counted = np.ones(bag.shape, bool)
    if padding_idx is not None:
        counted = host_array(index._data) != padding_idx
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.reshape((-1, 1))
    return _reduce_bags(rows, bag, counted, len(bags), mode)


def _check_mode(mode: str, by_frequency: bool, sparse: bool) -> None:
    """Check the mode, and that gradients of maxima are neither scaled nor sparse."""
    if mode not in ("sum", "mean", "max"):
        raise ValueError("mode has to be one of sum, mean or max")
    if mode == "max" and by_frequency:
        raise ValueError(
            "max mode does not support scaling the gradient by the frequency"
        )
    if mode == "max" and sparse:
        raise ValueError("max mode does not support sparse weights")


def _check_sample_weights(given: Any, mode: str) -> None:
    """Check that weights are given for sums only."""
    if given is not None and mode != "sum":
        raise NotImplementedError(
            "embedding_bag: per_sample_weights was not None. per_sample_weights is "
            f"only supported for mode='sum' (got mode='{mode}'). Please open a feature "
            "request on GitHub."
        )


def _bag_offsets(input: Any, weight: Any, offsets: Any, given: Any) -> Any:
    """The start of each bag in the flattened indices."""
    if given is not None and given.shape != input.shape:
        raise ValueError(
            "embedding_bag: If per_sample_weights "
            f"(torch.Size({list(given.shape)})) is not None, then it must have the "
            f"same shape as the input (torch.Size({list(input.shape)}))"
        )
    if weight.ndim != 2:
        raise ValueError(
            f"weight has to be a 2D Tensor, but got Tensor of dimension {weight.ndim}"
        )
    if input.ndim == 2:
        if offsets is not None:
            raise ValueError(
                "if input is 2D, then offsets has to be None, as input is treated is a "
                "mini-batch of fixed length sequences. However, found offsets of type "
                "<class 'torch.Tensor'>"
            )
        if not input.shape[1]:
            raise RuntimeError("step must be nonzero")
        return np.arange(input.shape[0]) * input.shape[1]
    if input.ndim != 1:
        raise ValueError(
            f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input.ndim}"
        )
    if offsets is None:
        raise ValueError("offsets has to be a 1D Tensor but got None")
    if offsets.ndim != 1:
        raise ValueError("offsets has to be a 1D Tensor")
    return host_array(offsets._data)


def _check_bags(index: Any, weight: Any, starts: Any, *, padded: bool) -> None:
    whole = starts.dtype.kind in "biu"  # floats would make both floats: refused
    check_lookup(index if whole else wrap(starts), weight, "embedding_bag")
    if not weight.is_floating_point():
        short = weight.dtype.short
        plain = short in ("Byte", "Char", "Short", "Int", "Long")
        kind = f"torch.{short}Tensor" if plain else f"CPU{short}Type"
        raise RuntimeError(
            "Expected tensor for argument #1 'weight' to have one of the following "
            f"scalar types: Half, BFloat16, Float, Double; but got {kind} "
            "instead (while checking arguments for embedding_bag)"
        )
    n, rows = index.numel(), weight.shape[0]
    if len(starts) and starts[0] != 0:
        raise RuntimeError(
            "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to "
            f"start from position 0. However, got {int(starts[0])}"
        )
    if len(starts) and starts[-1] > n:
        raise RuntimeError(
            f"offsets[-1] can not be greater than input's length {n} but got "
            f"offsets[-1] of {int(starts[-1])}"
        )
    if len(starts) and starts.min() < 0:
        raise IndexError("index out of range in self")
    if (np.diff(starts) < 0).any():
        raise RuntimeError("Expected i < index_size to be true, but got false.")
    wrong = np.flatnonzero((index._data < 0) | (index._data >= rows))
    if wrong.size:
        at = int(wrong[0])
        if padded or weight.dtype.short not in ("Float", "Half"):
            raise RuntimeError(
                "embedding_bag: Expected idx >= 0 && idx < num_embeddings but found "
                f"idx to be {int(index._data[at])}"
            )
        raise RuntimeError(
            f"Index {at} of input takes value {int(index._data[at])} which is not in "
            f"the valid range [0, {rows})"
        )


def _reduce_bags(rows: Any, bag: Any, counted: Any, bags: int, mode: str) -> Tensor:
    """Reduce the rows of each bag by sum, mean or maximum; (L, D) -> (bags, D)."""
    if not bags:
        return rows[:0]
    if mode == "max":
        return _bag_max(rows, bag, counted, bags)
    xp = array_module(rows._data)
    share = counted.astype(rows._data.dtype)
    if mode == "mean":
        sizes = np.bincount(bag[counted], minlength=bags)
        share = share / np.maximum(sizes, 1)[bag].astype(share.dtype)
    return apply1(BagSums(xp.asarray(bag), bags, xp.asarray(share[:, None])), rows)


def _bag_max(rows: Any, bag: Any, counted: Any, bags: int) -> Tensor:
    """The maximum of each column in each bag; 0 for empty bags."""
    x, xp = host_array(rows._data), array_module(rows._data)
    best = np.full((bags, x.shape[1]), len(x))  # a row of zeros, for empty bags
    for i in range(bags):
        members = np.flatnonzero((bag == i) & counted)
        if members.size:
            best[i] = members[np.argmax(x[members], axis=0)]
    if not len(x):
        return _reduce_bags(rows, bag, counted, bags, "sum")
    if (best == len(x)).any():
        rows = cat([rows, rows.new_zeros(1, x.shape[1])])
    return apply2(BagMaxima(0), rows, wrap(xp.asarray(best), rows.device))
