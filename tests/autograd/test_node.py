"""Ops as nodes: names, attributes, and the nodes that follow."""

from __future__ import annotations

import gc
import weakref

import edutorch as torch
from edutorch.autograd.node import Op
from edutorch.ops.pointwise.arithmetic import Mul


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


def test_type_of_a_node_has_pytorch_s_name():
    x = torch.ones(2, 2, requires_grad=True)
    total = (x * 2).max(0).values.sum()
    assert type(total.grad_fn).__name__ == "SumBackward0"
    (largest, _), (product, _) = (
        total.grad_fn.next_functions[0],
        total.grad_fn.next_functions[0][0].next_functions[0],
    )
    assert type(largest).__name__ == "MaxBackward0"
    assert type(product).__name__ == "MulBackward0"
    assert type(product) is type((x * 3).grad_fn)
    assert product.describe() == "Mul()"


def test_node_with_pytorch_s_name_computes_the_same_gradients():
    x = torch.tensor([3.0], requires_grad=True)
    y = x * x
    assert type(y.grad_fn).__name__ == "MulBackward0"
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    assert type(g.grad_fn).__name__.endswith("Backward0")
    g.sum().backward()
    assert x.grad.item() == 2
    rows = torch.func.vmap(lambda v: torch.autograd.grad(y, x, v)[0])(torch.eye(1))
    assert rows.item() == 6


def test_op_class_of_a_renamed_node_is_that_of_the_operation():
    y = torch.ones(2, requires_grad=True) * 2
    assert type(y.grad_fn) is not Mul and isinstance(y.grad_fn, Mul)
    assert y.grad_fn.op_class is Mul
    assert type(y.grad_fn.fresh_copy()) is Mul


def test_class_of_a_function_is_freed_although_its_node_was_looked_at():
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2

    y = Double.apply(torch.ones(1, requires_grad=True))
    assert type(y.grad_fn).__name__ == "DoubleBackward"
    freed = weakref.ref(Double)
    del y, Double
    gc.collect()
    assert freed() is None
