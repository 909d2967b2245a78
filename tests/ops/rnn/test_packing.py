"""Packed rows and padded batches."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.autograd import gradcheck, gradgradcheck
from edutorch.ops.rnn.packing import pack_padded, pad_packed

LENGTHS = torch.tensor([4, 2, 1])


def test_packing_goes_step_by_step_and_back():
    x = torch.arange(12).reshape(4, 3)
    rows, sizes = pack_padded(x, LENGTHS, False)
    assert rows.tolist() == [0, 1, 2, 3, 4, 6, 9] and sizes.tolist() == [3, 2, 1, 1]
    padded, lengths = pad_packed(rows, sizes, True, -1, 4)
    assert padded.tolist()[1:] == [[1, 4, -1, -1], [2, -1, -1, -1]]
    assert torch.equal(lengths, LENGTHS)


def test_packing_has_two_derivatives():
    x = torch.randn(4, 3, 2, dtype=torch.float64, requires_grad=True)

    def there_and_back(x):
        rows, sizes = pack_padded(x, LENGTHS, False)
        return pad_packed(rows * rows, sizes, False, 0.5, 5)[0]

    assert gradcheck(there_and_back, [x]) and gradgradcheck(there_and_back, [x])


def test_packing_names_its_nodes_as_pytorch_does():
    rows, sizes = pack_padded(torch.ones(4, 3, requires_grad=True), LENGTHS, False)
    assert rows.grad_fn.name() == "PackPaddedSequenceBackward0"
    assert pad_packed(rows, sizes, False, 0, 4)[0].grad_fn.name() == "CopySlices"


def test_packing_refuses_lengths_beyond_the_padding():
    with pytest.raises(RuntimeError, match="lengths of at most 2"):
        pack_padded(torch.ones(2, 1), torch.tensor([3]), False)


def test_packed_rows_on_meta_are_as_many_as_elsewhere():
    x = torch.empty(4, 2, 3, device="meta")
    packed = torch.nn.utils.rnn.pack_padded_sequence(x, [4, 2])
    padded, lengths = torch.nn.utils.rnn.pad_packed_sequence(packed)
    assert packed.data.shape == (6, 3) and padded.shape == (4, 2, 3)
    assert padded.is_meta and lengths.tolist() == [4, 2]
