"""The node of a leaf. `accumulate_grad.py` adds the gradient to its `.grad`."""

from __future__ import annotations

from typing import Any
from weakref import WeakValueDictionary

from ..tensor.tensor import Tensor
from .hooks import NodeHooks, RemovableHandle, hooks_of

__all__ = ["AccumulateGrad"]


class AccumulateGrad:
    """The end of the graph: the node that adds a gradient to a leaf's `.grad`."""

    next_functions: tuple[Any, ...] = ()
    variable: Tensor

    def __new__(cls, variable: Tensor) -> AccumulateGrad:
        """The node of a leaf: the same one as long as anyone holds it."""
        node = _nodes.get(id(variable))
        if node is None or node.variable is not variable:
            _nodes[id(variable)] = node = super().__new__(cls)
            node.variable = variable
        return node

    @property
    def hooks(self) -> NodeHooks | None:
        """The node's hooks, which the leaf keeps."""
        return self.variable._end_hooks

    @hooks.setter
    def hooks(self, hooks: NodeHooks) -> None:
        self.variable._end_hooks = hooks

    @property
    def device(self) -> Any:
        """The leaf's device."""
        return self.variable._device

    @property
    def metadata(self) -> dict[str, Any]:
        """A dictionary for the user's own notes on a node."""
        return hooks_of(self).notes

    def register_hook(self, hook: Any) -> RemovableHandle:
        """Call `hook((), grad_outputs)` after the gradient was added."""
        return hooks_of(self).add("post", hook)

    def register_prehook(self, hook: Any) -> RemovableHandle:
        """Call `hook(grad_outputs)` before the gradient is added."""
        return hooks_of(self).add("pre", hook)

    def name(self) -> str:
        """PyTorch's name of this node."""
        return "torch::autograd::AccumulateGrad"

    def __repr__(self) -> str:
        return f"<AccumulateGrad object at {id(self.variable):#x}>"


# A node keeps its leaf, so that no other tensor can have this id.
_nodes: WeakValueDictionary[int, AccumulateGrad] = WeakValueDictionary()
