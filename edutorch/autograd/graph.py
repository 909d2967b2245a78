"""Graph tools: edges, and hooks on saved tensors, on nodes and on several tensors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from ..tensor.tensor import Tensor
from .hooks import RemovableHandle
from .inplace import INFERENCE
from .leaf_node import AccumulateGrad
from .modes import modes
from .node import Op
from .saved_tensor_hooks import COPYING_HOOKS, pop_hooks, push_hooks, refuse_hooks
from .stream_settings import (
    region_activation_memory_budget,
    set_override_stale_capture_stream,
    set_warn_on_accumulate_grad_stream_mismatch,
)

__all__ = [
    "GradientEdge",
    "Node",
    "allow_mutation_on_saved_tensors",
    "disable_saved_tensors_hooks",
    "get_gradient_edge",
    "increment_version",
    "region_activation_memory_budget",
    "register_multi_grad_hook",
    "save_on_cpu",
    "saved_tensors_hooks",
    "set_override_stale_capture_stream",
    "set_warn_on_accumulate_grad_stream_mismatch",
]


class _NodeType(type):
    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, (Op, AccumulateGrad))

    def __subclasscheck__(cls, other: type) -> bool:
        return issubclass(other, (Op, AccumulateGrad))


class Node(metaclass=_NodeType):
    """The base class of all nodes of the graph: `grad_fn` and its ancestors.

    Nodes are the ops that ran (`edutorch.autograd.node.Op`), and `AccumulateGrad` for
    leaves. They have `name()`, `next_functions`, `metadata`, `register_hook` (called
    with the gradients of inputs and outputs after the node's backward) and
    `register_prehook` (called with those of the outputs before it).

    Example:
        >>> import edutorch as torch
        >>> y = torch.ones(1, requires_grad=True) * 2
        >>> isinstance(y.grad_fn, torch.autograd.graph.Node)
        True
        >>> y.grad_fn.name()
        'MulBackward0'
    """

    def __new__(cls) -> Any:
        """Nodes are made by running operations."""
        raise TypeError("Can't instantiate abstract class Node")


class GradientEdge(NamedTuple):
    """A place in the graph: one output of a node. `grad` takes it like a tensor.

    Example:
        >>> import edutorch as torch
        >>> y = torch.ones(1, requires_grad=True) * 2
        >>> torch.autograd.graph.get_gradient_edge(y).output_nr
        0
    """

    node: Any
    output_nr: int
    ownership_token: Any = None


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """The node to which a tensor's gradient is passed, and the number of the output.

    It may outlive the tensor: `grad` finds the gradient without keeping the values.

    Raises:
        RuntimeError: for a tensor that requires no gradient.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor(3.0, requires_grad=True)
        >>> y = x * x
        >>> edge = torch.autograd.graph.get_gradient_edge(y)
        >>> torch.autograd.grad(y.exp().log(), edge)
        (tensor(1.),)
    """
    if not tensor._requires_grad:
        raise RuntimeError(
            "It is not possible to get the gradient edge for a Tensor that does not "
            "require gradients"
        )
    return GradientEdge(tensor.grad_fn or AccumulateGrad(tensor), tensor._output_nr)


# ---- what nodes save


class saved_tensors_hooks:  # noqa: N801 (PyTorch's name)
    """A block in which saved tensors pass through a pair of functions.

    Args:
        pack_hook: called with each tensor when it is saved; its answer is kept.
        unpack_hook: called with that answer in backward; must give an equal tensor.

    Raises:
        RuntimeError: if `pack_hook` changes its tensor, or hooks are disabled.
        TypeError: if `unpack_hook` does not return a tensor.

    Example:
        >>> import edutorch as torch
        >>> x = torch.ones(2, requires_grad=True)
        >>> half = lambda t: t.to(torch.float16)
        >>> back = lambda t: t.to(torch.float32)
        >>> with torch.autograd.graph.saved_tensors_hooks(half, back):
        ...     y = (x * x).sum()
        >>> y.backward()
        >>> x.grad
        tensor([2., 2.])
    """

    def __init__(
        self,
        pack_hook: Callable[[Tensor], Any],
        unpack_hook: Callable[[Any], Tensor],
    ) -> None:
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self) -> None:
        for hook in (self.pack_hook, self.unpack_hook):
            if not callable(hook):
                raise TypeError(f"hooks must be callable, not {type(hook).__name__}")
        push_hooks((self.pack_hook, self.unpack_hook))

    def __exit__(self, *exception: object) -> None:
        pop_hooks()


class save_on_cpu(saved_tensors_hooks):  # noqa: N801 (PyTorch's name)
    """A block in which nodes store saved tensors in host memory.

    Args:
        pin_memory: accepted; memory is never page-locked here.
        device_type: the kind of device that memory would be pinned for.

    Example:
        >>> import edutorch as torch
        >>> x = torch.ones(2, requires_grad=True)
        >>> with torch.autograd.graph.save_on_cpu():
        ...     y = (x * x).sum()
        >>> y.backward()
        >>> x.grad
        tensor([2., 2.])
    """

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        super().__init__(_to_cpu, _from_cpu)


def _to_cpu(t: Tensor) -> tuple[Any, Tensor]:
    return t._device, t.cpu()


def _from_cpu(packed: tuple[Any, Tensor]) -> Tensor:
    device, t = packed
    return t.to(device)


@contextmanager
def disable_saved_tensors_hooks(error_message: str) -> Iterator[None]:
    """In this block, `saved_tensors_hooks` raises an error with this message.

    Example:
        >>> import edutorch as torch
        >>> with torch.autograd.graph.disable_saved_tensors_hooks("not here"):
        ...     torch.autograd.graph.save_on_cpu().__enter__()
        Traceback (most recent call last):
        RuntimeError: not here
    """
    refuse_hooks(error_message)
    before, modes.hooks_refused = modes.hooks_refused, error_message
    hooks, modes.saved_hooks = modes.saved_hooks, ()
    try:
        yield
    finally:
        modes.hooks_refused, modes.saved_hooks = before, hooks


class _CopyOnSave(saved_tensors_hooks):
    """Saved tensors as copies, so that the originals may change."""

    entered = False  # whether a block is running, in any thread

    def __init__(self) -> None:
        super().__init__(COPYING_HOOKS[0], self._unpacked)
        self.open = True

    def _unpacked(self, t: Tensor) -> Tensor:
        if not self.open:
            raise AssertionError(
                "Trying to backward outside of the 'allow_mutation_on_saved_tensors' "
                "contextin which the graph was originally recorded."
            )
        return t

    def clear(self) -> None:
        """Give up the copies: no backward pass may use them any more."""
        self.open = False


@contextmanager
def allow_mutation_on_saved_tensors() -> Iterator[Any]:
    """In this block, tensors saved for backward may be changed in place afterwards.

    Nodes save copies: backward, which must run in the block, too, uses the values at
    the time of saving.

    Raises:
        RuntimeError: inside another such block.

    Example:
        >>> import edutorch as torch
        >>> x = torch.ones(2, requires_grad=True)
        >>> with torch.autograd.graph.allow_mutation_on_saved_tensors():
        ...     a = x.clone()
        ...     y = (a * a).sum()
        ...     _ = a.zero_()
        ...     y.backward()
        >>> x.grad
        tensor([2., 2.])
    """
    if _CopyOnSave.entered:
        raise RuntimeError("allow_mutation_on_saved_tensors contexts cannot be nested")
    copies = _CopyOnSave()
    _CopyOnSave.entered = True
    try:
        with copies:
            yield copies
    finally:
        copies.clear()
        _CopyOnSave.entered = False


def increment_version(tensor: Tensor | Iterable[Tensor]) -> None:
    """Tell autograd that a tensor's memory was changed without its knowledge.

    Raises:
        RuntimeError: for arguments that are not tensors, and for inference tensors.

    Example:
        >>> import edutorch as torch
        >>> x = torch.ones(1)
        >>> torch.autograd.graph.increment_version(x)
        >>> x._version
        1
    """
    tensors = [tensor] if isinstance(tensor, Tensor) else tensor
    if not isinstance(tensors, Iterable):
        raise RuntimeError("increment_version expect a Iterable[Tensor] as input")
    for t in tensors:
        if not isinstance(t, Tensor):
            raise RuntimeError(
                "increment_version expect each element of the iterable to be a tensor"
            )
        if t._inference:
            raise RuntimeError(INFERENCE)
        t.untyped_storage().version += 1


# ---- one hook on several tensors


def register_multi_grad_hook(
    tensors: Sequence[Tensor], fn: Callable[..., None], *, mode: str = "all"
) -> RemovableHandle:
    """Call `fn` once per backward, when the gradients of several tensors have arrived.

    Args:
        mode: "all" calls `fn` with the list of all gradients (None for tensors that
            this backward does not reach), "any" with the first that is there.

    Raises:
        ValueError: for an unknown mode.

    Example:
        >>> import edutorch as torch
        >>> a, b = (torch.ones(1, requires_grad=True) for _ in range(2))
        >>> hook = torch.autograd.graph.register_multi_grad_hook((a, b), print)
        >>> (a * 2 + b * 3).backward()
        [tensor([2.]), tensor([3.])]
    """
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    if mode == "any":  # one is enough
        tensors = [t for t in tensors if t.requires_grad]
    elif not all(t.requires_grad for t in tensors):
        raise AssertionError("Expected gradient function to be set")
    together = _MultiGradHook(tuple(tensors), fn, mode)
    handles = [t.register_hook(together.hook_of(i)) for i, t in enumerate(tensors)]
    return _HandleGroup(handles)


class _MultiGradHook:
    """The gradients of several tensors that have arrived, for each running backward."""

    def __init__(self, tensors: tuple[Tensor, ...], fn: Any, mode: str) -> None:
        self.nodes = [t.grad_fn or t for t in tensors]
        self.fn, self.mode = fn, mode
        self.arrived: WeakKeyDictionary[Any, list[Any]] = WeakKeyDictionary()
        self.missing: WeakKeyDictionary[Any, int] = WeakKeyDictionary()

    def hook_of(self, i: int) -> Callable[[Tensor], None]:
        """The hook of the tensor with this number."""

        def hook(g: Tensor) -> None:
            if self.mode == "all":
                self._add(i, g)
            elif modes.task not in self.arrived:
                self.arrived[modes.task] = [g]
                self.fn(g)

        return hook

    def _add(self, i: int, g: Tensor) -> None:
        task = modes.task
        if task not in self.arrived:
            visited = set(map(id, (*task.order, *task.awaited, *task.starts)))
            self.missing[task] = sum(id(node) in visited for node in self.nodes)
            self.arrived[task] = [None] * len(self.nodes)
        self.arrived[task][i] = g
        self.missing[task] -= 1
        if not self.missing[task]:
            del self.missing[task]
            self.fn(self.arrived.pop(task))


class _HandleGroup(RemovableHandle):
    """The hooks of several tensors, removed together."""

    def __init__(self, handles: list[RemovableHandle]) -> None:
        self.handles = handles

    def remove(self) -> None:
        """Remove all of them."""
        for handle in self.handles:
            handle.remove()
