"""The hooks of modules: their registration, and calling them around `forward`."""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from ..autograd.hooks import RemovableHandle, add_hook
from .border import Border
from .old_hooks import hang_on_result

__all__ = [
    "HOOK_TABLES", "Hooked", "ModuleHooks", "RemovableHandle", "call_with_hooks",
    "global_hooks",
    "register_module_backward_hook", "register_module_buffer_registration_hook",
    "register_module_forward_hook", "register_module_forward_pre_hook",
    "register_module_full_backward_hook", "register_module_full_backward_pre_hook",
    "register_module_module_registration_hook",
    "register_module_parameter_registration_hook",
]  # fmt: skip

STATE_KINDS = ("load_pre", "load_post", "save_pre", "save_post")
GLOBAL = "as a global Module hook"


class ModuleHooks:
    """The hooks of one module, or those of all modules, by kind."""

    def __init__(self) -> None:
        self.forward_pre: OrderedDict[int, Any] = OrderedDict()
        self.forward: OrderedDict[int, Any] = OrderedDict()
        self.backward_pre: OrderedDict[int, Any] = OrderedDict()
        self.backward: OrderedDict[int, Any] = OrderedDict()
        self.legacy_backward: OrderedDict[int, Any] = OrderedDict()
        self.with_kwargs: dict[int, bool] = {}
        self.always: dict[int, bool] = {}
        self.state: dict[str, OrderedDict[int, Any]] = {
            kind: OrderedDict() for kind in STATE_KINDS
        }
        self.registration: dict[str, OrderedDict[int, Any]] = {
            what: OrderedDict() for what in ("parameter", "buffer", "module")
        }

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
        handle = RemovableHandle(hooks, extra_dict=[self.with_kwargs, self.always])
        hooks[handle.id] = hook
        if with_kwargs:
            self.with_kwargs[handle.id] = True
        if always:
            self.always[handle.id] = True
        if prepend:
            hooks.move_to_end(handle.id, last=False)
        return handle


class _GlobalHooks(ModuleHooks):
    """The hooks of all modules; `used` once one of them was registered."""

    used = False

    def add(self, kind: str, *args: Any, **kwargs: Any) -> RemovableHandle:
        """Register a hook that every module calls from now on."""
        self.used = True
        return super().add(kind, *args, **kwargs)


global_hooks = _GlobalHooks()


# ---- calling


def call_with_hooks(
    module: Any, own: ModuleHooks | None, args: Any, kwargs: Any
) -> Any:
    """Run a module's forward between its hooks; the global ones come first."""
    tables = (global_hooks,) if own is None else (global_hooks, own)
    told: set[int] = set()
    result = None
    try:
        args, kwargs = _call_pre_hooks(module, tables, args, kwargs)
        border = None
        before, after = _hooks(tables, "backward_pre"), _hooks(tables, "backward")
        if before or after:
            border = Border(module, before, after)
            args = border.enter(args)
        result = module.forward(*args, **kwargs)
        for table in tables:
            for key, hook in list(table.forward.items()):
                told.add(key)
                changed = _call_hook(module, table, key, hook, args, kwargs, result)
                result = result if changed is None else changed
        if border is not None:
            result = border.leave(result)
        if old := _hooks(tables, "legacy_backward"):
            hang_on_result(module, old, args, result)
        return result
    except Exception:
        _call_always(module, tables, told, args, kwargs, result)
        raise


def _hooks(tables: tuple[ModuleHooks, ...], kind: str) -> list[Any]:
    return [hook for table in tables for hook in getattr(table, kind).values()]


def _call_pre_hooks(module: Any, tables: Any, args: Any, kwargs: Any) -> Any:
    """The arguments as the hooks before `forward` leave them."""
    for table in tables:
        for key, hook in list(table.forward_pre.items()):
            if key in table.with_kwargs:
                changed = hook(module, args, kwargs)
                args, kwargs = _both(changed, args, kwargs)
            else:
                changed = hook(module, args)
                if changed is not None:
                    args = changed if isinstance(changed, tuple) else (changed,)
    return args, kwargs


def _both(changed: Any, args: Any, kwargs: Any) -> Any:
    if changed is None:
        return args, kwargs
    if isinstance(changed, tuple) and len(changed) == 2:
        return changed
    raise RuntimeError(
        "forward pre-hook must return None or a tuple of (new_args, new_kwargs), but "
        f"got {changed}."
    )


def _call_hook(
    module: Any, table: ModuleHooks, key: int, hook: Any, args: Any, kwargs: Any,
    result: Any,
) -> Any:  # fmt: skip
    if key in table.with_kwargs:
        return hook(module, args, kwargs, result)
    return hook(module, args, result)


def _call_always(
    module: Any, tables: Any, told: set[int], args: Any, kwargs: Any, result: Any
) -> None:
    """After an error, the hooks that asked to be called nevertheless."""
    for table in tables:
        for key in [k for k in table.always if k not in told]:
            hook = table.forward[key]
            try:
                changed = _call_hook(module, table, key, hook, args, kwargs, result)
                result = result if changed is None else changed
            except Exception as error:  # noqa: BLE001 (the first error is raised)
                kind = "global module" if table is global_hooks else "module"
                warnings.warn(
                    f"{kind} forward hook with ``always_call=True`` raised an exception"
                    " that was silenced as another error was raised in forward: "
                    f"{error}",
                    stacklevel=4,
                )


# ---- registering


class HookTable:
    """The hooks of one kind as an attribute: programs clear them, or assign none.

    Example:
        >>> import edutorch as torch
        >>> m = torch.nn.Identity()
        >>> handle = m.register_forward_hook(print)
        >>> m._forward_hooks = {}
        >>> len(m._forward_hooks)
        0
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def __get__(self, module: Any, owner: Any = None) -> Any:
        if module is None:
            return self
        hooks = module._own_hooks()
        if self.kind in STATE_KINDS:
            return hooks.state[self.kind]
        if self.kind == "backward" and hooks.legacy_backward:
            return hooks.legacy_backward
        return getattr(hooks, self.kind)

    def __set__(self, module: Any, hooks: Any) -> None:
        table = self.__get__(module)
        given = dict(hooks)
        table.clear()
        table.update(given)


class Hooked:
    """The part of a module that holds its hooks; None until there is one."""

    _module_hooks: ModuleHooks | None

    def _own_hooks(self) -> ModuleHooks:
        """This module's hooks, made when first asked for."""
        if self._module_hooks is None:
            self.__dict__["_module_hooks"] = ModuleHooks()
        return self._module_hooks  # type: ignore[return-value]  # made above

    _forward_hooks = HookTable("forward")
    _forward_pre_hooks = HookTable("forward_pre")
    _backward_hooks = HookTable("backward")
    _backward_pre_hooks = HookTable("backward_pre")
    _state_dict_hooks = HookTable("save_post")
    _state_dict_pre_hooks = HookTable("save_pre")
    _load_state_dict_pre_hooks = HookTable("load_pre")
    _load_state_dict_post_hooks = HookTable("load_post")

    @property
    def _is_full_backward_hook(self) -> bool | None:
        """Which kind of backward hooks there are; None without any."""
        hooks = self._module_hooks
        if hooks is None or not (hooks.backward or hooks.legacy_backward):
            return None
        return bool(hooks.backward)

    @property
    def _forward_hooks_with_kwargs(self) -> OrderedDict[int, bool]:
        return self._noted("forward", "with_kwargs")

    @property
    def _forward_hooks_always_called(self) -> OrderedDict[int, bool]:
        return self._noted("forward", "always")

    @property
    def _forward_pre_hooks_with_kwargs(self) -> OrderedDict[int, bool]:
        return self._noted("forward_pre", "with_kwargs")

    def _noted(self, kind: str, note: str) -> OrderedDict[int, bool]:
        """The hooks of a kind that were registered with an option, by number."""
        hooks = self._own_hooks()
        marked = getattr(hooks, note)
        return OrderedDict((key, True) for key in getattr(hooks, kind) if key in marked)

    def register_forward_pre_hook(
        self, hook: Any, *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, args)` before forward; it may return other arguments."""
        return self._own_hooks().add("forward_pre", hook, prepend, with_kwargs)

    def register_forward_hook(
        self, hook: Any, *, prepend: bool = False, with_kwargs: bool = False,
        always_call: bool = False,
    ) -> RemovableHandle:  # fmt: skip
        """Call `hook(module, args, output)` after forward; it may return an output.

        Args:
            prepend: before the hooks that are there already.
            with_kwargs: call `hook(module, args, kwargs, output)`.
            always_call: also where forward raises.
        """
        return self._own_hooks().add("forward", hook, prepend, with_kwargs, always_call)

    def register_full_backward_pre_hook(
        self, hook: Any, prepend: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, grad_output)` before the module's backward."""
        return self._own_hooks().add("backward_pre", hook, prepend)

    def register_full_backward_hook(
        self, hook: Any, prepend: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, grad_input, grad_output)` after the module's backward."""
        _refuse_mixing(self._own_hooks().legacy_backward)
        return self._own_hooks().add("backward", hook, prepend)

    def register_backward_hook(self, hook: Any) -> RemovableHandle:
        """The old form of `register_full_backward_hook`: it sees one operation only."""
        _refuse_mixing(self._own_hooks().backward)
        return self._own_hooks().add("legacy_backward", hook)


def _refuse_mixing(others: Any, where: str = "on a single Module") -> None:
    if others:
        raise RuntimeError(
            f"Cannot use both regular backward hooks and full backward hooks {where}. "
            "Please use only one of them."
        )


def register_module_forward_pre_hook(hook: Any) -> RemovableHandle:
    """Call `hook(module, args)` before every module's forward."""
    return global_hooks.add("forward_pre", hook)


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
    return global_hooks.add("forward", hook, False, with_kwargs, always_call)


def register_module_full_backward_pre_hook(hook: Any) -> RemovableHandle:
    """Call `hook(module, grad_output)` before every module's backward."""
    return global_hooks.add("backward_pre", hook)


def register_module_full_backward_hook(hook: Any) -> RemovableHandle:
    """Call `hook(module, grad_input, grad_output)` after every module's backward."""
    _refuse_mixing(global_hooks.legacy_backward, GLOBAL)
    return global_hooks.add("backward", hook)


def register_module_backward_hook(hook: Any) -> RemovableHandle:
    """The old form of `register_module_full_backward_hook`."""
    _refuse_mixing(global_hooks.backward, GLOBAL)
    return global_hooks.add("legacy_backward", hook)


def register_module_parameter_registration_hook(hook: Any) -> RemovableHandle:
    """Call `hook(module, name, parameter)` for every parameter registered."""
    return add_hook(global_hooks.registration["parameter"], hook)


def register_module_buffer_registration_hook(hook: Any) -> RemovableHandle:
    """Call `hook(module, name, buffer)` for every buffer registered."""
    return add_hook(global_hooks.registration["buffer"], hook)


def register_module_module_registration_hook(hook: Any) -> RemovableHandle:
    """Call `hook(module, name, submodule)` for every child registered."""
    return add_hook(global_hooks.registration["module"], hook)


HOOK_TABLES = frozenset(
    name for name, table in vars(Hooked).items() if isinstance(table, HookTable)
)
