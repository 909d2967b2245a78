"""Parameters and buffers: tensors that belong to a module."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import backends, devices, dtypes
from ..ops.convert.copy_pickle import attributes_of, warn_of_hooks
from ..tensor.tensor import Tensor, bare_tensor, wrap

__all__ = [
    "Buffer", "Parameter", "UninitializedBuffer", "UninitializedParameter",
    "UninitializedTensorMixin", "is_lazy",
]  # fmt: skip


def _alias_as(cls: type[Any], source: Tensor) -> Any:
    """A tensor of a class that shares memory with another (a copy for a lazy view)."""
    source = source.resolve_conj().resolve_neg()
    made = bare_tensor(cls, source._data, source._device)
    made._storage = source.untyped_storage()
    return made


def _empty_tensor(device: Any = None, dtype: Any = None) -> Tensor:
    nothing = wrap(np.empty(0, dtype=dtypes.get_default_dtype().numpy))
    made: Tensor = nothing.to(devices.to_device(device), dtype)
    return made


class Parameter(Tensor):
    """A trainable tensor: assigning one to a module registers it.

    Args:
        data: the values, whose memory is shared.
        requires_grad: whether backward gives it a gradient.

    Raises:
        AttributeError: for arguments that are not tensors.
        RuntimeError: for integers that should require a gradient.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Parameter(torch.ones(2))
        Parameter containing:
        tensor([1., 1.], requires_grad=True)
    """

    def __new__(
        cls, data: Tensor | None = None, requires_grad: bool = True
    ) -> Parameter:
        made: Parameter = _alias_as(
            cls, _empty_tensor() if data is None else data.detach()
        )
        if requires_grad and not (made.is_floating_point() or made.is_complex()):
            raise RuntimeError(
                "Only Tensors of floating point and complex dtype can require gradients"
            )
        if data is not None and data._inference:
            made._inference = True
            made.requires_grad_(requires_grad)  # refused outside of inference mode
        made._requires_grad = requires_grad
        return made

    def __repr__(  # type: ignore[override]  # mypy loses the keyword's name
        self, *, tensor_contents: Any = None
    ) -> str:
        return "Parameter containing:\n" + super().__repr__()

    def __deepcopy__(self, memo: dict[int, Any]) -> Parameter:
        if id(self) in memo:
            found: Parameter = memo[id(self)]
            return found
        copy = type(self)(self.detach().clone(), self._requires_grad)
        memo[id(self)] = copy
        return copy

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Pickle a parameter with its class and attributes."""
        warn_of_hooks(self)
        state = attributes_of(self)
        made_of = self.detach(), self._requires_grad
        return _rebuild, (*made_of, state) if state else made_of


def _rebuild(data: Tensor, requires_grad: bool, state: Any = None) -> Parameter:
    made = Parameter(data, requires_grad)
    attributes, slots = state if isinstance(state, tuple) else (state, {})
    made.__dict__.update(attributes or {})
    for name, value in slots.items():
        setattr(made, name, value)
    return made


class _BufferType(type):
    """Makes `isinstance(x, Buffer)` true for the results of `Buffer(...)`."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, Tensor) and getattr(instance, "_is_buffer", False)


class Buffer(Tensor, metaclass=_BufferType):
    """A tensor that is registered as a buffer when it is assigned to a module.

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

    persistent: bool

    def __new__(cls, data: Tensor | None = None, *, persistent: bool = True) -> Any:
        source = (_empty_tensor() if data is None else data).detach()
        source._is_buffer = True
        source.persistent = persistent
        return source


class _UnknownMemory(np.ndarray[Any, Any]):
    """A placeholder for memory of unknown size, which refuses arithmetic."""

    def __array_ufunc__(self, ufunc: Any, *_: Any, **__: Any) -> Any:
        raise ValueError(_uninitialized_error(ufunc.__name__, "UninitializedParameter"))


def _uninitialized_error(function: str, kind: str) -> str:
    return (
        f"Attempted to use an uninitialized parameter in <method '{function}' of "
        "'torch._C.TensorBase' objects>. This error happens when you are using a "
        f"`LazyModule` or explicitly manipulating `torch.nn.parameter.{kind}` objects. "
        "When using LazyModules Call `forward` with a dummy batch to initialize the "
        "parameters before calling torch functions"
    )


class UninitializedTensorMixin(Tensor):
    """A tensor of unknown shape; operations on it raise errors.

    Example:
        >>> import edutorch as torch
        >>> p = torch.nn.UninitializedParameter()
        >>> isinstance(p, torch.nn.parameter.UninitializedTensorMixin)
        True
    """

    becomes: type[Tensor] = Tensor

    def materialize(self, shape: Any, device: Any = None, dtype: Any = None) -> None:
        """Allocate memory of a shape; from then on this is an ordinary tensor.

        Args:
            shape: the sizes.
            device, dtype: those it was made with, if not given.
        """
        kind = self.dtype if dtype is None else dtype
        where = self._device if device is None else devices.to_device(device)
        xp = backends.backend_of(where).xp
        self.data = wrap(xp.empty(tuple(shape), dtype=kind.numpy), where)
        self.__class__ = self.becomes  # type: ignore[assignment]  # it has become one

    @property
    def shape(self) -> Any:
        """Raise, since the shape is not known yet.

        Raises:
            RuntimeError: always.
        """
        raise RuntimeError(
            "Can't access the shape of an uninitialized parameter or buffer. This "
            "error "
            "usually happens in `load_state_dict` when trying to load an uninitialized "
            "parameter into an initialized one. Call `forward` to initialize the "
            "parameters before accessing their attributes."
        )

    def share_memory_(self) -> Any:
        """Raise, since there is no memory yet.

        Raises:
            RuntimeError: always.
        """
        raise RuntimeError(
            "Can't share memory on an uninitialized parameter or buffer. Call "
            "`forward` to initialize the parameters before calling "
            "`module.share_memory()`."
        )

    def numel(self) -> Any:
        """Raise, since 0 would be a wrong number of parameters.

        Raises:
            ValueError: always.
        """
        raise ValueError(_uninitialized_error("numel", type(self).__name__))

    def __repr__(  # type: ignore[override]  # mypy loses the keyword's name
        self, *, tensor_contents: Any = None
    ) -> str:
        return f"<{type(self).__name__}>"


class UninitializedParameter(  # type: ignore[misc]  # `__repr__`: as above
    UninitializedTensorMixin, Parameter
):
    """A parameter whose shape a lazy module infers in its first call.

    Example:
        >>> import edutorch as torch
        >>> p = torch.nn.UninitializedParameter()
        >>> p.materialize((2, 3))
        >>> type(p).__name__, p.shape
        ('Parameter', torch.Size([2, 3]))
    """

    becomes = Parameter

    def __new__(
        cls, requires_grad: bool = True, device: Any = None, dtype: Any = None
    ) -> UninitializedParameter:
        made: UninitializedParameter = _alias_as(cls, _empty_tensor(device, dtype))
        made._requires_grad = requires_grad
        made._data = made._data.view(_UnknownMemory)
        return made

    def __deepcopy__(self, memo: dict[int, Any]) -> UninitializedParameter:
        if id(self) not in memo:
            memo[id(self)] = type(self)(self._requires_grad, self._device, self.dtype)
        found: UninitializedParameter = memo[id(self)]
        return found

    def __reduce_ex__(self, protocol: Any) -> Any:
        return type(self), (self._requires_grad, self._device, self.dtype)


class UninitializedBuffer(UninitializedTensorMixin):
    """A buffer whose shape a lazy module infers in its first call.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.UninitializedBuffer()
        <UninitializedBuffer>
    """

    def __new__(
        cls, requires_grad: bool = False, device: Any = None, dtype: Any = None,
        persistent: bool = True,
    ) -> UninitializedBuffer:  # fmt: skip
        made: UninitializedBuffer = _alias_as(cls, _empty_tensor(device, dtype))
        made._requires_grad = requires_grad
        made._data = made._data.view(_UnknownMemory)
        made._is_buffer, made.persistent = True, persistent
        return made

    def __reduce_ex__(self, protocol: Any) -> Any:
        of = self._requires_grad, self._device, self.dtype, self.persistent
        return type(self), of


def is_lazy(param: Any) -> bool:
    """Whether a parameter or buffer has no shape yet.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.parameter.is_lazy(torch.nn.UninitializedParameter())
        True
    """
    return isinstance(param, UninitializedTensorMixin)
