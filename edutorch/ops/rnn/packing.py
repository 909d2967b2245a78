"""Converts padded batches to packed rows and back; see Note [Packed rows]."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from ...autograd.dispatch import Op, apply1
from ...backends import array_module
from ...tensor.tensor import Tensor, wrap
from ..registration import composite
from ..shape import transpose

__all__ = ["pack_padded", "pad_packed"]


class PackPaddedSequence(Op):
    """Selects the valid rows of a padded batch, step by step.

    Math: y = x[mask], in the order of steps      ∂L/∂x[mask] = g, 0 elsewhere
    Shape: (T, B, *), mask (T, B) -> (N, *)
    """

    attributes = ("mask",)
    saves = ()

    def __init__(self, mask: Any) -> None:
        self.mask = mask

    def forward(self, x: Any) -> Any:
        return x[self.mask]

    def backward(self, g: Any) -> Any:
        return apply1(PadPackedSequence(self.mask, 0), g)


class PadPackedSequence(Op):
    """Puts packed rows at their positions in a padded batch, one value elsewhere.

    Math: y[mask] = x, `value` elsewhere      ∂L/∂x = g[mask]
    Shape: (N, *), mask (T, B) -> (T, B, *)
    """

    attributes = ("mask", "value")
    torch_name = "CopySlices"
    saves = ()

    def __init__(self, mask: Any, value: float) -> None:
        self.mask, self.value = mask, value

    def name(self) -> str:
        """PyTorch's name of the node, which copies slice by slice."""
        return "CopySlices"

    def forward(self, x: Any) -> Any:
        shape = (*self.mask.shape, *x.shape[1:])
        y = array_module(x).full(shape, self.value, dtype=x.dtype)  # (T, B, *)
        y[self.mask] = x
        return y

    def backward(self, g: Any) -> Any:
        return apply1(PackPaddedSequence(self.mask), g)


@composite
def pack_padded(
    input: Tensor, lengths: Tensor, batch_first: bool
) -> tuple[Tensor, Tensor]:
    """The valid rows, and their number at each step.

    Shape: (T, B, *), (B) -> (N, *), (T')

    Raises:
        RuntimeError: for lengths that are not sorted, positive, one for each sequence.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([[1, 2], [3, 0]])
        >>> pack_padded(x, torch.tensor([2, 1]), False)
        (tensor([1, 2, 3]), tensor([2, 1]))
    """
    x = transpose(input, 0, 1) if batch_first else input  # (T, B, *)
    if lengths.ndim != 1:
        kind = lengths.dtype.short
        raise RuntimeError(
            "'lengths' argument should be a 1D CPU int64 tensor, but got "
            f"{lengths.ndim}D {lengths.device.type} {kind} tensor"
        )
    if not input.numel():
        raise RuntimeError("Cannot pack empty tensors.")
    counts = [int(n) for n in lengths.tolist()]
    _check_lengths(counts, x.shape[0], x.shape[1])
    mask = np.arange(counts[0])[:, None] < np.array(counts)  # (T', B)
    rows = apply1(PackPaddedSequence(_mask_on_device(mask, x)), x[: counts[0]])
    return rows, wrap(mask.sum(1))


def _check_lengths(counts: list[int], steps: int, batch: int) -> None:
    if len(counts) != batch:
        raise RuntimeError(
            f"Expected `len(lengths)` to be equal to batch_size, but got {len(counts)} "
            f"(batch_size={batch})"
        )
    if any(n <= 0 for n in counts):
        raise RuntimeError(
            "Length of all samples has to be greater than 0, but found an element in "
            "'lengths' that is <= 0"
        )
    if any(n < m for n, m in pairwise(counts)):
        raise RuntimeError(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` "
            "is True. You can pass `enforce_sorted=False` to pack_padded_sequence "
            "and/or pack_sequence to sidestep this requirement if you do not need ONNX "
            "exportability."
        )
    if counts[0] > steps:
        raise RuntimeError(
            f"Expected lengths of at most {steps} (the padded length), but got "
            f"{counts[0]}"
        )


@composite
def pad_packed(
    data: Tensor,
    batch_sizes: Tensor,
    batch_first: bool,
    padding_value: float,
    total_length: int,
) -> tuple[Tensor, Tensor]:
    """Packed rows as a padded batch, and the lengths of the sequences.

    Shape: (N, *), (T) -> (total_length, B, *), (B)

    Example:
        >>> import edutorch as torch
        >>> pad_packed(torch.tensor([1, 2, 3]), torch.tensor([2, 1]), False, 0, 2)
        (tensor([[1, 2],
                [3, 0]]), tensor([2, 1]))
    """
    sizes = np.zeros(total_length, np.int64)
    sizes[: batch_sizes.shape[0]] = batch_sizes.tolist()
    mask = np.arange(sizes[0]) < sizes[:, None]  # (total_length, B)
    y = apply1(PadPackedSequence(_mask_on_device(mask, data), padding_value), data)
    return (transpose(y, 0, 1) if batch_first else y), wrap(mask.sum(0))


def _mask_on_device(mask: Any, x: Tensor) -> Any:
    """A mask on the device of a tensor; for the meta device, on the CPU."""
    if x.is_meta:
        return mask
    return array_module(x._data).asarray(mask)
