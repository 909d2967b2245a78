"""Op as a node: names, attributes, what comes next."""

from __future__ import annotations

import edutorch as torch
from edutorch.autograd.node import Op


class Scale(Op):
    """Times a factor, for these tests."""

    attributes = ("factor",)
    saves = ()

    def __init__(self, factor):
        self.factor = factor

    def forward(self, x):
        return x * self.factor

    def backward(self, g):
        return g * self.factor


def test_class_facts_are_worked_out_once():
    assert Scale.public == "scale" and Scale.torch_name == "Scale"
    assert not Scale.saves_inputs and not Scale.checks


def test_again_is_a_fresh_application_with_the_same_attributes():
    op = Scale(3)
    op.seq = 7
    fresh = op.fresh_copy()
    assert fresh is not op and fresh.factor == 3
    assert not hasattr(fresh, "seq")
    assert op.describe() == "Scale(factor=3)"


def test_metadata_belongs_to_the_user():
    y = torch.ones(1, requires_grad=True) * 2
    y.grad_fn.metadata["note"] = "mine"
    assert y.grad_fn.metadata == {"note": "mine"}


def test_repr_names_the_node():
    y = torch.ones(1, requires_grad=True) * 2
    assert repr(y.grad_fn).startswith("<MulBackward0 object at 0x")
