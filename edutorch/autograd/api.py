"""`backward` and `grad`, and the methods of Tensor for them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..kernels.lazy_modules import LazyModule
from ..tensor.tensor import Tensor, wrap
from .active_transforms import active, inside_only
from .engine import Step, steps
from .graph_task import (
    Task,
    backward_task,
    check_root,
    need_history,
    root_gradients,
    sequence_of,
)

__all__ = ["backward", "batched_grad", "grad"]

_transforms = LazyModule("edutorch.func")  # a higher layer, which imports this file

ONLY_INPUTS = (
    "only_inputs argument is deprecated and is ignored now (defaults to True). To "
    "accumulate gradient for other parts of the graph, please use "
    "torch.autograd.backward."
)


def backward(
    tensors: Tensor | Sequence[Tensor],
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
) -> None:
    """Accumulate the gradients of `tensors` in the `.grad` of the graph's leaves.

    Math: leaf.grad += Σ_i grad_tensors_i · ∂tensors_i/∂leaf

    Args:
        grad_tensors: the gradient of each tensor; may be left out for single numbers.
        retain_graph: keep saved values for another backward (default: create_graph).
        create_graph: record the backward pass, so that it can be differentiated.
        inputs: only these get gradients, leaves or not.

    Raises:
        RuntimeError: for tensors without history, or outputs that are not scalars.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor(3.0, requires_grad=True)
        >>> torch.autograd.backward(x * x)
        >>> x.grad
        tensor(6.)
    """
    task = backward_task(tensors, grad_tensors, retain_graph, create_graph, inputs)
    for _ in steps(task):
        pass


def grad(
    outputs: Tensor | Sequence[Tensor],
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> Any:
    """The gradients of `outputs` with respect to `inputs`, without touching `.grad`.

    Math: result_j = Σ_i grad_outputs_i · ∂outputs_i/∂inputs_j

    Args:
        inputs: tensors, or a dictionary of them, for which another is given back.
        only_inputs: without effect, as in PyTorch.
        allow_unused: None instead of an error for inputs that outputs do not use.
        is_grads_batched: each of `grad_outputs` holds a batch of gradients, in its
            first dimension; one backward takes all of them, by `vmap`.
        materialize_grads: zeros instead of None for unused inputs.

    Raises:
        RuntimeError: if an input was not used (unless allowed) or needs no gradient.
        ValueError: for `materialize_grads` with `allow_unused=False`.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor(2.0, requires_grad=True)
        >>> (g,) = torch.autograd.grad(x**3, x, create_graph=True)
        >>> torch.autograd.grad(g, x)
        (tensor(12.),)
    """
    if isinstance(inputs, dict):
        rest = (grad_outputs, retain_graph, create_graph, only_inputs, allow_unused,
                is_grads_batched, materialize_grads)  # fmt: skip
        found = grad(outputs, list(inputs.values()), *rest)
        return dict(zip(inputs, found, strict=True))
    if not only_inputs:
        warnings.warn(ONLY_INPUTS, FutureWarning, stacklevel=2)
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when "
            "materialize_grads=True, but got: allow_unused=False."
        )
    allow, roots = allow_unused or materialize_grads, sequence_of(outputs)
    targets = sequence_of(inputs)
    if is_grads_batched:
        _check_batch(roots, targets, grad_outputs)
        columns = _map_over_gradients(roots, targets, grad_outputs, create_graph, allow)
        return tuple(
            _zeros(t) if g is None and materialize_grads else g
            for g, t in zip(columns, targets, strict=True)
        )
    if not targets:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    given = root_gradients(roots, grad_outputs, create_graph)
    _check_targets(targets)
    task = Task(
        roots, given, create_graph=create_graph, targets=targets, accumulate=False,
        retain=create_graph if retain_graph is None else retain_graph,
    )  # fmt: skip
    for _ in steps(task):
        pass
    return tuple(
        _result(task, i, t, allow, materialize_grads) for i, t in enumerate(targets)
    )


def batched_grad(
    outputs: Sequence[Tensor],
    inputs: Sequence[Tensor],
    grad_outputs: Sequence[Any],
    allow_unused: Any = True,
) -> tuple[Tensor | None, ...]:
    """`grad` inside `vmap`, without second derivatives.

    It runs on tensors, as with `create_graph`, since batches are not arrays; but
    nothing is recorded, and saved values are retained.
    """
    given = root_gradients(outputs, grad_outputs, create=True)
    task = Task(
        outputs, given, create_graph=True, targets=inputs, accumulate=False,
        retain=True,
    )  # fmt: skip
    task.records = False
    for _ in steps(task):
        pass
    return tuple(_result(task, i, t, allow_unused, False) for i, t in enumerate(inputs))


def _check_targets(targets: list[Any]) -> None:
    for t in targets:
        if not isinstance(t, Tensor):
            raise TypeError(
                "all inputs have to be Tensors or GradientEdges, but got "
                f"{type(t).__name__}"
            )
        if not t._requires_grad:
            raise RuntimeError(
                "One of the differentiated Tensors does not require grad"
            )


def _result(
    task: Task, i: int, target: Tensor, allow: bool, zeros: bool
) -> Tensor | None:
    found = task.found.get((target.grad_fn or target, target._output_nr))
    if found is None:
        if not allow:
            raise RuntimeError(
                f"The differentiated Tensor at index {i} appears to not have been used "
                "in the graph. Set allow_unused=True if this is the desired behavior."
            )
        return _zeros(target) if zeros else None
    if isinstance(found, Tensor):
        return found
    return wrap(
        np.array(found) if isinstance(found, np.generic) else found, target._device
    )


def _zeros(target: Tensor) -> Tensor:
    return wrap(np.zeros_like(target._data), target._device)


def _check_batch(roots: list[Any], targets: list[Any], gradients: Any) -> None:
    """Check the operands of a backward pass for a batch of gradients.

    Raises:
        RuntimeError: for no inputs, and gradients that do not fit.
        TypeError, AssertionError: for what is no tensor.
    """
    if not targets:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    given = sequence_of(gradients)
    for i, (root, g) in enumerate(zip(roots, given, strict=False)):
        check_root(root)
        if isinstance(g, Tensor) and g.shape[1:] != root.shape:
            raise RuntimeError(
                "If `is_grads_batched=True`, we interpret the first dimension of each "
                "grad_output as the batch dimension. The sizes of the remaining "
                "dimensions are expected to match the shape of corresponding output, "
                f"but a mismatch was detected: grad_output[{i}] has a shape of "
                f"{g.shape[2:]} and output[{i}] has a shape of {root.shape}. If you "
                "only want some tensors in `grad_output` to be considered batched, "
                "consider using vmap."
            )
    if len(given) != len(roots):
        raise RuntimeError(f"got {len(roots)} tensors and {len(given)} gradients")
    for i, root in enumerate(roots):
        need_history(i, root)
    _check_targets(targets)


def _map_over_gradients(
    roots: list[Any], targets: Any, gradients: Any, create: bool, allow: Any
) -> list[Any]:
    """One backward for all entries of a batch of gradients, by `vmap`."""
    given = sequence_of(gradients)
    found: list[Any] = [None] * len(targets)
    outer = [*active.stack]
    used: list[int] = []  # targets with a gradient, as `vmap` gives only tensors

    def row(*cotangents: Tensor) -> tuple[Any, ...]:
        with inside_only(outer):
            if create:
                gs = grad(roots, targets, cotangents, True, True, allow_unused=allow)
            else:
                gs = batched_grad(roots, targets, cotangents, allow)
        used[:] = [i for i, g in enumerate(gs) if g is not None]
        return tuple(gs[i] for i in used)

    for i, g in zip(used, _transforms.vmap(row)(*given), strict=True):
        found[i] = g
    return found


# ---- methods of Tensor


def _backward(
    self: Tensor,
    gradient: Tensor | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
) -> None:
    """Accumulate this tensor's gradient into the leaves; see `autograd.backward`.

    Example:
        >>> import edutorch as torch
        >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> w.sum().backward()
        >>> w.grad
        tensor([1., 1.])
    """
    task = backward_task(self, gradient, retain_graph, create_graph, inputs)
    for _ in steps(task):
        pass


def _backward_steps(
    self: Tensor, gradient: Tensor | None = None, retain_graph: bool = False
) -> Iterator[Step]:
    """Run backward one node at a time: `for step in loss.backward_steps(): ...`.

    Each `Step` has the node, its incoming and its outgoing gradients.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor(3.0, requires_grad=True)
        >>> [step.name for step in (x * x).backward_steps()]
        ['MulBackward0', 'AccumulateGrad']
    """
    task = backward_task(self, gradient, retain_graph, False, None)
    return steps(task, stepping=True)


for _name, _function in {
    "backward": _backward,
    "backward_steps": _backward_steps,
}.items():
    _function.__qualname__ = f"Tensor.{_name}"  # messages name it so
    setattr(Tensor, _name, _function)
