"""Parameters and buffers: tensors that belong to a module."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tensor.tensor import Tensor, blank, wrap

__all__ = ["Buffer", "Parameter", "UninitializedParameter", "is_lazy"]


class Parameter(Tensor):
    """A tensor that a module learns: assigning one to a module registers it.

    Args:
        data: the values, whose memory is shared.
        requires_grad: whether backward gives it a gradient.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Parameter(torch.ones(2))
        Parameter containing:
        tensor([1., 1.], requires_grad=True)
    """

    def __new__(
        cls, data: Tensor | None = None, requires_grad: bool = True
    ) -> Parameter:
        source = wrap(np.empty(0, dtype=np.float32)) if data is None else data
        made: Parameter = blank(cls, source._data, source._device)
        made._storage = source.untyped_storage()
        made.requires_grad = requires_grad
        return made

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        return "Parameter containing:\n" + super().__repr__()

    def __deepcopy__(self, memo: dict[int, Any]) -> Parameter:
        if id(self) in memo:
            found: Parameter = memo[id(self)]
            return found
        copy = type(self)(wrap(self._data.copy(), self._device), self._requires_grad)
        memo[id(self)] = copy
        return copy

    def __reduce_ex__(self, protocol: Any) -> Any:
        return _rebuild, (type(self), self.detach(), self._requires_grad)


def _rebuild(cls: type[Parameter], data: Tensor, requires_grad: bool) -> Parameter:
    return cls(data, requires_grad)


class _BufferType(type):
    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, Tensor) and getattr(instance, "_is_buffer", False)


class Buffer(Tensor, metaclass=_BufferType):
    """A tensor that assigning to a module registers as a buffer.

    Args:
        data: the values, whose memory is shared.
        persistent: whether it is part of the module's `state_dict`.

    Example:
        >>> import edutorch as torch
        >>> m = torch.nn.Module()
        >>> m.mean = torch.nn.Buffer(torch.zeros(1))
        >>> list(m.state_dict())
        ['mean']
    """

    def __new__(cls, data: Tensor | None = None, *, persistent: bool = True) -> Any:
        source = wrap(np.empty(0, dtype=np.float32)) if data is None else data.detach()
        source._is_buffer = True
        source.persistent = persistent
        return source


class UninitializedParameter(Parameter):
    """A parameter whose shape a lazy module finds out at its first call.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.UninitializedParameter()
        <UninitializedParameter>
    """

    def materialize(self, shape: Any, device: Any = None, dtype: Any = None) -> None:
        """Give it memory of a shape; from then on it is an ordinary parameter."""
        kind = self._data.dtype if dtype is None else dtype.numpy
        self._data = np.empty(tuple(shape), dtype=kind)
        self._storage = None
        self.__class__ = Parameter  # type: ignore[assignment]  # it has become one

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        return "<UninitializedParameter>"


def is_lazy(parameter: Any) -> bool:
    """Whether a parameter still waits for its shape.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.parameter.is_lazy(torch.nn.UninitializedParameter())
        True
    """
    return isinstance(parameter, UninitializedParameter)
