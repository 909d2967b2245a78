"""Second derivatives that are zero, but recorded, as in PyTorch.

PyTorch computes most gradients by functions of the incoming gradient and of the input,
even if the function is piecewise constant in the input (leaky relu, pooling). With
`create_graph` such a gradient requires grad, and its derivative with respect to the
input is zero.
"""

from __future__ import annotations

import re
from typing import Any

from ..backends import backend_of
from ..tensor.tensor import Tensor, wrap
from .dispatch import apply
from .modes import modes
from .node import Op

__all__ = ["GradientOf", "record_double_backward", "zero_gradient"]


class GradientOf(Op):
    """A gradient as a function of the input of the operation that it belongs to.

    Math: y = g      ∂L/∂g = gy      ∂L/∂x = 0
    """

    attributes = ("of", "by", "zeros")
    saves = ()

    def __init__(
        self, of: str, by: tuple[int, ...], zeros: bool, missing: str = "", *,
        every_order: bool = False,
    ) -> None:  # fmt: skip
        self.of, self.by, self.zeros = of, by, zeros
        self.missing = missing  # PyTorch's function that has no derivative
        self.every_order = every_order  # whether `backward` is recorded as one, too

    @property
    def double_backward(self) -> str:
        """Whether the gradient of this one is recorded in the same way."""
        return "every_order" if self.every_order else ""

    def name(self) -> str:
        """PyTorch's name of the node: that of the gradient of a gradient."""
        if self.missing:
            return "torch::autograd::NotImplemented"
        return re.sub(r"Backward\d+$", "BackwardBackward0", self.of)

    def forward(self, g: Any, *inputs: Any) -> Any:
        return g

    def backward(self, g: Any) -> Any:
        if self.missing:
            raise RuntimeError(f"derivative for {self.missing} is not implemented")
        zeros = [zero_gradient(self, i) if self.zeros else None for i in self.by]
        return g, *zeros


def record_double_backward(node: Op, results: Any) -> Any:
    """Record the gradients of a node as functions of its inputs, too."""
    if modes.forward or not any(node.needs):  # forward mode is linear in gradients
        return results
    missing = node.double_backward if node.double_backward.startswith("aten::") else ""
    every_order = node.double_backward == "every_order"
    zeros = every_order or node.double_backward == "zeros" or bool(missing)
    several = type(results) is tuple
    gradients = list(results) if several else [results]
    # Of the gradients of a gradient, the zeros for x do not depend on anything.
    first = gradients[:1] if isinstance(node, GradientOf) else gradients
    bare = [i for i, g in enumerate(first)
            if isinstance(g, Tensor) and (zeros or not g._requires_grad)]  # fmt: skip
    if not bare:
        return results
    inputs = [_input_edge(node, i) for i, edge in enumerate(node.edges)
              if edge is not None]  # fmt: skip
    by = tuple(range(1, len(inputs) + 1))
    for i in bare:
        op = GradientOf(node.name(), by, zeros, missing, every_order=every_order)
        gradients[i] = apply(op, gradients[i], *inputs)
    return tuple(gradients) if several else gradients[0]


def _input_edge(node: Op, i: int) -> Tensor:
    """The edge of a node's i-th input, as a tensor without values."""
    edge = node.edges[i]
    if not edge.is_op:
        return edge
    nr, shape, dtype = node.edge_nrs[i], edge.out_shape, edge.out_dtype
    if type(dtype) is tuple:
        shape, dtype = shape[nr], dtype[nr]
    xp = backend_of(edge.device).xp
    tensor = wrap(xp.broadcast_to(xp.zeros((), dtype), shape), edge.device)
    tensor._requires_grad, tensor._grad_fn, tensor._output_nr = True, edge, nr
    return tensor


def zero_gradient(node: Op, i: int) -> Any:
    """The gradient of a node's i-th input where it is zero, whatever the values are.

    Unless they are to be recorded, zeros are not sent through the graph: the task notes
    where they would have begun, and what they would have reached gets zeros at the end,
    if nothing else comes.
    """
    edge, task = node.edges[i], modes.task
    if edge is None or task is None or modes.forward:
        return None
    if edge.is_op and not task.create_graph:
        task.zeros = (*task.zeros, (edge, node.edge_nrs[i]))
        return None
    like = _input_edge(node, i)
    zeros = backend_of(like._device).xp.zeros(like._data.shape, like._data.dtype)
    return wrap(zeros, like._device) if task.create_graph else zeros
