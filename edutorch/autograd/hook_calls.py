"""Calling the hooks of a backward pass: they are shown tensors, whatever it runs on."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tensor.tensor import Tensor, wrap
from .task import Task

__all__ = ["after", "array_of", "as_tensors", "before", "call_hooks"]


def before(task: Task, node: Any, gradient: Any) -> Any:
    """Hooks on a node's output tensors, retained gradients, and pre-hooks."""
    hooks = node.hooks
    several = gradient if type(gradient) is list else [gradient]
    for nr, g in enumerate(several):
        if g is None:
            continue
        if nr in hooks.tensor:
            g = several[nr] = call_hooks(task, hooks.tensor[nr], g, node.device)
        tensor = hooks.retained[nr]() if nr in hooks.retained else None
        if tensor is not None:
            kept = as_tensors(g if isinstance(g, Tensor) else g.copy(), node.device)[0]
            tensor._grad = kept if tensor._grad is None else tensor._grad + kept
    for hook in list(hooks.pre.values()):
        answer = hook(as_tensors(several, node.device))
        if answer is not None:
            several = _like_task(task, answer)
    return list(several) if type(gradient) is list else several[0]


def after(task: Task, node: Any, results: Any, gradient: Any) -> tuple[Any, ...]:
    """Hooks that see a node's results, and may change them."""
    for hook in list(node.hooks.post.values()):
        answer = hook(
            as_tensors(results, node.device), as_tensors(gradient, node.device)
        )
        if answer is not None:
            answer = answer if isinstance(answer, tuple) else (answer,)
            results = tuple(_like_task(task, answer))
    return tuple(results)


def call_hooks(task: Task, hooks: dict[int, Any], gradient: Any, device: Any) -> Any:
    """Hooks on one tensor, each of which may change the gradient."""
    for hook in list(hooks.values()):
        shown = isinstance(gradient, Tensor)
        answer = hook(gradient if shown else wrap(array_of(gradient), device))
        if answer is not None:
            gradient = answer if task.create_graph else answer._data
    return gradient


def _like_task(task: Task, tensors: Any) -> list[Any]:
    return [
        t if t is None or task.create_graph or not isinstance(t, Tensor) else t._data
        for t in tensors
    ]


def as_tensors(values: Any, device: Any = None) -> tuple[Any, ...]:
    """What hooks and steppers are shown: gradients as tensors."""
    several = values if isinstance(values, (tuple, list)) else (values,)
    return tuple(
        v if v is None or isinstance(v, Tensor)
        else wrap(np.asarray(v) if isinstance(v, np.generic) else v,
                  *(() if device is None else (device,)))
        for v in several
    )  # fmt: skip


def array_of(value: Any) -> Any:
    """NumPy's formulas give scalars where an array has no dimensions."""
    return np.array(value) if isinstance(value, np.generic) else value
