"""Module: its parameters, buffers, submodules and hooks, and how it is called.

Its other methods are in `module_state.py` (state dictionaries) and
`module_traversal.py` (everything that walks the tree of modules).
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from ... import events, module_events
from ...autograd.hooks import RemovableHandle
from ...ops.convert import typename
from ...tensor.tensor import Tensor
from ..hooks import (
    call_with_hooks,
    forward_marks,
    global_hooks,
    insert_hook,
    register_module_backward_hook,
    register_module_buffer_registration_hook,
    register_module_forward_hook,
    register_module_forward_pre_hook,
    register_module_full_backward_hook,
    register_module_full_backward_pre_hook,
    register_module_module_registration_hook,
    register_module_parameter_registration_hook,
    require_one_kind,
)
from ..parameter import Buffer, Parameter
from ..qualnames import requalify_methods
from .module_state import ModuleState
from .module_traversal import ModuleTraversal

__all__ = [
    "Module", "register_module_backward_hook",
    "register_module_buffer_registration_hook", "register_module_forward_hook",
    "register_module_forward_pre_hook", "register_module_full_backward_hook",
    "register_module_full_backward_pre_hook",
    "register_module_module_registration_hook",
    "register_module_parameter_registration_hook",
]  # fmt: skip

TABLES = ("_parameters", "_buffers", "_modules")
HOOKS = (
    "_backward_pre_hooks", "_backward_hooks", "_forward_hooks",
    "_forward_hooks_with_kwargs", "_forward_hooks_always_called",
    "_forward_pre_hooks", "_forward_pre_hooks_with_kwargs", "_state_dict_hooks",
    "_state_dict_pre_hooks", "_load_state_dict_pre_hooks",
    "_load_state_dict_post_hooks",
)  # fmt: skip


@requalify_methods
class Module(ModuleState, ModuleTraversal):
    """Base class of all layers and networks.

    Assigning parameters, buffers and modules as attributes registers them.

    Attributes:
        training: whether dropout and batch norm behave as in training.

    Example:
        >>> import edutorch as torch
        >>> class Twice(torch.nn.Module):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.lin = torch.nn.Linear(2, 2)
        ...     def forward(self, x):
        ...         return self.lin(self.lin(x))
        >>> [name for name, _ in Twice().named_parameters()]
        ['lin.weight', 'lin.bias']
    """

    training: bool
    call_super_init = False  # whether __init__ passes arguments to other bases
    dump_patches = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if (args or kwargs) and not self.call_super_init:
            _refuse_arguments(type(self).__name__, args, kwargs)
        # Written to the dictionary: __setattr__ is for what has to be registered.
        own = self.__dict__
        own["training"] = True
        own["_parameters"] = {}
        own["_buffers"] = {}
        own["_non_persistent_buffers_set"] = set()
        _add_hook_tables(own)
        own["_modules"] = {}
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    # ---- calling

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Compute the output; every subclass defines this."""
        raise NotImplementedError(
            f'Module [{type(self).__name__}] is missing the required "forward" function'
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run `forward` with its hooks and events."""
        # In a class with __getattr__, reading an attribute costs 50 ns, an item 10 ns.
        own = self.__dict__
        try:
            hooked = (
                own["_backward_hooks"] or own["_backward_pre_hooks"]
                or own["_forward_hooks"] or own["_forward_pre_hooks"]
                or global_hooks.registered
            )  # fmt: skip
        except KeyError as name:  # Module.__init__ was not called
            raise _missing(self, name) from None
        if not events.hears_modules:
            if hooked:
                return call_with_hooks(self, args, kwargs)
            return self.forward(*args, **kwargs)
        module_events.enter_module(self)
        try:
            if hooked:
                return call_with_hooks(self, args, kwargs)
            return self.forward(*args, **kwargs)
        finally:
            module_events.leave_module(self)

    # ---- attributes

    def __getattr__(self, name: str) -> Any:
        own = self.__dict__
        for table in TABLES:
            if table in own and name in own[table]:
                return own[table][name]
        raise _missing(self, repr(name))

    def __setattr__(self, name: str, value: Any) -> None:
        own = self.__dict__
        if isinstance(value, Parameter):
            if "_parameters" not in own:
                raise AttributeError(
                    "cannot assign parameters before Module.__init__() call"
                )
            _remove_name(self, name, "_buffers", "_modules")
            self.register_parameter(name, value)
        elif name in own.get("_parameters", ()):
            _require_none(value, "parameter", name, "torch.nn.Parameter")
            self.register_parameter(name, None)
        elif isinstance(value, Module):
            if "_modules" not in own:
                raise AttributeError(
                    "cannot assign module before Module.__init__() call"
                )
            _remove_name(self, name, "_parameters", "_buffers")
            own["_modules"][name] = _run_registration_hooks("module", self, name, value)
        elif name in own.get("_modules", ()):
            _require_none(value, "child module", name, "torch.nn.Module")
            own["_modules"][name] = _run_registration_hooks("module", self, name, value)
        elif isinstance(value, Buffer) or name in own.get("_buffers", ()):
            _set_buffer(self, name, value)
        else:
            object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        own = self.__dict__
        for table in TABLES:
            if name in own[table]:
                del own[table][name]
                own["_non_persistent_buffers_set"].discard(name)
                return
        object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        names = {*dir(type(self)), *self.__dict__}
        names.update(self._parameters, self._buffers, self._modules)
        return sorted(name for name in names if not name[:1].isdigit())

    # ---- registration by name

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Add a parameter under a name; None reserves the name.

        Raises:
            KeyError: for a name that is taken, empty or has a dot.
            TypeError: for anything other than a Parameter.
            ValueError: for a parameter that an op has made.
        """
        _check_name(self, "parameter", name, "_parameters")
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(
                f"cannot assign '{typename(param)}' object to parameter '{name}' "
                "(torch.nn.Parameter or None required)"
            )
        if param is not None and param.grad_fn is not None:
            raise ValueError(
                f"Cannot assign non-leaf Tensor to parameter '{name}'. Model "
                f"parameters must be created explicitly. To express '{name}' as a "
                "function of another Tensor, compute the value in the forward() "
                "method."
            )
        if param is not None:
            param = _run_registration_hooks("parameter", self, name, param)
        self._parameters[name] = param

    def register_buffer(
        self, name: str, tensor: Tensor | None, persistent: bool = True
    ) -> None:
        """Add a tensor that is saved but not trained, such as a running mean.

        Args:
            persistent: whether it is part of `state_dict`.

        Raises:
            KeyError: for a name that is taken, empty or has a dot.
            TypeError: for arguments that are not tensors.
        """
        _check_name(self, "buffer", name, "_buffers")
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"cannot assign '{typename(tensor)}' object to buffer '{name}' "
                "(torch Tensor or None required)"
            )
        self._buffers[name] = _run_registration_hooks("buffer", self, name, tensor)
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def add_module(self, name: str, module: Any) -> None:
        """Add a submodule under a name; None reserves the name.

        Raises:
            KeyError: for a name that is taken, empty or has a dot.
            TypeError: for anything other than a Module.
        """
        if not isinstance(module, Module) and module is not None:
            raise TypeError(f"{typename(module)} is not a Module subclass")
        _check_name(self, "module", name, "_modules")
        self._modules[name] = _run_registration_hooks("module", self, name, module)

    def register_module(self, name: str, module: Any) -> None:
        """An alias of `add_module`."""
        self.add_module(name, module)

    # ---- registration of hooks

    def register_forward_pre_hook(
        self, hook: Any, *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, args)` before forward; it may replace the arguments."""
        marks = (self._forward_pre_hooks_with_kwargs,) if with_kwargs else ()
        return insert_hook(self._forward_pre_hooks, hook, prepend, marks)

    def register_forward_hook(
        self, hook: Any, *, prepend: bool = False, with_kwargs: bool = False,
        always_call: bool = False,
    ) -> RemovableHandle:  # fmt: skip
        """Call `hook(module, args, output)` after forward; it may replace the output.

        Args:
            prepend: call it before the existing hooks.
            with_kwargs: call `hook(module, args, kwargs, output)`.
            always_call: also call it if forward raises.
        """
        marks = forward_marks(self, with_kwargs, always_call)
        return insert_hook(self._forward_hooks, hook, prepend, marks)

    def register_full_backward_pre_hook(
        self, hook: Any, prepend: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, grad_output)` before the module's backward."""
        return insert_hook(self._backward_pre_hooks, hook, prepend)

    def register_full_backward_hook(
        self, hook: Any, prepend: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, grad_input, grad_output)` after the module's backward."""
        require_one_kind(self, True, "on a single Module")
        return insert_hook(self._backward_hooks, hook, prepend)

    def register_backward_hook(self, hook: Any) -> RemovableHandle:
        """The deprecated form of `register_full_backward_hook`, for one operation."""
        require_one_kind(self, False, "on a single Module")
        return insert_hook(self._backward_hooks, hook)

    # ---- text and copies

    def extra_repr(self) -> str:
        """The text in parentheses in the module's `repr`; layers override it."""
        return ""

    def _get_name(self) -> str:
        return type(self).__name__

    def __repr__(self) -> str:
        shown = self.extra_repr()
        extra = shown.split("\n") if shown else []
        lines = [f"({name}): {_indent(repr(m))}" for name, m in self._modules.items()]
        head = f"{self._get_name()}("
        if not lines and len(extra) <= 1:
            return f"{head}{''.join(extra)})"
        return head + "\n  " + "\n  ".join(extra + lines) + "\n)"

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        # Attributes that old pickles may lack.
        older: dict[str, Any] = {"_non_persistent_buffers_set": set()}
        _add_hook_tables(older)
        for name, value in older.items():
            self.__dict__.setdefault(name, value)


def _refuse_arguments(name: str, args: Any, kwargs: Any) -> None:
    if kwargs:
        raise TypeError(
            f"{name}.__init__() got an unexpected keyword argument "
            f"'{next(iter(kwargs))}'"
        )
    raise TypeError(
        f"{name}.__init__() takes 1 positional argument but {len(args) + 1} were given"
    )


def _missing(module: Module, name: Any) -> AttributeError:
    return AttributeError(f"'{type(module).__name__}' object has no attribute {name}")


def _add_hook_tables(own: dict[str, Any]) -> None:
    for name in HOOKS:
        own[name] = OrderedDict()
    own["_is_full_backward_hook"] = None


def _set_buffer(module: Module, name: str, value: Any) -> None:
    """Assign a buffer: register a new one, or replace the tensor of an existing one."""
    if not isinstance(value, Tensor):
        kinds = "torch.nn.Buffer, torch.Tensor"
        _require_none(value, "buffer", name, kinds)
    if "_buffers" not in module.__dict__:
        raise AttributeError("cannot assign buffer before Module.__init__() call")
    if isinstance(value, Buffer):
        persistent = value.persistent
    else:
        persistent = name not in module._non_persistent_buffers_set
    if name not in module._buffers:
        _remove_name(module, name, "_parameters", "_modules")
    module.register_buffer(name, value, persistent)


def _remove_name(module: Module, name: str, *tables: str) -> None:
    """Remove an attribute that is about to be replaced."""
    own = module.__dict__
    own.pop(name, None)
    for table in tables:
        own[table].pop(name, None)
    own["_non_persistent_buffers_set"].discard(name)


def _check_name(module: Module, what: str, name: Any, table: str) -> None:
    own = module.__dict__
    if table not in own and what != "module":
        raise AttributeError(f"cannot assign {what} before Module.__init__() call")
    if not isinstance(name, str):
        raise TypeError(f"{what} name should be a string. Got {typename(name)}")
    taken = hasattr(module, name) and name not in own[table]
    if what == "module" and taken:
        raise KeyError(f"attribute '{name}' already exists")
    if "." in name:
        shown = f", got: {name}" if what == "module" else ""
        raise KeyError(f'{what} name can\'t contain "."{shown}')
    if name == "":
        raise KeyError(f'{what} name can\'t be empty string ""')
    if taken:
        raise KeyError(f"attribute '{name}' already exists")


def _require_none(value: Any, what: str, name: str, kinds: str) -> None:
    """Refuse to replace a registered name by anything of another kind but None."""
    if value is not None:
        raise TypeError(
            f"cannot assign '{typename(value)}' as {what} '{name}' ({kinds} or None "
            "expected)"
        )


def _run_registration_hooks(what: str, module: Module, name: str, value: Any) -> Any:
    """The value after the global registration hooks."""
    for hook in getattr(global_hooks, f"{what}_registration").values():
        changed = hook(module, name, value)
        value = value if changed is None else changed
    return value


def _indent(text: str) -> str:
    return text.replace("\n", "\n  ")
