"""`copy.copy`, `copy.deepcopy` and `pickle` of tensors and storages."""

from __future__ import annotations

import copyreg
import warnings
from collections.abc import Iterable
from copy import deepcopy
from typing import Any

import numpy as np

from ... import devices, dtypes
from ...backends import array_module, backend_of
from ...backends.array_modules import on_gpu
from ...backends.meta import empty as meta_array
from ...layouts import strided
from ...tensor.conj_neg_view import ConjNegView, conj_neg_tensor, in_memory
from ...tensor.storage import (
    DeviceStorage,
    Storage,
    address,
    make_storage,
    strided_view,
)
from ...tensor.tensor import Tensor, bare_tensor
from ...tensor.typed_storage import STORAGES, TypedStorage
from ..registration import public

__all__: list[str] = []


@public("__deepcopy__")
def _tensor_deepcopy(self: Tensor, memo: dict[int, Any]) -> Tensor:
    """A copy with its own memory; only leaves can be copied.

    Raises:
        RuntimeError: for a tensor that an op made.
    """
    if id(self) in memo:
        return memo[id(self)]
    if self._requires_grad and not self.is_leaf:
        raise RuntimeError(
            "Only Tensors created explicitly by the user (graph leaves) support the "
            "deepcopy protocol at the moment.  If you were attempting to deepcopy a "
            "module, this may be because of a torch.nn.utils.weight_norm usage, see "
            "https://github.com/pytorch/pytorch/pull/103001"
        )
    array, storage = _copy_memory(self, memo)
    copy = bare_tensor(_copied_class(self), array, self._device)
    memo[id(self)] = copy
    copy._storage = storage
    if self._device is not devices.CPU:
        copy.untyped_storage()
    copy._requires_grad = self._requires_grad
    copy.__dict__.update(deepcopy(own_attributes(self), memo))
    if self._grad is not None:
        copy._grad = _tensor_deepcopy(self._grad, memo)
    return copy


def _copy_memory(x: Tensor, memo: dict[int, Any]) -> tuple[Any, Storage | None]:
    """The copied array and storage.

    The whole storage of a tensor is copied, once: copies share memory if their
    originals do.
    """
    storage, array = x.untyped_storage(), x._data
    owner = storage.array
    known = type(owner) is np.ndarray or on_gpu(owner)
    # NumPy arrays without elements have no position.
    if not known or type(x) is ConjNegView or not array.size:
        return array.copy(order="K"), None
    if id(storage) not in memo:
        memo[id(storage)] = make_storage(owner.copy(order="K"), x._device)
    copied: Storage = memo[id(storage)]
    if array is owner:
        return copied.array, copied
    place = address(array) - address(owner)
    if on_gpu(owner):
        form = array.shape, array.strides, place, array.dtype
        return strided_view(copied.array, *form), copied
    flat = copied.array.reshape(-1, order="A").view(np.uint8)
    return np.ndarray(array.shape, array.dtype, flat, place, array.strides), copied


def _copied_class(x: Tensor) -> type[Tensor]:
    """The class of a copy; lazy views become plain tensors."""
    return Tensor if type(x) is ConjNegView else type(x)


def as_class(x: Tensor, kind: type[Tensor]) -> Tensor:
    """The tensor as an instance of a subclass; a lazy view remains one.

    Example:
        >>> import edutorch as torch
        >>> type(as_class(torch.ones(2), torch.nn.Parameter)).__name__
        'Parameter'
    """
    return x if _copied_class(x) is kind else x.as_subclass(kind)


def own_attributes(x: Tensor) -> dict[str, Any]:
    """The attributes set by a program, without the tensor's own state."""
    return {
        name: value
        for name, value in x.__dict__.items()
        if not (name.startswith("_") and hasattr(Tensor, name))
    }


def attributes_of(x: Tensor) -> Any:
    """What pickle stores besides the values: attributes and slots of subclasses."""
    kind: Any = type(x)
    if getattr(kind, "__getstate__", None) is not getattr(object, "__getstate__", None):
        return kind.__getstate__(x)
    names = set(vars(copyreg)["_slotnames"](kind)) - set(Tensor.__slots__)
    slots = {name: getattr(x, name) for name in sorted(names) if hasattr(x, name)}
    return (own_attributes(x), slots) if slots else own_attributes(x)


def warn_of_hooks(x: Tensor) -> None:
    """Warn that hooks on a tensor are not saved, unless they are marked as such."""
    for hook in (x._hooks or {}).values():
        if not getattr(hook, "__torch_unserializable__", False):
            warnings.warn(
                f"backward hook {hook!r} on tensor will not be serialized.  If this is "
                "expected, you can decorate the function with "
                "@torch.utils.hooks.unserializable_hook to suppress this warning",
                UserWarning,
                stacklevel=2,
            )


@public("__reduce_ex__")
def _tensor_reduce(self: Tensor, protocol: Any) -> Any:
    """What pickle stores: the memory, the position in it, and a program's attributes.

    As in PyTorch all of the memory is stored, and tensors that share it are stored with
    their own memory; `save` keeps what is shared.
    """
    warn_of_hooks(self)
    function, args = _rebuild_arguments(self)
    state = attributes_of(self)
    if _copied_class(self) is Tensor and not state:
        return function, args
    return _rebuild_from_type, (function, _copied_class(self), args, state)


def _rebuild_arguments(x: Tensor) -> tuple[Any, tuple[Any, ...]]:
    """A function that recreates the tensor, and its arguments."""
    if x.is_meta:
        return rebuild_meta, (x.dtype, tuple(x.shape), x.stride(), x._requires_grad)
    if x.layout is not strided:
        return _rebuild_sparse, (x._data, str(x._device), x._requires_grad)
    storage = TypedStorage(wrap_storage=x.untyped_storage(), dtype=x.dtype)
    place = x.storage_offset(), tuple(x.shape), x.stride()
    return rebuild, (storage, *place, x._requires_grad, lazy_flags(x))


def lazy_flags(x: Tensor) -> dict[str, bool]:
    """The flags of a lazy view in files: conjugated, negated."""
    if type(x) is not ConjNegView:
        return {}
    flips = {"conj": x._conjugated, "neg": x._negated}
    return {name: True for name, flipped in flips.items() if flipped}


def with_lazy_flags(x: Tensor, flips: Iterable[str]) -> Tensor:
    """A view of the same memory that is conjugated ("conj") or negated ("neg")."""
    for name in flips:
        made: Tensor = conj_neg_tensor(in_memory(x), x, name)
        made._storage, x = x._storage, made
    return x


def rebuild(
    storage: TypedStorage,
    offset: int,
    size: tuple[int, ...],
    stride: tuple[int, ...],
    requires_grad: bool,
    flips: Iterable[str] = (),
) -> Tensor:
    """A tensor at a position in a storage."""
    dtype, memory = storage.dtype, storage.untyped()
    strides = tuple(s * dtype.itemsize for s in stride)
    flat = memory.bytes()
    if isinstance(flat, np.ndarray):
        begin = offset * dtype.itemsize if 0 not in size else 0
        array: Any = np.ndarray(size, dtype.numpy, flat, begin, strides)
    else:
        begin = flat.data + offset * dtype.itemsize
        array = array_module(flat).ndarray(size, dtype.numpy, begin, strides)
    made: Tensor = bare_tensor(Tensor, array, memory.device)
    made._storage = memory
    made = with_lazy_flags(made, flips)
    made._requires_grad = requires_grad
    return made


def rebuild_meta(
    dtype: dtypes.dtype, shape: Any, strides: Any, requires_grad: bool
) -> Tensor:
    """A meta tensor with a shape, a dtype and strides."""
    spec = dtype.numpy
    array = meta_array(shape, spec, [s * spec.itemsize for s in strides])
    made: Tensor = bare_tensor(Tensor, array, devices.device("meta"))
    made._requires_grad = requires_grad
    return made


def _rebuild_sparse(array: Any, device: str, requires_grad: bool) -> Tensor:
    made: Tensor = bare_tensor(Tensor, array, devices.to_device(device))
    made._requires_grad = requires_grad
    return made


def _rebuild_from_type(function: Any, kind: Any, args: Any, state: Any) -> Any:
    """A tensor with a subclass or attributes."""
    made: Any = as_class(function(*args), kind)
    if hasattr(kind, "__setstate__"):
        made.__setstate__(state)
        return made
    attributes, slots = state if isinstance(state, tuple) else (state, {})
    made.__dict__.update(attributes)
    for name, value in slots.items():
        setattr(made, name, value)
    return made


# ---- storages


def _reduce_storage(storage: Storage) -> Any:
    return _rebuild_storage, (_on_host(storage), str(storage.device))


def _on_host(storage: Storage) -> Any:
    array = storage.bytes()
    if isinstance(array, np.ndarray):
        return array
    return backend_of(storage.device).download(array)


def _rebuild_storage(array: Any, device: str) -> Storage:
    target = devices.to_device(device)
    if target is not devices.CPU:
        array = backend_of(target).upload(array, target)
    return make_storage(array, target)


def _reduce_typed(storage: TypedStorage) -> Any:
    memory = storage.untyped()
    return _rebuild_typed, (_on_host(memory), str(memory.device), storage.dtype)


def _rebuild_typed(array: Any, device: str, dtype: dtypes.dtype) -> TypedStorage:
    return TypedStorage(wrap_storage=_rebuild_storage(array, device), dtype=dtype)


for _memory in (Storage, DeviceStorage):
    copyreg.pickle(_memory, _reduce_storage)
for _typed in (TypedStorage, *STORAGES.values()):
    copyreg.pickle(_typed, _reduce_typed)
