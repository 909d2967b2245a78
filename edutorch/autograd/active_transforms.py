"""Function transforms running in this thread, and what tensors print inside them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from textwrap import indent
from typing import Any

from ..tensor import printing
from ..tensor.tensor import Tensor, bare_tensor
from .batched_tensor import Batched

__all__ = ["NO_LEVEL", "active", "inside_only", "running"]


class _Active(threading.local):
    """The transforms, outermost first: levels of `vmap`, and ids of inputs' nodes."""

    def __init__(self) -> None:
        self.stack: list[int | set[int]] = []


active = _Active()
NO_LEVEL = 0  # of a `vmap` that only PyTorch needs


@contextmanager
def running(transform: int | set[int]) -> Iterator[None]:
    """A block inside a transform: the level of a `vmap`, or the ids of inputs' nodes.

    Example:
        >>> with running(1):
        ...     len(active.stack)
        1
    """
    active.stack.append(transform)
    try:
        yield
    finally:
        active.stack.pop()


@contextmanager
def inside_only(transforms: list[int | set[int]]) -> Iterator[None]:
    """Treat this block as being inside these transforms and no others.

    A batch of gradients is taken through a backward pass by `vmap`, but the functions
    called there do not see that transform, as in PyTorch.

    Example:
        >>> with running(1), inside_only([]):
        ...     len(active.stack)
        0
    """
    before, active.stack = active.stack, transforms
    try:
        yield
    finally:
        active.stack = before


def _transformed_repr(t: Tensor) -> str | None:
    """The text of a tensor inside transforms; None for one that none of them touches.

    Each transform encloses what the outer ones made of the tensor.
    """
    value, levels = (t._value, t._levels) if type(t) is Batched else (t, ())
    transforms = active.stack or levels
    if not transforms:
        return None
    nodes = _nodes(value)
    kinds = {
        at: "Batched" if isinstance(transform, int) else "GradTracking"
        for at, transform in enumerate(transforms, 1)
        if (transform in levels if isinstance(transform, int) else transform & nodes)
    }
    if not kinds:
        return None
    text = repr(bare_tensor(Tensor, value._data, value._device))
    for at, kind in kinds.items():
        dim = "bdim=0, " if kind == "Batched" else ""
        text = f"{kind}Tensor(lvl={at}, {dim}value=\n{indent(text, ' ' * 4)}\n)"
    return text


def _nodes(t: Tensor) -> set[int]:
    """The ids of the nodes of a tensor's graph."""
    stack: list[Any] = [t.grad_fn] if t._requires_grad else []
    seen: set[int] = set()
    while stack:
        node = stack.pop()
        if node is not None and node.is_op and id(node) not in seen:
            seen.add(id(node))
            stack += node.edges
    return seen


printing.transformed_repr = _transformed_repr
