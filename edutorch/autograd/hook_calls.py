"""Calls the hooks of a backward pass; they get tensors even if it runs on arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import events, memory_events
from ..devices import CPU
from ..tensor.tensor import Tensor, wrap
from .foreign_operands import call_user
from .graph_task import Task
from .op_errors import type_name

__all__ = [
    "array_of", "as_tensors", "gradient_tensor", "run_hooks",
    "run_post_accumulate_hooks", "run_post_hooks", "run_pre_hooks",
    "run_tensor_hooks",
]  # fmt: skip


def run_pre_hooks(task: Task, node: Any, gradient: Any) -> Any:
    """Hooks on a node's output tensors, retained gradients, and pre-hooks.

    Raises:
        RuntimeError: if a hook changes the number, shape or dtype of gradients.
        TypeError: if it returns anything other than tensors.
    """
    several = run_tensor_hooks(task, node, gradient)
    several = several if type(gradient) is list else [several]
    for hook in list(node.hooks.pre.values()):
        shown = as_tensors(several, node.device)
        answer = call_user(hook, shown)
        if answer is not None:
            _checked_results(hook, shown, answer)
            several = _like_task(task, answer)
    return list(several) if type(gradient) is list else several[0]


def run_tensor_hooks(task: Task, node: Any, gradient: Any) -> Any:
    """The hooks on a node's output tensors; gradients that these retain."""
    hooks = node.hooks
    several = gradient if type(gradient) is list else [gradient]
    for nr, g in enumerate(several):
        if g is None:
            continue
        if nr in hooks.tensor:
            g = several[nr] = run_hooks(task, hooks.tensor[nr], g, node.device)
        tensor = hooks.retained[nr]() if nr in hooks.retained else None
        if tensor is not None:
            grad = as_tensors(g if isinstance(g, Tensor) else g.copy(), node.device)[0]
            tensor._grad = grad if tensor._grad is None else tensor._grad + grad
            if events.hears_memory:
                memory_events.recategorise(tensor._grad, "gradient", tensor, "grad")
    return several if type(gradient) is list else several[0]


def run_post_hooks(
    task: Task, node: Any, results: Any, gradient: Any
) -> tuple[Any, ...]:
    """Hooks that see a node's results, and may change them.

    Raises:
        RuntimeError: if a hook changes the number, shape or dtype of gradients.
        TypeError: if it returns anything other than tensors.
    """
    results = list(results)
    places = _places_of_edges(node, len(results))
    for hook in list(node.hooks.post.values()):
        shown = as_tensors([results[i] for i in places], node.device)
        answer = call_user(hook, shown, as_tensors(gradient, node.device))
        if answer is not None:
            _checked_results(hook, shown, answer)
            for i, new in zip(places, _like_task(task, answer), strict=True):
                results[i] = new
    return tuple(results)


def _places_of_edges(node: Any, count: int) -> list[int]:
    """Which of a node's results belong to operands for which PyTorch has an edge."""
    if not getattr(node, "constants", ()):
        return list(range(count))
    return [i for i in range(count)
            if node.edges[i] is not None or i not in node.constants]  # fmt: skip


def run_hooks(task: Task, hooks: dict[int, Any], gradient: Any, device: Any) -> Any:
    """Hooks on one tensor, each of which may change the gradient.

    Raises:
        RuntimeError: if a hook changes its shape or dtype.
        TypeError: if it returns anything other than a tensor.
    """
    for hook in list(hooks.values()):
        shown = gradient
        if not isinstance(gradient, Tensor):
            shown = gradient_tensor(array_of(gradient), device)
        answer = call_user(hook, shown)
        if answer is not None:
            _checked_result(hook, shown, answer)
            gradient = answer if task.create_graph else answer._data
    return gradient


def run_post_accumulate_hooks(leaf: Tensor) -> None:
    """Call the hooks that run after a gradient was added to a leaf's `.grad`.

    Raises:
        RuntimeError: if one returns another tensor than the leaf itself.
        TypeError: if one returns neither a tensor nor None.
    """
    for hook in list(leaf._post_hooks.values()):
        answer = call_user(hook, leaf)
        if answer is not None and answer is not leaf:
            _checked_result(hook, leaf, answer)
            raise RuntimeError("Tensor post accumulate grad hooks should return None.")


def _checked_results(hook: Any, shown: tuple[Any, ...], answer: Any) -> None:
    """Check a node hook's result: a tuple like the one it was given."""
    if not isinstance(answer, tuple):
        raise TypeError(f"expected tuple, but hook returned '{_type_text(answer)}'")
    if len(answer) != len(shown):
        raise RuntimeError(
            f"hook '{_hook_name(hook)}' has returned an incorrect number of values "
            f"(got {len(answer)}, but expected {len(shown)})"
        )
    for g, new in zip(shown, answer, strict=True):
        if new is not None:
            _checked_result(hook, g, new)


def _checked_result(hook: Any, g: Any, new: Any) -> None:
    """Check a hook's result, which replaces `g`."""
    if not isinstance(new, Tensor):
        raise TypeError(f"expected Variable, but hook returned '{_type_text(new)}'")
    if g is None:
        raise RuntimeError("can't replace a None gradient with a non-None value")
    if g._data.dtype != new._data.dtype or g._device.type != new._device.type:
        raise RuntimeError(
            f"hook '{_hook_name(hook)}' has changed the type of value (was "
            f"{type_name(g)} got {type_name(new)})"
        )
    if g._data.shape != new._data.shape:
        raise RuntimeError(f"hook '{_hook_name(hook)}' has changed the size of value")


def _hook_name(hook: Any) -> str:
    return getattr(hook, "__name__", "<unknown>")


def _type_text(value: Any) -> str:
    return type(value).__name__


def _like_task(task: Task, tensors: Any) -> list[Any]:
    """Tensors that hooks returned, as the pass runs on them."""
    return [t if t is None or task.create_graph else t._data for t in tensors]


def as_tensors(values: Any, device: Any = None) -> tuple[Any, ...]:
    """Gradients as tensors, for hooks and for stepping."""
    several = values if isinstance(values, (tuple, list)) else (values,)
    return tuple(
        v if v is None or isinstance(v, Tensor)
        else gradient_tensor(np.asarray(v) if isinstance(v, np.generic) else v, device)
        for v in several
    )  # fmt: skip


def gradient_tensor(array: Any, device: Any) -> Tensor:
    """A gradient as a tensor; its memory on a GPU counts from now on.

    Args:
        array: the gradient, as the engine holds it.
        device: None is the CPU.
    """
    if device is None or device is CPU:
        return wrap(array)
    shown = wrap(array, device)
    if events.hears_memory and device.type == "cuda":
        memory_events.announce_alloc(shown, "gradient", -1, events.clock())
    return shown


def array_of(value: Any) -> Any:
    """Turn NumPy's scalars, its results without dimensions, into arrays."""
    return np.array(value) if isinstance(value, np.generic) else value
