"""Hooks of modules: the global hooks, and the calls of hooks around `forward`.

A module keeps its own hooks in dictionaries with PyTorch's names (`_forward_hooks`,
...); `global_hooks` has the same attributes for the hooks that every module runs.
"""

from __future__ import annotations

import warnings
from collections import OrderedDict
from typing import Any

from ..autograd.hooks import RemovableHandle, add_hook
from .backward_hooks import BackwardHook, hook_result_node

__all__ = [
    "RemovableHandle", "call_with_hooks", "forward_marks", "global_hooks",
    "insert_hook", "require_one_kind",
    "register_module_backward_hook", "register_module_buffer_registration_hook",
    "register_module_forward_hook", "register_module_forward_pre_hook",
    "register_module_full_backward_hook", "register_module_full_backward_pre_hook",
    "register_module_module_registration_hook",
    "register_module_parameter_registration_hook",
]  # fmt: skip

Hooks = OrderedDict[int, Any]


class GlobalHooks:
    """The global hooks, with the same attribute names as a module's own hooks.

    Attributes:
        registered: whether there has ever been one; if not, calls do not check further.
    """

    def __init__(self) -> None:
        self.registered = False
        self._forward_pre_hooks: Hooks = OrderedDict()
        self._forward_hooks: Hooks = OrderedDict()
        self._backward_pre_hooks: Hooks = OrderedDict()
        self._backward_hooks: Hooks = OrderedDict()
        self._forward_pre_hooks_with_kwargs: Hooks = OrderedDict()
        self._forward_hooks_with_kwargs: Hooks = OrderedDict()
        self._forward_hooks_always_called: Hooks = OrderedDict()
        self._is_full_backward_hook: bool | None = None
        self.parameter_registration: Hooks = OrderedDict()
        self.buffer_registration: Hooks = OrderedDict()
        self.module_registration: Hooks = OrderedDict()


global_hooks = GlobalHooks()


# ---- registering


def insert_hook(
    hooks: Hooks, hook: Any, prepend: bool = False, marks: tuple[Hooks, ...] = ()
) -> RemovableHandle:
    """Add a hook at the end or front; `marks` are dictionaries that receive its id."""
    handle = RemovableHandle(hooks, extra_dict=list(marks))
    hooks[handle.id] = hook
    for mark in marks:
        mark[handle.id] = True
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


def require_one_kind(owner: Any, full: bool, where: str) -> None:
    """Set the kind of an owner's backward hooks; the kinds cannot be mixed.

    Raises:
        RuntimeError: if there are hooks of the other kind.
    """
    if owner._backward_hooks and owner._is_full_backward_hook is not full:
        raise RuntimeError(
            f"Cannot use both regular backward hooks and full backward hooks {where}. "
            "Please use only one of them."
        )
    owner._is_full_backward_hook = full


def register_module_forward_pre_hook(hook: Any) -> RemovableHandle:
    """Call `hook(module, args)` before every module's forward."""
    global_hooks.registered = True
    return insert_hook(global_hooks._forward_pre_hooks, hook)


def register_module_forward_hook(
    hook: Any, *, with_kwargs: bool = False, always_call: bool = False
) -> RemovableHandle:
    """Call `hook(module, args, output)` after every module's forward.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.nn.modules.module import register_module_forward_hook
        >>> def show(module, args, output):
        ...     print(type(module).__name__)
        >>> with register_module_forward_hook(show):
        ...     _ = torch.nn.ReLU()(torch.zeros(1))
        ReLU
    """
    global_hooks.registered = True
    marks = forward_marks(global_hooks, with_kwargs, always_call)
    return insert_hook(global_hooks._forward_hooks, hook, marks=marks)


def forward_marks(owner: Any, with_kwargs: bool, always: bool) -> tuple[Hooks, ...]:
    """The dictionaries that store the options of a forward hook."""
    return (
        *((owner._forward_hooks_with_kwargs,) if with_kwargs else ()),
        *((owner._forward_hooks_always_called,) if always else ()),
    )


def register_module_full_backward_pre_hook(hook: Any) -> RemovableHandle:
    """Call `hook(module, grad_output)` before every module's backward."""
    global_hooks.registered = True
    return insert_hook(global_hooks._backward_pre_hooks, hook)


def register_module_full_backward_hook(hook: Any) -> RemovableHandle:
    """Call `hook(module, grad_input, grad_output)` after every module's backward."""
    require_one_kind(global_hooks, True, "as a global Module hook")
    global_hooks.registered = True
    return insert_hook(global_hooks._backward_hooks, hook)


def register_module_backward_hook(hook: Any) -> RemovableHandle:
    """The old form of `register_module_full_backward_hook`."""
    require_one_kind(global_hooks, False, "as a global Module hook")
    global_hooks.registered = True
    return insert_hook(global_hooks._backward_hooks, hook)


def register_module_parameter_registration_hook(hook: Any) -> RemovableHandle:
    """Call `hook(module, name, parameter)` for every parameter registered."""
    return add_hook(global_hooks.parameter_registration, hook)


def register_module_buffer_registration_hook(hook: Any) -> RemovableHandle:
    """Call `hook(module, name, buffer)` for every buffer registered."""
    return add_hook(global_hooks.buffer_registration, hook)


def register_module_module_registration_hook(hook: Any) -> RemovableHandle:
    """Call `hook(module, name, submodule)` for every child registered."""
    return add_hook(global_hooks.module_registration, hook)


# ---- calling


def call_with_hooks(module: Any, args: Any, kwargs: Any) -> Any:
    """Run a module's forward with its hooks; the global ones run first."""
    called: set[int] = set()
    result = None
    try:
        args, kwargs = _call_forward_pre_hooks(module, args, kwargs)
        backward = None
        pre_hooks = _backward_pre_hooks(module)
        hooks = _backward_hooks(module, full=True)
        if pre_hooks or hooks:
            backward = BackwardHook(module, hooks, pre_hooks)
            args = backward.setup_input_hook(args)
        result = module.forward(*args, **kwargs)
        for owner in (global_hooks, module):
            for key, hook in list(owner._forward_hooks.items()):
                called.add(key)
                changed = _call_forward_hook(
                    module, owner, key, hook, args, kwargs, result
                )
                result = result if changed is None else changed
        if backward is not None:
            result = backward.setup_output_hook(result)
        if legacy := _backward_hooks(module, full=False):
            hook_result_node(module, legacy, args, result)
        return result
    except Exception:
        _call_always_called(module, called, args, kwargs, result)
        raise


def _backward_pre_hooks(module: Any) -> list[Any]:
    owners = (global_hooks, module)
    return [hook for o in owners for hook in o._backward_pre_hooks.values()]


def _backward_hooks(module: Any, full: bool) -> list[Any]:
    """The backward hooks of one kind, full or legacy."""
    owners = [o for o in (global_hooks, module) if o._is_full_backward_hook is full]
    return [hook for o in owners for hook in o._backward_hooks.values()]


def _call_forward_pre_hooks(module: Any, args: Any, kwargs: Any) -> Any:
    """The arguments as changed by the hooks that run before `forward`."""
    for owner in (global_hooks, module):
        for key, hook in list(owner._forward_pre_hooks.items()):
            if key in owner._forward_pre_hooks_with_kwargs:
                changed = hook(module, args, kwargs)
                args, kwargs = _changed_both(changed, args, kwargs)
            else:
                changed = hook(module, args)
                if changed is not None:
                    args = changed if isinstance(changed, tuple) else (changed,)
    return args, kwargs


def _changed_both(changed: Any, args: Any, kwargs: Any) -> Any:
    if changed is None:
        return args, kwargs
    if isinstance(changed, tuple) and len(changed) == 2:
        return changed
    raise RuntimeError(
        "forward pre-hook must return None or a tuple of (new_args, new_kwargs), but "
        f"got {changed}."
    )


def _call_forward_hook(
    module: Any, owner: Any, key: int, hook: Any, args: Any, kwargs: Any, result: Any
) -> Any:
    if key in owner._forward_hooks_with_kwargs:
        return hook(module, args, kwargs, result)
    return hook(module, args, result)


def _call_always_called(
    module: Any, called: set[int], args: Any, kwargs: Any, result: Any
) -> None:
    """After an error, call the remaining hooks registered with `always_call`."""
    for owner in (global_hooks, module):
        for key in [k for k in owner._forward_hooks_always_called if k not in called]:
            hook = owner._forward_hooks[key]
            try:
                changed = _call_forward_hook(
                    module, owner, key, hook, args, kwargs, result
                )
                result = result if changed is None else changed
            except Exception as error:  # noqa: BLE001 (the first error is raised)
                kind = "global module" if owner is global_hooks else "module"
                warnings.warn(
                    f"{kind} forward hook with ``always_call=True`` raised an exception"
                    " that was silenced as another error was raised in forward: "
                    f"{error}",
                    stacklevel=4,
                )
