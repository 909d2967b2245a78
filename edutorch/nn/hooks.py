"""The hooks of modules: registration, and calling them around `forward`."""

from __future__ import annotations

import itertools
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from ..autograd.op import Op, apply
from ..tensor.tensor import Tensor

__all__ = ["RemovableHandle", "call_with_hooks", "global_hooks"]

_number = itertools.count().__next__


class RemovableHandle:
    """What registering a hook returns: `remove()` takes the hook away.

    Example:
        >>> import edutorch as torch
        >>> m = torch.nn.Identity()
        >>> handle = m.register_forward_hook(lambda module, args, out: out + 1)
        >>> handle.remove()
        >>> m(torch.zeros(1))
        tensor([0.])
    """

    def __init__(self, hooks: OrderedDict[int, Any], *, also: tuple[Any, ...] = ()) -> None:
        self.hooks, self.also = hooks, also
        self.id = _number()

    def remove(self) -> None:
        """Take the hook away; a second time does nothing."""
        for hooks in (self.hooks, *self.also):
            hooks.pop(self.id, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *exception: object) -> None:
        self.remove()


class ModuleHooks:
    """All the hooks of one module (or the global ones), by kind."""

    def __init__(self) -> None:
        self.forward_pre: OrderedDict[int, Any] = OrderedDict()
        self.forward: OrderedDict[int, Any] = OrderedDict()
        self.backward_pre: OrderedDict[int, Any] = OrderedDict()
        self.backward: OrderedDict[int, Any] = OrderedDict()
        self.with_kwargs: dict[int, bool] = {}
        self.always: dict[int, bool] = {}

    def any(self) -> bool:
        """Whether `forward` must be called with hooks."""
        return bool(
            self.forward_pre or self.forward or self.backward_pre or self.backward
        )

    def add(
        self,
        kind: str,
        hook: Callable[..., Any],
        prepend: bool = False,
        with_kwargs: bool = False,
        always: bool = False,
    ) -> RemovableHandle:
        """Register a hook of a kind ("forward_pre", ...)."""
        hooks = getattr(self, kind)
        handle = RemovableHandle(hooks, also=(self.with_kwargs, self.always))
        hooks[handle.id] = hook
        if with_kwargs:
            self.with_kwargs[handle.id] = True
        if always:
            self.always[handle.id] = True
        if prepend:
            hooks.move_to_end(handle.id, last=False)
        return handle


global_hooks = ModuleHooks()


def call_with_hooks(module: Any, own: ModuleHooks, args: Any, kwargs: Any) -> Any:
    """Run a module's forward between its hooks (the global ones come first)."""
    every = (global_hooks, own)
    for hooks in every:
        for key, hook in list(hooks.forward_pre.items()):
            args, kwargs = _before(module, hook, args, kwargs, key in hooks.with_kwargs)
    watched = any(hooks.backward or hooks.backward_pre for hooks in every)
    boundary = _Boundary(module, every) if watched else None
    if boundary is not None:
        args = boundary.enter(args)
    try:
        result = module.forward(*args, **kwargs)
    except Exception:
        for hooks in every:
            for key in list(hooks.always):
                hooks.forward[key](module, args, None)
        raise
    for hooks in every:
        for key, hook in list(hooks.forward.items()):
            given = (args, kwargs, result) if key in hooks.with_kwargs else (args, result)
            changed = hook(module, *given)
            result = result if changed is None else changed
    return result if boundary is None else boundary.leave(result)


def _before(module: Any, hook: Any, args: Any, kwargs: Any, with_kwargs: bool) -> Any:
    if with_kwargs:
        changed = hook(module, args, kwargs)
        return (args, kwargs) if changed is None else changed
    changed = hook(module, args)
    if changed is None:
        return args, kwargs
    return changed if isinstance(changed, tuple) else (changed,), kwargs


class _Gate(Op):
    """An identity at a module's border, where backward calls the module's hooks."""

    saves = ()
    several = True
    torch_name = "BackwardHookFunction"

    def name(self) -> str:
        """PyTorch's name of the node."""
        return "BackwardHookFunctionBackward"

    def forward(self, *arrays: Any) -> Any:
        return tuple(a.view() for a in arrays)

    def backward(self, *gradients: Any) -> Any:
        return gradients


class _Boundary:
    """Full backward hooks: told the gradients at a module's outputs and inputs."""

    def __init__(self, module: Any, every: tuple[ModuleHooks, ...]) -> None:
        self.module, self.every = module, every
        self.grad_output: Any = None
        self.grad_input_known = False

    def enter(self, args: Any) -> Any:
        positions = [i for i, a in enumerate(args) if isinstance(a, Tensor)]
        tensors = [args[i] for i in positions]
        if not any(t._requires_grad for t in tensors):
            return args
        self.grad_input_known = True
        outs = apply(_Gate(), *tensors)
        outs[0].grad_fn.register_hook(self._at_inputs)
        changed = list(args)
        for i, out in zip(positions, outs, strict=True):
            changed[i] = out
        return tuple(changed)

    def leave(self, result: Any) -> Any:
        several = isinstance(result, tuple)
        tensors = [t for t in (result if several else (result,)) if isinstance(t, Tensor)]
        if not any(t._requires_grad for t in tensors):
            return result
        outs = apply(_Gate(), *tensors)
        node = next(o.grad_fn for o in outs if o.grad_fn is not None)
        node.register_prehook(self._at_outputs)
        return outs if several else outs[0]

    def _at_outputs(self, gradients: tuple[Any, ...]) -> Any:
        changed = False
        for hooks in self.every:
            for hook in list(hooks.backward_pre.values()):
                answer = hook(self.module, gradients)
                if answer is not None:
                    gradients = answer if isinstance(answer, tuple) else (answer,)
                    changed = True
        self.grad_output = gradients
        if not self.grad_input_known:
            for hooks in self.every:
                for hook in list(hooks.backward.values()):
                    hook(self.module, (None,), gradients)
        return gradients if changed else None

    def _at_inputs(self, gradients: tuple[Any, ...], _: Any) -> Any:
        changed = False
        for hooks in self.every:
            for hook in list(hooks.backward.values()):
                answer = hook(self.module, gradients, self.grad_output)
                if answer is not None:
                    gradients = answer if isinstance(answer, tuple) else (answer,)
                    changed = True
        return gradients if changed else None
