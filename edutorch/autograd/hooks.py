"""The hooks of nodes and tensors, and the handles that remove them."""

from __future__ import annotations

import itertools
from typing import Any

__all__ = ["NodeHooks", "RemovableHandle", "add_hook", "hooks_of"]

_number = itertools.count().__next__


class RemovableHandle:
    """The handle of a registered hook: `remove()` removes the hook.

    Args:
        hooks_dict: hooks by number; the new one is to be put under `id`.
        extra_dict: a table, or a list of them, from which `id` is removed as well.

    Example:
        >>> import edutorch as torch
        >>> m = torch.nn.Identity()
        >>> handle = m.register_forward_hook(lambda module, args, out: out + 1)
        >>> handle.remove()
        >>> m(torch.zeros(1))
        tensor([0.])
    """

    def __init__(self, hooks_dict: Any, *, extra_dict: Any = None) -> None:
        several = extra_dict if isinstance(extra_dict, list) else [extra_dict]
        self.tables = [hooks_dict, *(t for t in several if t is not None)]
        self.id = _number()

    def remove(self) -> None:
        """Remove the hook; calling this twice has no effect."""
        for table in self.tables:
            table.pop(self.id, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *exception: object) -> None:
        self.remove()


class NodeHooks:
    """The hooks of one node: on its outputs' tensors, before and after it runs."""

    def __init__(self) -> None:
        self.tensor: dict[int, dict[int, Any]] = {}  # output number -> hooks
        self.pre: dict[int, Any] = {}
        self.post: dict[int, Any] = {}
        self.retained: dict[int, Any] = {}  # output number -> weak reference to tensor
        self.notes: dict[str, Any] = {}

    def add(self, where: str, hook: Any, nr: int = 0) -> RemovableHandle:
        """Add a hook; `where` is "pre", "post" or "tensor"."""
        hooks = getattr(self, where)
        if where == "tensor":
            hooks = hooks.setdefault(nr, {})
        return add_hook(hooks, hook)


def hooks_of(node: Any) -> NodeHooks:
    """The hooks of a node, created on first use."""
    if node.hooks is None:
        node.hooks = NodeHooks()
    found: NodeHooks = node.hooks
    return found


def add_hook(hooks: dict[int, Any], hook: Any) -> RemovableHandle:
    """Put a hook into a table of hooks."""
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    return handle
