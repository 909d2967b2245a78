"""Module: a tree of parameters, buffers and children with a `forward`."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Self

import numpy as np

from .. import devices, dtypes, events
from ..autograd.modes import no_grad
from ..tensor.tensor import Tensor, wrap
from .hooks import ModuleHooks, RemovableHandle, call_with_hooks, global_hooks
from .parameter import Parameter
from .state import StateDict, load_into

__all__ = ["Module"]


class Module:
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
    _version = 1
    call_super_init = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if not self.call_super_init and (args or kwargs):
            given = next(iter(kwargs), None)
            raise TypeError(
                f"{type(self).__name__}.__init__() got an unexpected keyword argument "
                f"'{given}'"
                if given
                else f"{type(self).__name__}.__init__() takes 1 positional argument but "
                f"{len(args) + 1} were given"
            )
        own = self.__dict__
        own["training"] = True
        own["_parameters"] = {}
        own["_buffers"] = {}
        own["_non_persistent_buffers_set"] = set()
        own["_modules"] = {}
        own["_hooks"] = ModuleHooks()
        own["_state_hooks"] = {"load_pre": {}, "load_post": {}, "save": {}, "save_pre": {}}

    # ---- calling

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Compute the output; every subclass defines this."""
        raise NotImplementedError(
            f'Module [{type(self).__name__}] is missing the required "forward" function'
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run `forward`, with the hooks and events around it."""
        hooks = self._hooks
        hooked = hooks.any() or global_hooks.any()
        if not events.active:
            if hooked:
                return call_with_hooks(self, hooks, args, kwargs)
            return self.forward(*args, **kwargs)
        events.enter_module(self)
        try:
            if hooked:
                return call_with_hooks(self, hooks, args, kwargs)
            return self.forward(*args, **kwargs)
        finally:
            events.leave_module(self)

    # ---- registering

    def __getattr__(self, name: str) -> Any:
        own = self.__dict__
        for table in ("_parameters", "_buffers", "_modules"):
            if table in own and name in own[table]:
                return own[table][name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        own = self.__dict__
        if isinstance(value, (Parameter, Module)):
            kind, other = (
                ("_parameters", "_modules")
                if isinstance(value, Parameter)
                else ("_modules", "_parameters")
            )
            if kind not in own:
                what = "parameters" if kind == "_parameters" else "module"
                raise AttributeError(f"cannot assign {what} before Module.__init__() call")
            _remove(name, own, own[other], own["_buffers"])
            own["_non_persistent_buffers_set"].discard(name)
            own[kind][name] = value
        elif name in own.get("_parameters", ()):
            self._assign(own["_parameters"], name, value, "parameter", "torch.nn.Parameter")
        elif name in own.get("_modules", ()):
            self._assign(own["_modules"], name, value, "child module", "torch.nn.Module")
        elif name in own.get("_buffers", ()):
            if value is not None and not isinstance(value, Tensor):
                self._assign(own["_buffers"], name, value, "buffer", "torch.Tensor")
            own["_buffers"][name] = value
        elif isinstance(value, Tensor) and value.__dict__.get("_is_buffer"):
            self.register_buffer(name, value, value.persistent)
        else:
            object.__setattr__(self, name, value)

    def _assign(self, table: Any, name: str, value: Any, what: str, kind: str) -> None:
        if value is not None:
            found = type(value)
            shown = f"{found.__module__.replace('edutorch', 'torch')}.{found.__name__}"
            shown = "torch.FloatTensor" if isinstance(value, Tensor) else shown
            shown = shown.removeprefix("builtins.")
            raise TypeError(
                f"cannot assign '{shown}' as {what} '{name}' ({kind} or None expected)"
            )
        table[name] = None

    def __delattr__(self, name: str) -> None:
        own = self.__dict__
        for table in ("_parameters", "_buffers", "_modules"):
            if name in own[table]:
                del own[table][name]
                own["_non_persistent_buffers_set"].discard(name)
                return
        object.__delattr__(self, name)

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Add a parameter under a name; None reserves the name.

        Raises:
            KeyError: for a name that is taken, empty or has a dot.
            TypeError: for what is no Parameter.
            ValueError: for a parameter that an op has made.
        """
        self._check_name(name, "parameter", self._parameters)
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(
                f"cannot assign '{type(param).__name__}' object to parameter '{name}' "
                "(torch.nn.Parameter or None required)"
            )
        if param is not None and param.grad_fn is not None:
            raise ValueError(
                f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters "
                "must be created explicitly. To express '{0}' as a function of another "
                "Tensor, compute the value in the forward() method."
            )
        self._parameters[name] = param

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Add a tensor that is state but not learnt (a running mean).

        Args:
            persistent: whether it is part of `state_dict`.
        """
        self._check_name(name, "buffer", self._buffers)
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"cannot assign '{type(tensor).__name__}' object to buffer '{name}' "
                "(torch Tensor or None required)"
            )
        self._buffers[name] = tensor
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def _check_name(self, name: str, what: str, table: Any) -> None:
        if not isinstance(name, str):
            raise TypeError(f"{what} name should be a string. Got {type(name).__name__}")
        if "." in name:
            raise KeyError(f'{what} name can\'t contain "."')
        if name == "":
            raise KeyError(f'{what} name can\'t be empty string ""')
        if hasattr(self, name) and name not in table:
            raise KeyError(f"attribute '{name}' already exists")

    def add_module(self, name: str, module: Module | None) -> None:
        """Add a child under a name."""
        if not isinstance(module, Module) and module is not None:
            raise TypeError(f"{type(module).__name__} is not a Module subclass")
        self._check_name(name, "module", self._modules)
        self._modules[name] = module

    register_module = add_module

    # ---- walking the tree

    def children(self) -> Iterator[Module]:
        """The direct children."""
        return (module for _, module in self.named_children())

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """The direct children with their names, each once."""
        seen = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def modules(self) -> Iterator[Module]:
        """This module and all below it, each once."""
        return (module for _, module in self.named_modules())

    def named_modules(
        self, memo: set[Module] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Module]]:
        """This module and all below it with dotted names; its own name is ""."""
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                path = f"{prefix}.{name}" if prefix else name
                yield from module.named_modules(memo, path, remove_duplicate)

    def _named_members(
        self, table: str, prefix: str, recurse: bool, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        seen: set[Any] = set()
        trees = (
            self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate)
            if recurse
            else [(prefix, self)]
        )
        for path, module in trees:
            for name, value in getattr(module, table).items():
                if value is None or value in seen:
                    continue
                if remove_duplicate:
                    seen.add(value)
                yield f"{path}.{name}" if path else name, value

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """All parameters, each once, in the order they were registered."""
        return (p for _, p in self.named_parameters(recurse=recurse))

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """All parameters with their dotted names."""
        return self._named_members("_parameters", prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """All buffers."""
        return (b for _, b in self.named_buffers(recurse=recurse))

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """All buffers with their dotted names."""
        return self._named_members("_buffers", prefix, recurse, remove_duplicate)

    def get_submodule(self, target: str) -> Module:
        """The module at a dotted path.

        Raises:
            AttributeError: if there is none.
        """
        module: Any = self
        for part in target.split(".") if target else ():
            if not hasattr(module, part):
                raise AttributeError(f"{type(module).__name__} has no attribute `{part}`")
            module = getattr(module, part)
            if not isinstance(module, Module):
                raise AttributeError(f"`{part}` is not an nn.Module")
        found: Module = module
        return found

    def get_parameter(self, target: str) -> Parameter:
        """The parameter at a dotted path."""
        path, _, name = target.rpartition(".")
        found = getattr(self.get_submodule(path), name)
        if not isinstance(found, Parameter):
            raise AttributeError(f"`{name}` is not an nn.Parameter")
        return found

    def get_buffer(self, target: str) -> Tensor:
        """The buffer at a dotted path."""
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if name not in module._buffers:
            raise AttributeError(f"`{name}` is not a buffer")
        found: Tensor = module._buffers[name]
        return found

    def apply(self, fn: Callable[[Module], None]) -> Self:
        """Call `fn` on every module below, then on this one."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    # ---- modes

    def train(self, mode: bool = True) -> Self:
        """Switch this module and all below to training mode."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self) -> Self:
        """Switch this module and all below to evaluation mode."""
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Switch gradients of all parameters on or off."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of all parameters (or fill them with zeros)."""
        for parameter in self.parameters():
            if parameter._grad is None:
                continue
            if set_to_none:
                parameter._grad = None
            else:
                parameter._grad = parameter._grad.detach().zero_()

    # ---- moving and casting

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Self:
        """Replace the values of all parameters and buffers by `fn` of them."""
        if recurse:
            for module in self.children():
                module._apply(fn)
        with no_grad():
            for parameter in self._parameters.values():
                if parameter is not None:
                    parameter.data = fn(parameter.data)
                    if parameter._grad is not None:
                        parameter._grad = fn(parameter._grad)
            for name, buffer in self._buffers.items():
                if buffer is not None:
                    self._buffers[name] = fn(buffer)
        return self

    def to(self, *args: Any, **kwargs: Any) -> Self:
        """Move to a device, or cast floating parameters and buffers to a dtype.

        Example:
            >>> import edutorch as torch
            >>> torch.nn.Linear(1, 1).to(torch.float64).weight.dtype
            torch.float64
        """
        given = (*args, *kwargs.values())
        probe = wrap(np.zeros(0, np.uint8)).to(*args, **kwargs)  # refuses nonsense
        kind = probe.dtype
        moves = any(isinstance(v, (str, int, Tensor, devices.device)) and not isinstance(v, bool)
            for v in given)
        casts = kind is not dtypes.uint8 or dtypes.uint8 in given
        if casts and not (kind.is_floating_point or kind.is_complex):
            raise TypeError(
                "nn.Module.to only accepts floating point or complex dtypes, but got "
                f"desired dtype={kind}"
            )

        def convert(t: Tensor) -> Tensor:
            t = t.to(probe.device) if moves else t
            return t.to(kind) if casts and (t.is_floating_point() or t.is_complex()) else t

        return self._apply(convert)

    def _cast(self, kind: Any) -> Self:
        return self._apply(lambda t: t.to(kind) if t.is_floating_point() else t)

    def cpu(self) -> Self:
        """Move to the computer's memory."""
        return self._apply(lambda t: t.cpu())

    def cuda(self, device: Any = None) -> Self:
        """Move to a GPU."""
        return self._apply(lambda t: t.cuda(device))

    # ---- state

    def state_dict(self, *, destination: Any = None, prefix: str = "", keep_vars: bool = False) -> Any:
        """All parameters and persistent buffers by dotted name, sharing their memory.

        Example:
            >>> import edutorch as torch
            >>> list(torch.nn.Linear(1, 1).state_dict())
            ['weight', 'bias']
        """
        if destination is None:
            destination = StateDict()
            destination._metadata = OrderedDict()
        metadata = {"version": self._version}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = metadata
        for hook in self._state_hooks["save_pre"].values():
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(
                    destination=destination, prefix=f"{prefix}{name}.", keep_vars=keep_vars
                )
        for hook in self._state_hooks["save"].values():
            changed = hook(self, destination, prefix, metadata)
            destination = destination if changed is None else changed
        return destination

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        for name, value in (*self._parameters.items(), *self._buffers.items()):
            if value is not None and name not in self._non_persistent_buffers_set:
                destination[prefix + name] = value if keep_vars else value.detach()
        if type(self).get_extra_state is not Module.get_extra_state:
            destination[prefix + "_extra_state"] = self.get_extra_state()

    def get_extra_state(self) -> Any:
        """State beyond tensors to put into `state_dict`; a subclass may define it."""
        raise RuntimeError(
            "Reached a code path in Module.get_extra_state() that should never be called."
        )

    def set_extra_state(self, state: Any) -> None:
        """Take back what `get_extra_state` gave; a subclass may define it."""
        raise RuntimeError(
            "Reached a code path in Module.set_extra_state() that should never be called."
        )

    def load_state_dict(
        self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False
    ) -> Any:
        """Copy values from a `state_dict` into this module's parameters and buffers.

        Args:
            strict: raise when names are missing or unknown.
            assign: take the given tensors themselves instead of copying.

        Raises:
            RuntimeError: naming missing and unexpected keys and shapes that differ;
                nothing has been changed then where a shape differs.
            TypeError: for what is no dictionary.
        """
        return load_into(self, state_dict, strict, assign)

    # ---- hooks

    def register_forward_pre_hook(
        self, hook: Any, *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, args)` before forward; it may return other arguments."""
        return self._hooks.add("forward_pre", hook, prepend, with_kwargs)

    def register_forward_hook(
        self,
        hook: Any,
        *,
        prepend: bool = False,
        with_kwargs: bool = False,
        always_call: bool = False,
    ) -> RemovableHandle:
        """Call `hook(module, args, output)` after forward; it may return another output."""
        return self._hooks.add("forward", hook, prepend, with_kwargs, always_call)

    def register_full_backward_pre_hook(self, hook: Any, prepend: bool = False) -> RemovableHandle:
        """Call `hook(module, grad_output)` before the module's backward."""
        return self._hooks.add("backward_pre", hook, prepend)

    def register_full_backward_hook(self, hook: Any, prepend: bool = False) -> RemovableHandle:
        """Call `hook(module, grad_input, grad_output)` after the module's backward."""
        return self._hooks.add("backward", hook, prepend)

    register_backward_hook = register_full_backward_hook

    def _register_state_hook(self, kind: str, hook: Any) -> RemovableHandle:
        handle = RemovableHandle(self._state_hooks[kind])
        self._state_hooks[kind][handle.id] = hook
        return handle

    def register_state_dict_post_hook(self, hook: Any) -> RemovableHandle:
        """Call `hook(module, state_dict, prefix, metadata)` after `state_dict`."""
        return self._register_state_hook("save", hook)

    def register_state_dict_pre_hook(self, hook: Any) -> RemovableHandle:
        """Call `hook(module, prefix, keep_vars)` before `state_dict`."""
        return self._register_state_hook("save_pre", hook)

    def register_load_state_dict_pre_hook(self, hook: Any) -> RemovableHandle:
        """Call `hook(module, state_dict, prefix, ...)` before values are loaded."""
        return self._register_state_hook("load_pre", hook)

    def register_load_state_dict_post_hook(self, hook: Any) -> RemovableHandle:
        """Call `hook(module, incompatible_keys)` after values were loaded."""
        return self._register_state_hook("load_post", hook)

    # ---- text

    def extra_repr(self) -> str:
        """What stands in the parentheses of the module's line; layers define it."""
        return ""

    def _get_name(self) -> str:
        return type(self).__name__

    def __repr__(self) -> str:
        extra = self.extra_repr().split("\n") if self.extra_repr() else []
        lines = [f"({name}): {_indent(repr(m))}" for name, m in self._modules.items()]
        head = f"{self._get_name()}("
        if not lines and len(extra) <= 1:
            return f"{head}{''.join(extra)})"
        return head + "\n  " + "\n  ".join(extra + lines) + "\n)"

    def __dir__(self) -> list[str]:
        own = [*self._parameters, *self._buffers, *self._modules]
        return sorted({*dir(type(self)), *self.__dict__, *own} - {""})

    def share_memory(self) -> Self:
        """Kept for programs that share a model between processes."""
        return self

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)


for _name, _kind in {
    "float": "float32", "double": "float64", "half": "float16", "bfloat16": "bfloat16",
}.items():  # fmt: skip

    def _caster(self: Module, _kind: str = _kind) -> Module:
        return self._cast(dtypes.by_name(_kind))

    _caster.__name__ = _name
    _caster.__doc__ = f"Cast all floating parameters and buffers to {_kind}."
    setattr(Module, _name, _caster)


def _remove(name: str, own: dict[str, Any], *tables: dict[str, Any]) -> None:
    own.pop(name, None)
    for table in tables:
        table.pop(name, None)


def _indent(text: str) -> str:
    return text.replace("\n", "\n  ")
