"""Callbacks that run at the end of a backward pass, when all gradients are complete."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .modes import modes

__all__ = ["queue_callback"]


def queue_callback(callback: Callable[[], Any], outermost: bool = False) -> None:
    """Call a function, once, at the end of the backward pass that is running.

    Args:
        outermost: where passes run inside others, wait for the first of them.

    Raises:
        RuntimeError: if none is running.

    Example:
        >>> import edutorch as torch
        >>> engine = torch.autograd.Variable._execution_engine
        >>> x = torch.ones(1, requires_grad=True)
        >>> def hook(g):
        ...     engine.queue_callback(lambda: print("at the end:", x.grad))
        >>> y = x * 3
        >>> handle = y.register_hook(hook)
        >>> y.backward()
        at the end: tensor([3.])
    """
    task: Any = modes.task
    if task is None:
        raise RuntimeError(
            "Final callbacks can only be installed during backward pass."
        )
    while outermost and task.enclosing is not None:
        task = task.enclosing
    if not task.callbacks:
        task.callbacks = []
    task.callbacks.append(callback)
