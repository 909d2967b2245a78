"""Sequences of different lengths as one batch: padded, or packed for recurrent layers.

`nn.utils.rnn` is their public place; the layers need them, and `nn.utils` the layers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from .. import dtypes, ops
from ..errors import python_type_name
from ..ops.argument_checks import need_each, need_tensors
from ..ops.rnn.packing import pack_padded, pad_packed
from ..ops.sort.ordering import sort
from ..tensor.tensor import Tensor

__all__ = [
    "PackedSequence", "invert_permutation", "pack_padded_sequence", "pack_sequence",
    "pad_packed_sequence", "pad_sequence", "unpack_sequence", "unpad_sequence",
]  # fmt: skip


class PackedSequence_(NamedTuple):  # noqa: N801 (PyTorch's name)
    """The fields of a `PackedSequence`.

    Example:
        >>> import edutorch as torch
        >>> pack = torch.nn.utils.rnn.pack_sequence
        >>> packed = pack([torch.tensor([1, 2]), torch.tensor([3])])
        >>> packed._fields
        ('data', 'batch_sizes', 'sorted_indices', 'unsorted_indices')
    """

    data: Tensor
    batch_sizes: Tensor
    sorted_indices: Tensor | None
    unsorted_indices: Tensor | None


class PackedSequence(PackedSequence_):
    """Sequences of different lengths without padding, stored by time step.

    The longest comes first; step t holds the t-th elements of the first
    `batch_sizes[t]` sequences. Made by `pack_sequence` and `pack_padded_sequence`.

    Attributes:
        data: the elements of all steps, (N, *).
        batch_sizes: how many sequences reach each step.
        sorted_indices: the order by length, None if they were sorted already.
        unsorted_indices: the inverse of `sorted_indices`.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.nn.utils.rnn import pack_sequence
        >>> packed = pack_sequence([torch.tensor([1, 2, 3]), torch.tensor([4])])
        >>> packed.data, packed.batch_sizes
        (tensor([1, 4, 2, 3]), tensor([2, 1, 1]))
    """

    __slots__ = ()

    def __new__(
        cls,
        data: Any,
        batch_sizes: Tensor | None = None,
        sorted_indices: Tensor | None = None,
        unsorted_indices: Tensor | None = None,
    ) -> PackedSequence:
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        if batch_sizes is None:
            if not (isinstance(data, (list, tuple)) and len(data) == 2):
                raise AssertionError("Expected data to be a list or tuple of length 2")
            data, batch_sizes = data
        elif batch_sizes.device.type != "cpu":
            raise ValueError(
                "batch_sizes should always be on CPU. Instances of PackedSequence "
                "should never be created manually. They should be instantiated by "
                "functions like pack_sequence and pack_padded_sequences in "
                "nn.utils.rnn. https://pytorch.org/docs/stable/nn.html#torch.nn.utils"
                ".rnn.pack_sequence"
            )
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def _with_data(self, change: Callable[[Tensor], Tensor], data: Tensor) -> Any:
        """The same sequences with other data and changed indices."""
        indices = (
            None if t is None else change(t)
            for t in (self.sorted_indices, self.unsorted_indices)
        )
        return type(self)(data, self.batch_sizes, *indices)

    def to(self, *args: Any, **kwargs: Any) -> PackedSequence:
        """Convert the data to another dtype or device; see `Tensor.to`."""
        data = self.data.to(*args, **kwargs)
        if data is self.data:
            return self
        return self._with_data(lambda t: t.to(data.device), data)

    def pin_memory(self) -> PackedSequence:
        """Copy the data to pinned memory; see `Tensor.pin_memory`."""
        return self._with_data(lambda t: t.pin_memory(), self.data.pin_memory())

    def cuda(self, *args: Any, **kwargs: Any) -> PackedSequence:
        """Move to a GPU: the current one, or the given one."""
        if not args and "device" not in kwargs:
            kwargs["device"] = "cuda"
        return self.to(*args, **kwargs)

    def cpu(self, *args: Any, **kwargs: Any) -> PackedSequence:
        """Move to the CPU."""
        return self.to(*args, **{**kwargs, "device": "cpu"})

    def double(self) -> PackedSequence:
        """Cast the data to float64."""
        return self.to(dtype=dtypes.float64)

    def float(self) -> PackedSequence:
        """Cast the data to float32."""
        return self.to(dtype=dtypes.float32)

    def half(self) -> PackedSequence:
        """Cast the data to float16."""
        return self.to(dtype=dtypes.float16)

    def long(self) -> PackedSequence:
        """Cast the data to int64."""
        return self.to(dtype=dtypes.int64)

    def int(self) -> PackedSequence:
        """Cast the data to int32."""
        return self.to(dtype=dtypes.int32)

    def short(self) -> PackedSequence:
        """Cast the data to int16."""
        return self.to(dtype=dtypes.int16)

    def char(self) -> PackedSequence:
        """Cast the data to int8."""
        return self.to(dtype=dtypes.int8)

    def byte(self) -> PackedSequence:
        """Cast the data to uint8."""
        return self.to(dtype=dtypes.uint8)

    @property
    def is_cuda(self) -> bool:
        """Whether the data is on a GPU."""
        return self.data.is_cuda

    def is_pinned(self) -> bool:
        """Whether the data is in pinned memory."""
        return self.data.is_pinned()


def invert_permutation(permutation: Tensor | None) -> Tensor | None:
    """The inverse of a permutation; None for None.

    Math: y[p[i]] = i
    Shape: (n) -> (n)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.utils.rnn.invert_permutation(torch.tensor([2, 0, 1]))
        tensor([1, 2, 0])
    """
    if permutation is None:
        return None
    places = ops.arange(permutation.numel(), device=permutation.device)
    return ops.empty_like(permutation).scatter_(0, permutation, places)


def pack_padded_sequence(
    input: Tensor,
    lengths: Any,
    batch_first: bool = False,
    enforce_sorted: bool = True,
) -> PackedSequence:
    """Remove the padding of a batch, for recurrent layers.

    Math: y[(t, b)] = x[t, b] for t < length of b, step after step
          ∂L/∂x[t, b] = g[(t, b)], else 0
    Shape: (T, B, *) -> data (N, *), N the sum of lengths; (B, T, *) with `batch_first`

    Args:
        lengths: the length of each sequence.
        enforce_sorted: whether they come longest first; otherwise they are sorted.

    Raises:
        RuntimeError: for lengths that are unsorted, zero, or not one per sequence.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([[1, 2, 3], [4, 0, 0]])
        >>> packed = torch.nn.utils.rnn.pack_padded_sequence(x, [3, 1], True)
        >>> packed.data
        tensor([1, 4, 2, 3])
    """
    need_tensors("_pack_padded_sequence", input=input)
    if lengths is None:
        raise TypeError("'NoneType' object cannot be interpreted as an integer")
    lengths = ops.as_tensor(lengths, dtype=dtypes.int64)
    order = None
    if not enforce_sorted:
        lengths, order = sort(lengths, descending=True)
        order = order.to(input.device)
        input = input.index_select(0 if batch_first else 1, order)
    data, batch_sizes = pack_padded(input, lengths, batch_first)
    return PackedSequence(data, batch_sizes, order, None)


def pad_packed_sequence(
    sequence: PackedSequence,
    batch_first: bool = False,
    padding_value: float = 0.0,
    total_length: int | None = None,
) -> tuple[Tensor, Tensor]:
    """A padded batch in the original order, and the lengths.

    Math: y[t, b] = x[(t, b)], past the end padding_value      ∂L/∂x[(t, b)] = g[t, b]
    Shape: data (N, *) -> (T, B, *), (B); (B, T, *) with `batch_first`

    Args:
        padding_value: the value after the end of a sequence.
        total_length: T, instead of the longest length.

    Raises:
        ValueError: for a total length that is too short.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.nn.utils.rnn import pack_sequence, pad_packed_sequence
        >>> packed = pack_sequence([torch.tensor([1, 2]), torch.tensor([3])])
        >>> pad_packed_sequence(packed, batch_first=True)
        (tensor([[1, 2],
                [3, 0]]), tensor([2, 1]))
    """
    longest = sequence.batch_sizes.size(0)
    if total_length is not None and total_length < longest:
        raise ValueError(
            "Expected total_length to be at least the length of the longest sequence "
            f"in input, but got total_length={total_length} and max sequence length "
            f"being {longest}"
        )
    padded, lengths = pad_packed(
        sequence.data,
        sequence.batch_sizes,
        batch_first,
        padding_value,
        longest if total_length is None else total_length,
    )
    back = sequence.unsorted_indices
    if back is None:
        return padded, lengths
    return padded.index_select(0 if batch_first else 1, back), lengths[back.cpu()]


def pad_sequence(
    sequences: Any,
    batch_first: bool = False,
    padding_value: float = 0.0,
    padding_side: str = "right",
) -> Tensor:
    """Stack sequences of different lengths, padding the shorter ones.

    Math: y[t, b] = x_b[t], past the end padding_value      ∂L/∂x_b[t] = g[t, b]
    Shape: B times (L, *) -> (T, B, *), T the longest L; (B, T, *) with `batch_first`

    Args:
        padding_value: the value after the end of a sequence.
        padding_side: "right" or "left".

    Raises:
        RuntimeError: for no sequences, or another side.
        TypeError: for arguments that are not tensors.

    Example:
        >>> import edutorch as torch
        >>> a, b = torch.tensor([1, 2, 3]), torch.tensor([4])
        >>> torch.nn.utils.rnn.pad_sequence([a, b], batch_first=True)
        tensor([[1, 2, 3],
                [4, 0, 0]])
    """
    if not isinstance(sequences, Iterable):
        raise RuntimeError(
            "pad_sequence: Expected iterable for input sequences, but got arg of type: "
            f"{type(sequences)}"
        )
    if padding_side not in ("left", "right"):
        raise RuntimeError(
            f"Expected padding_side to be one of left or right, but got {padding_side}."
        )
    several = list(sequences)
    if not several:
        raise RuntimeError("received an empty list of sequences")
    need_each(several)
    _check_options(batch_first, padding_value)
    if not several[0].ndim:
        raise RuntimeError("ArrayRef: invalid slice, N = 1; size = 0")
    longest, first = max(t.size(0) for t in several), several[0]
    sizes = (len(several), longest) if batch_first else (longest, len(several))
    padded = ops.full(
        (*sizes, *first.shape[1:]),
        padding_value,
        dtype=first.dtype,
        device=first.device,
    )  # (B, T, *) or (T, B, *)
    for i, t in enumerate(several):
        n = t.size(0)
        start = longest - n if padding_side == "left" else 0
        times = slice(start, start + n)
        padded[(i, times) if batch_first else (times, i)].copy_(t)
    return padded


def _check_options(batch_first: Any, padding_value: Any) -> None:
    """Refuse options of another type, by the positions that they have in PyTorch."""
    wrong = ""
    if not isinstance(batch_first, bool):
        wrong, got = "'batch_first' (position 2) must be bool", batch_first
    elif not isinstance(padding_value, (int, float, Tensor, np.number)):
        wrong, got = "'padding_value' (position 3) must be float", padding_value
    if wrong:
        raise TypeError(
            f"pad_sequence(): argument {wrong}, not {python_type_name(got)}"
        )


def unpad_sequence(
    padded_sequences: Tensor, lengths: Tensor, batch_first: bool = False
) -> list[Tensor]:
    """The sequences of a padded batch, each with its own length.

    Math: y_b[t] = x[t, b] for t < length of b      ∂L/∂x[t, b] = g_b[t], else 0
    Shape: (T, B, *) -> B times (L, *)

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([[1, 2], [3, 0]])
        >>> torch.nn.utils.rnn.unpad_sequence(x, torch.tensor([2, 1]))
        [tensor([1, 3]), tensor([2])]
    """
    batch = padded_sequences if batch_first else padded_sequences.transpose(0, 1)
    steps = ops.arange(batch.shape[1], device=lengths.device)
    return [t[steps < n] for t, n in zip(batch, lengths, strict=True)]


def pack_sequence(
    sequences: list[Tensor], enforce_sorted: bool = True
) -> PackedSequence:
    """Pack sequences of different lengths for recurrent layers.

    Math: y[(t, b)] = x_b[t], step after step      ∂L/∂x_b[t] = g[(t, b)]
    Shape: B times (L, *) -> data (N, *), N the sum of lengths

    Args:
        enforce_sorted: whether they come longest first; otherwise they are sorted.

    Raises:
        RuntimeError: for sequences that are unsorted.

    Example:
        >>> import edutorch as torch
        >>> a, b = torch.tensor([1, 2, 3]), torch.tensor([4])
        >>> torch.nn.utils.rnn.pack_sequence([a, b]).batch_sizes
        tensor([2, 1, 1])
    """
    lengths = ops.tensor([t.size(0) for t in sequences])
    return pack_padded_sequence(
        pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted
    )


def unpack_sequence(packed_sequences: PackedSequence) -> list[Tensor]:
    """The packed sequences, in their original order.

    Math: y_b[t] = x[(t, b)]      ∂L/∂x[(t, b)] = g_b[t]
    Shape: data (N, *) -> B times (L, *)

    Example:
        >>> import edutorch as torch
        >>> from edutorch.nn.utils.rnn import pack_sequence, unpack_sequence
        >>> unpack_sequence(pack_sequence([torch.tensor([1, 2]), torch.tensor([3])]))
        [tensor([1, 2]), tensor([3])]
    """
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)
