"""Modules that infer the shapes of their parameters in the first call."""

from __future__ import annotations

from typing import Any

from ..parameter import is_lazy
from .module import Module

__all__ = ["LazyModuleMixin"]


class LazyModuleMixin:
    """Makes a module infer the shapes of its parameters from the first input.

    A subclass makes `UninitializedParameter`s and defines `initialize_parameters`,
    which gives them their shapes. Afterwards the module becomes one of the class
    `cls_to_become`, if there is one.

    Example:
        >>> import edutorch as torch
        >>> layer = torch.nn.LazyLinear(3)
        >>> layer.has_uninitialized_params()
        True
        >>> layer(torch.zeros(2, 5)).shape, layer
        (torch.Size([2, 3]), Linear(in_features=5, out_features=3, bias=True))
    """

    cls_to_become: type[Any] | None = None
    _waiting = False
    _parameters: Any
    _buffers: Any
    _non_persistent_buffers_set: Any

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._waiting = True

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run `forward`, after inferring the shapes if this is the first call."""
        if self._waiting:
            self._infer_parameters(self, args, kwargs)
        return Module.__call__(self, *args, **kwargs)  # type: ignore[arg-type]  # it is one

    def initialize_parameters(self, *args: Any, **kwargs: Any) -> None:
        """Give the parameters their shapes, inferred from the arguments of a call."""
        raise NotImplementedError(
            f"initialize_parameters is not implemented for {type(self).__name__}"
        )

    def has_uninitialized_params(self) -> bool:
        """Whether the shape of a parameter or buffer is still unknown."""
        own = (*self._parameters.values(), *self._buffers.values())
        return any(is_lazy(value) for value in own)

    def _infer_parameters(self, module: Any, args: Any, kwargs: Any = None) -> None:
        module.initialize_parameters(*args, **(kwargs or {}))
        if module.has_uninitialized_params():
            raise RuntimeError(
                f"module {type(self).__name__} has not been fully initialized"
            )
        module._waiting = False
        if module.cls_to_become is not None:
            module.__class__ = module.cls_to_become

    def _save_to_state_dict(
        self, destination: Any, prefix: str, keep_vars: bool
    ) -> None:
        for name, value in (*self._parameters.items(), *self._buffers.items()):
            if value is not None and name not in self._non_persistent_buffers_set:
                attached = keep_vars or is_lazy(value)
                destination[prefix + name] = value if attached else value.detach()
