"""Second derivatives by way of composed forms."""

from __future__ import annotations

import edutorch as torch
from edutorch.autograd.dispatch import Op, apply2
from edutorch.ops.rnn.double_backward import gradients_through


class Product(Op):
    """A product that leaves second derivatives to its composed form."""

    def forward(self, a, b):
        return a * b

    def backward(self, g):
        if not isinstance(g, torch.Tensor):
            return g * self.inputs[1], g * self.inputs[0]
        return gradients_through(lambda a, b: (a * b,), self, (g,))


def test_gradients_through_a_reference_can_be_differentiated():
    a, b = torch.tensor(2.0, requires_grad=True), torch.tensor(3.0)
    (first,) = torch.autograd.grad(apply2(Product(), a, b) ** 2, a, create_graph=True)
    (second,) = torch.autograd.grad(first, a)
    assert first.item() == 36.0 and second.item() == 18.0


def test_gradients_of_one_tensor_given_twice_add_up_once():
    a = torch.tensor(3.0, requires_grad=True)
    (first,) = torch.autograd.grad(apply2(Product(), a, a), a, create_graph=True)
    assert first.item() == 6.0
