"""A composed function with a single node."""

from __future__ import annotations

import edutorch as torch
from edutorch.autograd.dispatch import Op
from edutorch.autograd.one_node import as_one_node


class Cube(Op):
    """x³, composed of products."""

    saves = (0,)

    def backward(self, g):
        return g * 3 * self.inputs[0] ** 2


def test_there_is_one_node_which_gives_the_gradient():
    x = torch.tensor([2.0], requires_grad=True)
    y = as_one_node(Cube(), lambda t: t * t * t, x)
    assert y.grad_fn.name() == "CubeBackward0" and y.grad_fn.edges == (x,)
    assert torch.autograd.grad(y, x)[0].item() == 12


def test_inside_vmap_the_ops_have_their_own_nodes():
    cubes = torch.vmap(lambda t: as_one_node(Cube(), lambda s: s * s * s, t))
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    assert torch.autograd.grad(cubes(x).sum(), x)[0].tolist() == [3, 12]
