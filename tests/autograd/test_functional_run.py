"""One run of a function: its inputs, its outputs, what fits them."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.autograd.functional_run import (
    FunctionCall,
    tensors_in,
    vector_jacobian_product,
    zeros_for_none,
)


def test_inputs_begin_a_graph_of_their_own():
    x = torch.ones(2, requires_grad=True)
    run = FunctionCall("vjp", lambda x: x * 2, x, create_graph=False)
    assert run.inputs[0].is_leaf
    assert run.finish(run.outputs, run.several_out).requires_grad is False
    kept = FunctionCall("vjp", lambda x: x * 2, (x,), create_graph=True)
    assert torch.autograd.grad(kept.outputs[0].sum(), x)[0].tolist() == [2.0, 2.0]


def test_one_tensor_and_a_tuple_are_distinguished():
    x = torch.ones(1)
    assert tensors_in(x, "inputs", "vjp") == ((x,), False)
    assert tensors_in((x,), "inputs", "vjp") == ((x,), True)
    with pytest.raises(TypeError, match="given inputs has type"):
        tensors_in([x], "inputs", "vjp")


def test_gradients_that_do_not_come_are_zeros_or_refused():
    x, y = (torch.ones(2, requires_grad=True) for _ in range(2))
    found = vector_jacobian_product([(x * 2).sum()], [x, y], [torch.ones(())], False)
    assert found[1] is None
    assert zeros_for_none(found, [x, y], "back", False, False)[1].tolist() == [0.0, 0.0]
    with pytest.raises(RuntimeError, match="independent of input 1"):
        zeros_for_none(found, [x, y], "back", True, False)
