"""Where a backward pass starts: its roots, and the gradient at each of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..backends import array_module
from ..tensor.tensor import Tensor, wrap
from .graph import GradientEdge
from .graph_task import Task
from .hooks import AccumulateGrad

__all__ = ["backward_task", "root_gradients", "sequence_of"]


def backward_task(
    tensors: Any, gradients: Any, retain: bool | None, create: bool, inputs: Any
) -> Task:
    """The task of a `backward`: its roots, their gradients, and who gets gradients.

    Raises:
        RuntimeError: for roots that cannot be differentiated, and gradients that do
            not fit them.
        TypeError: for what is no tensor.
    """
    one = gradients is None or isinstance(gradients, Tensor)
    if one and isinstance(tensors, Tensor):  # the commonest
        roots, given = [tensors], [_root_gradient(0, tensors, gradients, create)]
    else:
        roots = sequence_of(tensors)
        given = root_gradients(roots, gradients, create)
    targets = None if inputs is None else sequence_of(inputs)
    if targets is not None and not targets:
        raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    for t in targets or ():
        t.retain_grad()  # which does nothing for leaves
    task = Task(
        roots,
        given,
        create_graph=create,
        retain=create if retain is None else retain,
        targets=targets,
    )
    if targets is not None:
        task.wanted = set()
    return task


def sequence_of(value: Any) -> list[Any]:
    """One or several tensors, or places in the graph, as a list of tensors."""
    if isinstance(value, (Tensor, GradientEdge)):
        value = [value]
    return [_tensor_at(v) if type(v) is GradientEdge else v for v in value]


def _tensor_at(edge: GradientEdge) -> Tensor:
    """A tensor without values that has a place in the graph."""
    node, nr = edge.node, edge.output_nr
    if isinstance(node, AccumulateGrad):
        return node.variable
    shape, dtype = node.out_shape, node.out_dtype
    if type(dtype) is tuple:
        shape, dtype = shape[nr], dtype[nr]
    tensor = wrap(np.broadcast_to(np.zeros((), dtype), shape), node.device)
    tensor._requires_grad, tensor._grad_fn, tensor._output_nr = True, node, nr
    return tensor


def root_gradients(roots: list[Any], gradients: Any, create: bool) -> list[Any]:
    """The gradient to start with at each root.

    Raises:
        RuntimeError: for roots without history, and gradients that do not fit.
        TypeError: for what is no tensor.
    """
    given = [None] * len(roots) if gradients is None else sequence_of(gradients)
    if len(given) != len(roots):
        raise RuntimeError(f"got {len(roots)} tensors and {len(given)} gradients")
    return [
        _root_gradient(i, root, g, create)
        for i, (root, g) in enumerate(zip(roots, given, strict=True))
    ]


def _root_gradient(i: int, root: Any, gradient: Any, create: bool) -> Any:
    """The gradient to begin with at one root."""
    if not isinstance(root, Tensor):
        raise TypeError(f"expected a Tensor, got {type(root).__name__}")
    if gradient is not None:
        _check_gradient(i, root, gradient)
        if gradient._data.dtype != root._data.dtype:
            gradient = gradient.to(root.dtype)
    if not root._requires_grad:
        raise RuntimeError(
            f"element {i} of tensors does not require grad and does not have a grad_fn"
        )
    if gradient is not None:
        return gradient if create else gradient._data
    if root._data.size != 1:
        raise RuntimeError("grad can be implicitly created only for scalar outputs")
    if root._data.dtype.kind in "cW":
        raise RuntimeError(
            "grad can be implicitly created only for real scalar outputs but got "
            f"{root.dtype}"
        )
    if type(root._data) is np.ndarray and not root._data.ndim:
        ones = np.array(1, root._data.dtype)  # in half the time
    else:
        ones = array_module(root._data).ones(root._data.shape, root._data.dtype)
    return wrap(ones, root._device) if create else ones


def _check_gradient(i: int, root: Tensor, gradient: Any) -> None:
    """A given gradient: a tensor like its root."""
    if not isinstance(gradient, Tensor):
        raise TypeError(
            "gradients can be either Tensors or None, but got "
            f"{type(gradient).__name__}"
        )
    if gradient._data.shape != root._data.shape:
        raise RuntimeError(
            f"Mismatch in shape: grad_output[{i}] has a shape of {gradient.shape} and "
            f"output[{i}] has a shape of {root.shape}."
        )
    if (gradient._data.dtype.kind in "cW") != (root._data.dtype.kind in "cW"):
        raise RuntimeError(
            "For complex Tensors, both grad_output and output are required to have the "
            f"same dtype. Mismatch in dtype: grad_output[{i}] has a dtype of "
            f"{gradient.dtype} and output[{i}] has a dtype of {root.dtype}."
        )
