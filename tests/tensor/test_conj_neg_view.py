"""Lazy views: conjugated or negated when they are read."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import edutorch as torch
from edutorch.tensor.conj_neg_view import ConjNegView, in_memory


def complexes(requires_grad=False):
    rows = [[1 + 2j, 3 - 1j, 0.5j], [2 - 2j, 4j, 1 + 0j]]
    return torch.tensor(rows, requires_grad=requires_grad)


def test_what_is_read_is_turned_and_memory_is_not():
    x = complexes()
    y = x.conj()
    assert type(y) is ConjNegView and in_memory(y) is not y._data
    assert y.tolist() == [[v.conjugate() for v in row] for row in x.tolist()]
    assert (y.data_ptr(), y.stride(), y.shape) == (x.data_ptr(), x.stride(), x.shape)
    assert y.conj().is_set_to(x) and not y.is_set_to(x)


@pytest.mark.parametrize(
    ("view", "write", "expected"),
    [
        (lambda x: x.conj(), lambda y: y[0].fill_(1j), -1j),
        (lambda x: x.mH[0], lambda y: y.mul_(2), 2 + 4j),
        (lambda x: x.conj().conj(), lambda y: y.add_(1j), 1 + 3j),
        (lambda x: x.conj().imag, lambda y: y.zero_(), 1),
        (lambda x: x.conj().imag, lambda y: y.add_(1), 1 + 1j),
        (lambda x: x.conj().real, lambda y: y.add_(1), 2 + 2j),
        (lambda x: x._neg_view(), lambda y: y.sub_(1), 2 + 2j),
        (lambda x: x.conj()[:1].t(), lambda y: y.__setitem__((0, 0), 5j), -5j),
        (lambda x: x.conj(), lambda y: y.__setitem__(torch.tensor([0]), 5j), -5j),
        (lambda x: x.conj().unbind()[0], lambda y: y.copy_(y + 1), 2 + 2j),
        (lambda x: x.conj().detach().data, lambda y: torch.exp(y * 0, out=y), 1),
        (lambda x: x.conj().transpose_(0, 1), lambda y: y.add_(y), 2 + 4j),
    ],
)
def test_writing_to_a_lazy_view_changes_what_it_looks_at(view, write, expected):
    x = complexes()
    y = view(x)
    write(y)
    assert x[0, 0].item() == expected
    assert y._version == x._version or y._base is None


def test_negatives_with_large_strides_are_those_of_their_own_elements():
    x = torch.arange(40.0, dtype=torch.float64).view(5, 8)
    y = torch.complex(x, -x).conj().imag[:, ::4]  # 64 bytes apart
    assert y.tolist() == x[:, ::4].tolist()
    assert y.T.float().tolist() == x[:, ::4].T.tolist()
    assert torch.complex(x, -x)[:2, :3].conj().imag.diagonal(1).tolist() == [1, 10]


def test_diagonals_of_imaginary_parts_of_nothing_are_empty():
    nothing = torch.zeros(0, 2, 2, dtype=torch.complex64)
    assert nothing.conj().imag.diagonal(0, -2, -1).shape == (0, 2)


def test_views_of_lazy_views_are_lazy_and_copies_are_not():
    y = complexes().conj()
    for view in (
        y[0],
        y.t(),
        y.view(6),
        y.diagonal(),
        y.expand(2, 2, 3),
        y.chunk(2)[0],
    ):
        assert view.is_conj()
    for made in (y.clone(), y * 1, y.to(torch.complex128), y.resolve_conj(), y[[0]]):
        assert not made.is_conj()
    gaps = y[:, ::2]
    assert not gaps.reshape(4).is_conj() and gaps.reshape(4).tolist()[0] == 1 - 2j
    with pytest.raises(RuntimeError, match="view size is not compatible"):
        gaps.view(4)
    assert y.imag.is_neg() and not y.real.is_neg() and not y.imag.resolve_neg().is_neg()


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (
            lambda y: y.numpy(),
            "Can't call numpy() on Tensor that has conjugate bit set",
        ),
        (
            lambda y: y.imag.numpy(),
            "Can't call numpy() on Tensor that has negative bit",
        ),
        (lambda y: np.asarray(y), "Can't call numpy()"),
        (torch.view_as_real, "view_as_real doesn't work on unresolved conjugated"),
        (
            lambda y: y.view(torch.float32),
            "torch.Tensor.view is not supported for conj",
        ),
        (lambda y: y.imag.view(torch.int32), "is not supported for tensors with negat"),
    ],
)
def test_what_needs_memory_as_it_is_read_is_refused(use, message):
    with pytest.raises(RuntimeError) as refusal:
        use(complexes().conj())
    assert message in str(refusal.value)


@pytest.mark.parametrize(
    "again",
    [copy.deepcopy, torch.nn.Parameter],
)
def test_copies_and_other_kinds_hold_the_numbers_themselves(again):
    y = complexes().conj()
    made = again(y)
    assert not made.is_conj() and made.tolist() == y.tolist()
    assert made.numpy(force=True)[0, 0] == 1 - 2j


def test_a_pickled_view_comes_back_as_it_was():
    y = complexes().conj()
    made = pickle.loads(pickle.dumps(y))
    assert made.is_conj() and made.tolist() == y.tolist()


def test_data_of_a_lazy_view_can_be_replaced():
    y = complexes().conj()
    y.data = torch.ones(2, dtype=torch.complex64)
    assert type(y) is torch.Tensor and y.tolist() == [1, 1]
