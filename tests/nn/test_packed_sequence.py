"""Packed and padded sequences."""

from __future__ import annotations

import pytest

import edutorch
from tests.nn.modules.layers import numbers
from tests.oracle import torch
from tests.programs import Programs, attempt

programs = Programs(__file__)


def several(torch):
    return [numbers(torch, n, 2, seed=n) for n in (2, 4, 1)]


@programs.add
def sequences_are_padded_on_either_side(torch):
    pad = torch.nn.utils.rnn.pad_sequence
    mixed = [torch.ones(2), torch.ones(3, dtype=torch.int64)]
    return [
        pad(several(torch)),
        pad(several(torch), batch_first=True, padding_value=-1.0),
        pad(several(torch), padding_side="left"),
        pad(mixed),
        pad(torch.ones(2, 3)),
    ]


@programs.add
def padded_sequences_are_contiguous_in_either_order(torch):
    pad, x = torch.nn.utils.rnn.pad_sequence, torch.ones(2, 2).requires_grad_()
    found = []
    for first in (False, True):
        padded = pad([x, torch.zeros(3, 2)], batch_first=first)
        found += [padded.stride(), padded.grad_fn.name(), padded.view(-1)]
    return found


@programs.add
def sequences_are_packed_and_unpacked(torch):
    rnn, found = torch.nn.utils.rnn, []
    packed = rnn.pack_sequence(several(torch), enforce_sorted=False)
    found += [list(packed), rnn.unpack_sequence(packed), repr(packed)]
    found += list(rnn.pad_packed_sequence(packed, True, -2.0, total_length=6))
    x = numbers(torch, 4, 3, 2)
    found += list(rnn.pack_padded_sequence(x, [3, 2, 2]))
    found += list(rnn.pack_padded_sequence(x, torch.tensor([1, 4, 2]), False, False))
    found += list(rnn.pack_padded_sequence(x, torch.tensor([3.0, 3, 2, 1]), True))
    found += rnn.unpad_sequence(x, torch.tensor([1, 2, 3]))
    found.append(rnn.invert_permutation(torch.tensor([2, 0, 1])))
    return found


@programs.add
def gradients_flow_through_packing(torch):
    rnn, x = torch.nn.utils.rnn, numbers(torch, 4, 3, 2).requires_grad_()
    packed = rnn.pack_padded_sequence(x, [2, 4, 1], enforce_sorted=False)
    padded, _ = rnn.pad_packed_sequence(packed)
    (padded * numbers(torch, *padded.shape, seed=3)).sum().backward()
    other = numbers(torch, 3, 2).requires_grad_()
    rnn.pad_sequence([other, other[:1]]).sum().backward()
    names = [packed.data.grad_fn.name(), padded.grad_fn.name()]
    return [x.grad, other.grad, names]


@programs.add
def packed_sequences_change_their_dtype(torch):
    packed = torch.nn.utils.rnn.pack_sequence(several(torch), enforce_sorted=False)
    found = [packed.to(torch.float32) is packed, packed.is_cuda]
    changes = ("double", "half", "long", "int", "short", "char", "byte", "float")
    found += [getattr(packed, change)().data for change in changes]
    return [*found, packed.cpu() is packed, isinstance(packed, tuple)]


@programs.add
def what_does_not_fit_is_refused(torch):
    rnn, x = torch.nn.utils.rnn, numbers(torch, 4, 3, 2)
    packed = rnn.pack_padded_sequence(x, [3, 2, 1])
    cases = (
        lambda: rnn.pack_padded_sequence(x, [4, 3, 0]),
        lambda: rnn.pack_padded_sequence(x, [3, 4, 1]),
        lambda: rnn.pack_padded_sequence(x, [3, 2]),
        lambda: rnn.pack_padded_sequence(x[:0], [1, 1, 1]),
        lambda: rnn.pack_padded_sequence(x, torch.tensor([[3, 2, 1]])),
        lambda: rnn.pad_packed_sequence(packed, total_length=2),
        lambda: rnn.pad_sequence(3),
        lambda: rnn.pad_sequence([]),
        lambda: rnn.pad_sequence([torch.ones(2)], padding_side="x"),
        lambda: rnn.PackedSequence(x),
        lambda: rnn.pack_padded_sequence(None, [1]),
        lambda: rnn.pack_padded_sequence(x, None),
        lambda: rnn.pack_sequence([torch.ones(1), torch.ones(3)]),
    )
    return [attempt(case) for case in cases]


@programs.add
def what_is_no_tensor_is_not_padded(torch):
    return attempt(lambda: torch.nn.utils.rnn.pad_sequence([torch.ones(1), 2]))


test_sequences = programs.test()


@pytest.mark.parametrize(
    "arguments",
    [
        "[a, m]",
        "[m, m[:, :1].expand(2, 3)]",
        "[a[0]]",
        "a",
        "[a], None",
        "[a], False, None",
        "[a], padding_value='a'",
        "[a], False, 1j",
        "[a], False, 2",
    ],
)
def test_padding_is_refused_in_the_words_of_pytorch(arguments):
    def told(library):
        pad = library.nn.utils.rnn.pad_sequence
        names = {"a": library.ones(2), "m": library.ones(2, 2), "pad": pad}
        try:
            return eval(f"pad({arguments})", names).tolist()
        except Exception as error:
            return type(error), str(error)

    assert told(edutorch) == told(torch)
