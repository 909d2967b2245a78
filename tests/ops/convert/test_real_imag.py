"""Real and imaginary parts: views of pairs of real numbers."""

from __future__ import annotations

import pytest

import edutorch as torch

PARTS = {
    "real": lambda z: z.real,
    "imag": lambda z: z.imag,
    "real of the conjugate": lambda z: z.conj().real,
    "imaginary of the conjugate": lambda z: z.conj().imag,
}


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
def test_parts_are_selected_from_pairs_and_identified_by_strides(part):
    z = torch.tensor([1 + 2j, 3 - 1j], requires_grad=True)
    base = z * 1
    view = part(base)
    assert view.grad_fn.name() == "SelectBackward0"
    behind = view.grad_fn.next_functions[0][0].name()
    assert behind == ("NegViewBackward0" if view.is_neg() else "ViewAsRealBackward0")
    before = view.tolist()
    base.mul_(2)
    assert view.grad_fn.name() == "AsStridedBackward0"
    assert view.tolist() == [2 * v for v in before]


def test_a_part_keeps_its_shape_when_its_base_gets_another():
    z = torch.tensor(1 + 2j, requires_grad=True)
    base = z.clone()
    view = base.imag
    base.unsqueeze_(0)
    assert view.shape == () and base.shape == (1,)
    assert torch.autograd.grad(view * 3, z)[0] == 3j


def test_the_gradient_reaches_a_base_that_was_changed_through_a_part():
    z = torch.tensor([1 + 2j, 3 - 1j], requires_grad=True)
    base = z * 1
    base.imag.mul_(3)
    assert base.tolist() == [1 + 6j, 3 - 3j]
    (g,) = torch.autograd.grad((base.real + base.imag).sum(), z)
    assert g.tolist() == [1 + 3j, 1 + 3j]


def test_parts_of_sparse_tensors_are_sparse():
    sparse = torch.tensor([0, 1 + 2j]).to_sparse()
    assert torch.real(sparse).to_dense().tolist() == [0, 1]
    assert torch.imag(sparse).to_dense().tolist() == [0, 2]
