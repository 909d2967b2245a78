"""Saved values: arrays in an ordinary backward, tensors in a recorded one."""

from __future__ import annotations

import numpy as np
import pytest

import edutorch as torch
from edutorch.autograd.engine import restore_saved
from edutorch.autograd.node import FREED


def test_inputs_are_arrays_or_tensors_as_the_backward_is():
    x = torch.ones(2, requires_grad=True)
    node = (x * x).grad_fn
    kept = node.inputs
    restore_saved(node, kept, None, create_graph=True)
    assert node.inputs is kept and node.inputs[0] is x
    restore_saved(node, kept, None, create_graph=False)
    assert all(type(a) is np.ndarray for a in node.inputs)


def test_output_becomes_the_tensor_of_its_node():
    x = torch.ones(2, requires_grad=True)
    node = x.exp().grad_fn
    restore_saved(node, None, node.output, create_graph=True)
    assert node.output.grad_fn is node


def test_freed_values_are_refused():
    node = (torch.ones(1, requires_grad=True) * torch.ones(1)).grad_fn
    with pytest.raises(RuntimeError, match="a second time"):
        restore_saved(node, FREED, None, create_graph=False)


def test_version_is_that_of_the_moment_of_saving():
    x = torch.ones(2, requires_grad=True)
    y = x * 1
    y.add_(1)  # before it is saved
    (y * y).sum().backward()
    assert x.grad.tolist() == [4.0, 4.0]


def test_error_of_a_changed_mask_has_pytorchs_name_of_it():
    x, mask = torch.ones(2, requires_grad=True), torch.tensor([True, False])
    y = x[mask]
    mask.zero_()
    with pytest.raises(RuntimeError, match=r"\[CPUBoolType \[2\]\] is at version 1"):
        y.sum().backward()


def test_saved_tensors_hooks_unpack_in_the_order_in_which_they_packed():
    a, b = (torch.tensor([n], requires_grad=True) for n in (1.0, 2.0))
    log = []

    def noting(word):
        def note(x):
            log.append((word, x.item()))
            return x

        return note

    with torch.autograd.graph.saved_tensors_hooks(noting("pack"), noting("unpack")):
        y = a * b
    y.backward()
    assert log == [("pack", 2), ("pack", 1), ("unpack", 2), ("unpack", 1)]


def test_saved_self_of_a_leaf_that_hooks_packed_is_a_leaf():
    a = torch.tensor([1.0], requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(lambda x: x, lambda x: x):
        y = a * a
    assert repr(y.grad_fn._saved_self) == "tensor([1.], requires_grad=True)"
