"""Methods that apply Python functions to elements, and others for the CPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...autograd.dispatch import apply1
from ...autograd.inplace import check_writable, write
from ...autograd.op_errors import type_name
from ...backends import shared
from ...backends.gpus import gpus
from ...errors import python_type_name
from ...tensor.storage import make_storage
from ...tensor.tensor import Tensor, bare_tensor, wrap
from ..argument_checks import tensor_of
from ..registration import attach, public
from ..shape.slices import Slice

__all__: list[str] = []


def _check_on_cpu(self: Tensor, name: str) -> None:
    if self._requires_grad:
        raise RuntimeError(
            f"Can't call {name}() on Variable that requires grad. Use "
            f"var.detach().{name}() instead."
        )
    check_writable(self)


def _write_values(self: Tensor, values: list[Any]) -> Tensor:
    shape, kind = self._data.shape, self._data.dtype
    write(self, np.array(values, dtype=kind).reshape(shape))
    self.untyped_storage().version -= 1  # PyTorch does not count this change
    return self


def _values_of(other: Any, self: Tensor, name: str, argument: str) -> list[Any]:
    """The elements of an operand, which must be of the same type, as often as needed.

    Raises:
        TypeError: for another type.
        RuntimeError: for a shape that does not expand to that of `self`.
    """
    place = {"other": 1, "x": 1, "y": 2}[argument]
    if not isinstance(other, Tensor):
        raise TypeError(
            f"{name}(): argument '{argument}' (position {place}) must be Tensor, not "
            f"{python_type_name(other)}"
        )
    if other.dtype is not self.dtype:
        what = f"'{argument}'" if name == "map_" else f"argument '{argument}'"
        raise TypeError(
            f"{name}: expected {type_name(self)} for {what} (got {type_name(other)})"
        )
    values: list[Any] = other.detach().expand(self.shape)._data.reshape(-1).tolist()
    return values


@public("apply_")
def _tensor_apply_(self: Tensor, callable: Callable[[Any], Any]) -> Tensor:
    """Replace each element with the result of a Python function; slow.

    Math: x[i] <- f(x[i])
    Shape: (*) -> (*)

    Raises:
        RuntimeError: for tensors that require grad.

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1, 2]).apply_(lambda v: v * 10)
        tensor([10, 20])
    """
    _check_on_cpu(self, "apply_")
    return _write_values(self, [callable(v) for v in self._data.reshape(-1).tolist()])


@public("map_")
def _tensor_map_(
    self: Tensor, tensor: Tensor, callable: Callable[[Any, Any], Any]
) -> Tensor:
    """Replace each element with a Python function of it and another tensor's; slow.

    Math: x[i] <- f(x[i], y[i])
    Shape: (*), what broadcasts to it -> (*)

    Raises:
        RuntimeError: for tensors that require grad.

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1, 2]).map_(torch.tensor([3, 4]), lambda v, w: v * w)
        tensor([3, 8])
    """
    _check_on_cpu(self, "map_")
    pairs = zip(
        self._data.reshape(-1).tolist(),
        _values_of(tensor, self, "map_", "other"),
        strict=True,
    )
    return _write_values(self, [callable(v, w) for v, w in pairs])


@public("map2_")
def _tensor_map2_(
    self: Tensor, x: Tensor, y: Tensor, callable: Callable[[Any, Any, Any], Any]
) -> Tensor:
    """Replace each element with a Python function of it and two other tensors'; slow.

    Math: t[i] <- f(t[i], x[i], y[i])
    Shape: (*), two that broadcast to it -> (*)

    Example:
        >>> import edutorch as torch
        >>> one = torch.ones(2)
        >>> torch.ones(2).map2_(one, one, lambda a, b, c: a + b + c)
        tensor([3., 3.])
    """
    _check_on_cpu(self, "map2_")
    own = self._data.reshape(-1).tolist()
    trios = zip(
        own,
        _values_of(x, self, "map2_", "x"),
        _values_of(y, self, "map2_", "y"),
        strict=True,
    )
    return _write_values(self, [callable(*trio) for trio in trios])


@public("as_subclass")
def _tensor_as_subclass(self: Tensor, cls: type[Any]) -> Any:
    """This tensor as an instance of a subclass, with the same memory and history.

    Raises:
        TypeError: for a class that is not a subclass of Tensor.

    Example:
        >>> import edutorch as torch
        >>> class Mine(torch.Tensor):
        ...     pass
        >>> type(torch.ones(1).as_subclass(Mine)).__name__
        'Mine'
    """
    if not issubclass(cls, Tensor):
        raise TypeError(
            "Creating a Tensor subclass from a class that does not inherit from Tensor "
            "is not possible. Make sure your class inherits from Tensor."
        )
    self = self.resolve_conj().resolve_neg()
    alias = apply1(Slice((Ellipsis,)), self) if self._requires_grad else self
    made = bare_tensor(cls, alias._data, self._device)
    made._storage = self.untyped_storage()
    made._requires_grad, made._grad_fn = alias._requires_grad, alias._grad_fn
    made._base, made._views, made._seen = alias._base, alias._views, alias._seen
    return made


def _make_subclass(cls: type[Any], data: Tensor, require_grad: bool = False) -> Any:
    data = data.resolve_conj().resolve_neg()
    made = bare_tensor(cls, data._data, data._device)
    made._storage = data.untyped_storage()
    made._requires_grad = require_grad
    return made


attach(_make_subclass=staticmethod(_make_subclass))


@public("share_memory_")
def _tensor_share_memory_(self: Tensor) -> Tensor:
    """Move the elements to memory shared with processes started later.

    Views made before still refer to the old memory. That of real GPUs is not moved;
    that of simulated ones is shared like that of the CPU.

    Example:
        >>> import edutorch as torch
        >>> torch.ones(2).share_memory_().is_shared()
        True
    """
    array = self._data
    if (
        type(array) is not np.ndarray
        or not array.nbytes
        or shared.owner(array) is not None
    ):
        return self
    self._data = np.frombuffer(shared.allocate(array.nbytes), array.dtype).reshape(
        array.shape
    )
    self._data[...] = array
    fresh = make_storage(self._data, self._device)
    if self._storage is not None:
        fresh.version = self._storage.version
    self._storage = fresh
    return self


@public("is_shared")
def _tensor_is_shared(self: Tensor) -> bool:
    """Whether the memory is shared between processes.

    Example:
        >>> import edutorch as torch
        >>> torch.ones(2).is_shared(), torch.ones(2).share_memory_().is_shared()
        (False, True)
    """
    return self.is_cuda or shared.owner(self._data) is not None


@public("pin_memory")
def _tensor_pin_memory(self: Tensor, device: Any = None) -> Tensor:
    """A copy in page-locked memory, which is faster to copy to a GPU.

    Raises:
        RuntimeError: if there is no GPU, and for tensors of a GPU.

    Example:
        >>> import edutorch as torch
        >>> if torch.cuda.is_available():
        ...     x = torch.ones(2).pin_memory()
    """
    found = gpus()
    if found is None:
        raise RuntimeError("Cannot access accelerator device when none is available.")
    if self.is_pinned():
        return self
    if not self.is_cpu:
        raise RuntimeError(
            f"cannot pin '{self.type()}' only dense CPU tensors can be pinned"
        )
    return wrap(found.pinned(self._data), self._device)


@public("record_stream")
def _tensor_record_stream(self: Tensor, stream: Any) -> None:
    """Record that another stream uses this memory, so that it is not reused early.

    On a real GPU freed memory may be given to the next tensor while a stream that did
    not allocate it still works with it. Simulated GPUs compute at once.

    Example:
        >>> import edutorch as torch
        >>> if torch.cuda.is_available():
        ...     torch.ones(2, device="cuda").record_stream(torch.cuda.current_stream())
    """
    native = getattr(stream, "native", None)
    if native is not None and self.is_cuda:
        storage = self.untyped_storage()
        gpus().record_stream(storage, self._data, self._device, native)


@public("dim_order")
def _tensor_dim_order(self: Tensor, ambiguity_check: Any = False) -> tuple[int, ...]:
    """The dimensions from the outermost in memory to the innermost.

    Raises:
        RuntimeError: with `ambiguity_check`, if more than one order is possible.

    Example:
        >>> import edutorch as torch
        >>> torch.ones(2, 3).t().dim_order()
        (1, 0)
    """
    steps, shape = self.stride(), self.shape
    if ambiguity_check and (1 in shape or len(set(steps)) < len(steps)):
        raise RuntimeError(
            "The tensor does not have unique dim order, or cannot map to exact one of "
            "the given memory formats."
        )
    return tuple(sorted(range(len(steps)), key=lambda d: -steps[d]))


@public("is_set_to")
def _tensor_is_set_to(self: Tensor, tensor: Tensor) -> bool:
    """Whether both tensors have the same memory, shape and strides.

    Example:
        >>> import edutorch as torch
        >>> x = torch.ones(2, 2)
        >>> x.is_set_to(x.view(2, 2)), x.is_set_to(x.t())
        (True, False)
    """
    tensor = tensor_of(tensor, "is_set_to", "tensor")
    places = [(t.data_ptr(), t.shape, t.stride()) for t in (self, tensor)]
    same = self.untyped_storage().array is tensor.untyped_storage().array
    bits = [(t._conjugated, t._negated) for t in (self, tensor)]
    return same and places[0] == places[1] and bits[0] == bits[1]
