"""Tensors with a mask of their valid elements."""

from __future__ import annotations

import warnings

import pytest

import edutorch
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def made(torch):
    m, x = torch.masked, torch.arange(6.0).reshape(2, 3)
    k = x > 2
    t = m.masked_tensor(x, k)
    return [
        repr(t), str(t), t.get_data(), t.get_mask(), t.to_tensor(-1), t.requires_grad,
        repr(m.masked_tensor(torch.arange(3), torch.arange(3) != 1)),
        repr(m.masked_tensor(torch.tensor(1.5), torch.tensor(True))),
        repr(m.masked_tensor(torch.tensor(1.5), torch.tensor(False))),
        repr(m.MaskedTensor(k, k)), m.is_masked_tensor(t), m.is_masked_tensor(x),
        isinstance(t, torch.Tensor), t.is_sparse, t.is_sparse_coo(), t.is_sparse_csr(),
    ]  # fmt: skip


@programs.add
def refused(torch):
    m, x = torch.masked, torch.arange(6.0).reshape(2, 3)
    k = x > 2
    t = m.masked_tensor(x, k)
    return [
        attempt(lambda: m.masked_tensor([1.0], k)),
        attempt(lambda: m.masked_tensor(x, [True])),
        attempt(lambda: m.masked_tensor(t, k)),
        attempt(lambda: m.masked_tensor(x, x)),
        attempt(lambda: m.masked_tensor(x, k[0])),
        attempt(lambda: m.masked_tensor(x, k[:1])),
        attempt(lambda: m.masked_tensor(x.bfloat16(), k)),
        attempt(lambda: m.as_masked_tensor(x, 1)),
    ]


test_maskedtensor = programs.test()


@pytest.fixture
def masked():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        x = edutorch.arange(3.0)
        return edutorch.masked.masked_tensor(x, x != 1)


def test_masked_tensor_warns_that_it_is_a_prototype():
    x = edutorch.ones(2, requires_grad=True)
    with pytest.warns(UserWarning, match="MaskedTensor") as told:
        edutorch.masked.masked_tensor(x, x > 0)
    words = [str(w.message) for w in told]
    assert ["prototype" in w for w in words] == [True, False]
    assert words[1].startswith("It is not recommended to create a MaskedTensor")


def test_masked_tensor_keeps_its_own_memory(masked):
    first = masked[:1]
    first.add_(5)
    assert masked.get_data().tolist() == [0, 1, 2]


def test_gradient_can_be_set_and_has_the_mask(masked):
    masked.requires_grad_()
    masked.grad = edutorch.ones(3)
    assert masked.grad.get_mask().tolist() == [True, False, True]
    masked.grad = None
    assert masked.grad is None


def test_gradients_go_on_to_the_data():
    x = edutorch.ones(3, requires_grad=True)
    edutorch.masked.as_masked_tensor(x, x.detach() > 0).sum().backward()
    assert x.grad.tolist() == [1, 1, 1]
