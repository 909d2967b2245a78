"""Embeddings of bags: the sum, mean or maximum of rows of a table."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ..autograd.dispatch import apply1, apply2
from ..backends import array_module, host_array
from ..tensor.tensor import Tensor, wrap
from .argument_checks import need_one_device
from .argument_errors import check_call
from .embedding import RowSums, look_up, renormalise
from .embedding_checks import check_lookup, check_renormalised, need_dtype_of
from .index.gathering import Gather
from .registration import composite
from .shape.joining import cat

__all__ = ["embedding_bag"]


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
    rows = look_up(index, weight, padding_idx, scale_grad_by_freq, sparse)  # (L, D)
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
