"""`AccumulateGrad`, the node of a leaf."""

from __future__ import annotations

import edutorch as torch


def leaf_node(x: torch.Tensor):
    return torch.autograd.graph.get_gradient_edge(x).node


def test_nodes_of_one_leaf_are_equal():
    x, y = (torch.ones(2, requires_grad=True) for _ in range(2))
    node = leaf_node(x)
    assert node == leaf_node(x) == (x * 2).grad_fn.next_functions[0][0]
    assert hash(node) == hash(leaf_node(x))
    assert node != leaf_node(y)


def test_node_names_the_leaf_and_ends_the_graph():
    x = torch.ones(2, requires_grad=True)
    node = leaf_node(x)
    assert node.variable is x
    assert node.name() == "torch::autograd::AccumulateGrad"
    assert node.next_functions == ()
    assert node.device == x.device


def test_hooks_and_metadata_stay_with_the_leaf():
    x = torch.ones(1, requires_grad=True)
    calls = []
    leaf_node(x).register_prehook(lambda gs: calls.append(("pre", x.grad)))
    handle = leaf_node(x).register_hook(
        lambda _, gs: calls.append(("post", x.grad.item()))
    )
    leaf_node(x).metadata["seen"] = True
    (x * 3).backward()
    assert calls == [("pre", None), ("post", 3.0)]
    assert leaf_node(x).metadata == {"seen": True}
    handle.remove()
    (x * 3).backward()
    assert len(calls) == 3
