"""Borders around a tensor."""

import pytest

import edutorch as torch
import edutorch.nn.functional as F
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.constant_pad_nd(a, (1, -1, 0, 1), 2.5)",
    "torch.constant_pad_nd(ints, [1, 1])",
    "F.pad(a, (1, 2))",
    "F.pad(a, (1, 0, 0, 2), value=3.0)",
    "F.pad(a, (-1, 1))",
    "F.pad(seq, (-1, -1, 1, 0, 2, 0))",
    "F.pad(a, (0, 0))",
    "F.pad(ints, (1, 1), value=2.5)",
    "F.pad(mask, (1, 1), value=True)",
    'F.pad(scalar[None], (1, 1), "constant", -1)',
    'F.pad(a, (2, 2), mode="reflect")',
    'F.pad(seq, (3, 4), mode="reflect")',
    'F.pad(img, (1, 2, 2, 1), mode="reflect")',
    'F.pad(vol, (1, 1, 0, 1, 1, 0), mode="reflect")',
    'F.pad(seq, (-1, 2), mode="reflect")',
    'F.pad(a, (1, 3), mode="replicate")',
    'F.pad(img, (1, 2, 2, 1), mode="replicate")',
    'F.pad(vol, (1, 1, 0, 1, 1, 0), mode="replicate")',
    'F.pad(seq, (-1, 2), mode="replicate")',
]

# PyTorch builds these of other operations: its nodes have other names.
OTHER_NODES = [
    'F.pad(seq, (5, 2), mode="circular")',
    'F.pad(seq, (-1, 2), mode="circular")',
    'F.pad(img, (1, 2, 2, 1), mode="circular")',
]

SMOOTH = [
    "F.pad(a, (1, 2), value=2.0) ** 2",
    "F.pad(a, (-1, 1)) ** 2",
    'F.pad(seq, (3, 4), mode="reflect") ** 2',
    'F.pad(img, (1, 2, 2, 1), mode="replicate") ** 2',
    'F.pad(seq, (5, 2), mode="circular") ** 2',
]

REFUSED = [
    "F.pad(complexes, (0, 1), value=1j)",
    "F.pad(a, (True, 1))",
    "torch.constant_pad_nd(a, (1,))",
    "torch.constant_pad_nd(scalar, (1, 1))",
    "torch.constant_pad_nd(None, (1, 1))",
    "F.pad(a, (1,))",
    "F.pad(a, (1, 1, 1, 1, 1, 1))",
    "F.pad(a, (-3, -3))",
    'F.pad(a, (3, 3), mode="reflect")',
    'F.pad(img, (4, 4, 4, 4), mode="reflect")',
    'F.pad(img, (1, 1, 4, 4), mode="reflect")',
    'F.pad(img, (1, 1, 5, 5), mode="circular")',
    'F.pad(a, (4, 4), mode="circular")',
    'F.pad(a, (1, 1, 1, 1), mode="reflect")',
    'F.pad(row, (1, 1), mode="reflect")',
    'F.pad(a, (1, 1), mode="foo")',
    'F.pad(a, (1, 1), mode="reflect", value=2)',
    "F.pad(a, 1)",
    "F.pad(a, (1.0, 1))",
    "F.pad(a, 'ab')",
    "F.pad(a, None)",
    "F.pad(mask, (1, 1), 'reflect')",
    "F.pad(mask[None], (1, 1, 1, 1), 'replicate')",
]


@pytest.mark.parametrize("case", CASES)
def test_padded_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", OTHER_NODES)
def test_padded_equal_pytorch_with_nodes(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_padded_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_padded_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


@pytest.mark.parametrize("mode", ["constant", "replicate", "circular"])
def test_pad_by_nothing_is_a_copy(mode):
    x = torch.ones(1, 2, 3)
    F.pad(x, (0, 0), mode).zero_()
    assert x.sum() == 6


def test_border_of_nothing_is_refused_but_for_an_empty_batch():
    assert F.pad(torch.zeros(0, 2, 6, 3), (1, 1, 1, 1), "replicate").shape[0] == 0
    with pytest.raises(RuntimeError, match="other non-zero dimensions for input"):
        F.pad(torch.zeros(2, 0, 6, 3), (1, 1, 1, 1), "replicate")


@pytest.mark.parametrize("pads", [(-4, 5), (5, -4), (-1, 1), (2, -2)])
def test_gradients_where_more_is_cropped_than_there_is(pads):
    x = torch.ones(1, 1, 1, requires_grad=True)
    y = F.pad(x, pads, mode="replicate")
    (g,) = torch.autograd.grad(y.sum(), x)
    assert g.tolist() == [[[float(y.numel())]]]
