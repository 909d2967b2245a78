"""Module: a tree of parameters, buffers and children with a `forward`."""

from __future__ import annotations

from typing import Any, Self

from ... import events
from ...tensor.tensor import Tensor
from ..hooks import (
    HOOK_TABLES,
    call_with_hooks,
    global_hooks,
    register_module_backward_hook,
    register_module_buffer_registration_hook,
    register_module_forward_hook,
    register_module_forward_pre_hook,
    register_module_full_backward_hook,
    register_module_full_backward_pre_hook,
    register_module_module_registration_hook,
    register_module_parameter_registration_hook,
)
from ..moving import Movable
from ..own_init import named_as_one
from ..parameter import is_lazy
from ..state import Stateful

__all__ = [
    "Module", "register_module_backward_hook",
    "register_module_buffer_registration_hook", "register_module_forward_hook",
    "register_module_forward_pre_hook", "register_module_full_backward_hook",
    "register_module_full_backward_pre_hook",
    "register_module_module_registration_hook",
    "register_module_parameter_registration_hook",
]  # fmt: skip


@named_as_one
class Module(Stateful, Movable):
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
    call_super_init = False  # whether __init__ passes arguments on to other bases
    dump_patches = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if (args or kwargs) and not self.call_super_init:
            name = type(self).__name__
            if kwargs:
                raise TypeError(
                    f"{name}.__init__() got an unexpected keyword argument "
                    f"'{next(iter(kwargs))}'"
                )
            raise TypeError(
                f"{name}.__init__() takes 1 positional argument but {len(args) + 1} "
                "were given"
            )
        self._make_tables()
        self.__dict__["training"] = True
        self.__dict__["_module_hooks"] = None
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    # ---- calling

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Compute the output; every subclass defines this."""
        raise NotImplementedError(
            f'Module [{type(self).__name__}] is missing the required "forward" function'
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run `forward`, with the hooks and events around it."""
        hooks = self._module_hooks
        hooked = hooks is not None or global_hooks.used
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
            if (g := parameter._grad) is not None:
                parameter._grad = None if set_to_none else zeroed(g)

    # ---- text

    def extra_repr(self) -> str:
        """What stands in the parentheses of the module's line; layers define it."""
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

    # ---- copies

    def share_memory(self) -> Self:
        """Move parameters and buffers to memory that other processes share.

        Raises:
            RuntimeError: for a lazy module that does not know its shapes yet.

        Example:
            >>> import edutorch as torch
            >>> torch.nn.Linear(1, 1).share_memory().weight.is_shared()
            True
        """
        for x in filter(is_lazy, (*self.parameters(), *self.buffers())):
            x.share_memory_()  # which it refuses
        return self._apply(lambda x: x.share_memory_())

    def __setstate__(self, state: dict[str, Any]) -> None:
        # PyTorch's modules have a dictionary for each kind of hook.
        tables = {name: state[name] for name in HOOK_TABLES & state.keys()}
        own = {name: value for name, value in state.items() if name not in tables}
        self.__dict__.update(own)
        self.__dict__.setdefault("_module_hooks", None)
        for name, hooks in tables.items():
            if hooks:
                setattr(self, name, hooks)


def zeroed(g: Tensor) -> Tensor:
    """A gradient without history, filled with zeros: the same tensor."""
    if g.grad_fn is not None:
        g.detach_()
    else:
        g.requires_grad_(False)
    return g.zero_()


def _indent(text: str) -> str:
    return text.replace("\n", "\n  ")
