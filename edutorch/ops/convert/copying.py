"""How `copy.copy`, `copy.deepcopy` and `pickle` treat tensors."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import numpy as np

from ... import devices, dtypes
from ...backends import backend_of
from ...backends.meta import empty as meta_array
from ...layouts import strided
from ...tensor.lazy import LazyView
from ...tensor.storage import Storage, address, make_storage
from ...tensor.tensor import Tensor, blank
from ..attach import public

__all__: list[str] = []


@public("__deepcopy__")
def _tensor_deepcopy(self: Tensor, memo: dict[int, Any]) -> Tensor:
    """A copy with memory of its own, for leaves; others belong to a graph.

    Raises:
        RuntimeError: for a tensor that an op made.
    """
    if id(self) in memo:
        return memo[id(self)]  # type: ignore[no-any-return]
    if self._requires_grad and not self.is_leaf:
        raise RuntimeError(
            "Only Tensors created explicitly by the user (graph leaves) support the "
            "deepcopy protocol at the moment.  If you were attempting to deepcopy a "
            "module, this may be because of a torch.nn.utils.weight_norm usage, see "
            "https://github.com/pytorch/pytorch/pull/103001"
        )
    array, storage = _copied(self, memo)
    copy = blank(_kind(self), array, self._device)
    memo[id(self)] = copy
    copy._storage = storage
    if self._device is not devices.CPU:
        copy.untyped_storage()
    copy._requires_grad = self._requires_grad
    copy.__dict__.update(deepcopy(own_attributes(self), memo))
    if self._grad is not None:
        copy._grad = _tensor_deepcopy(self._grad, memo)
    return copy  # type: ignore[no-any-return]


def _copied(x: Tensor, memo: dict[int, Any]) -> tuple[Any, Storage | None]:
    """The array and storage of a copy.

    All of the memory that a tensor looks at is copied, once: what shares memory among
    the originals shares it among the copies.
    """
    storage, array = x.untyped_storage(), x._data
    owner = storage.array
    if type(owner) is not np.ndarray or type(x) is LazyView:
        return array.copy(order="K"), None
    if id(storage) not in memo:
        memo[id(storage)] = make_storage(owner.copy(order="K"), x._device)
    whole: Storage = memo[id(storage)]
    if array is owner:
        return whole.array, whole
    place = address(array) - address(owner)
    flat = whole.array.reshape(-1, order="A").view(np.uint8)
    return np.ndarray(array.shape, array.dtype, flat, place, array.strides), whole


def _kind(x: Tensor) -> type[Tensor]:
    """The class of a copy: a lazy view's is a plain tensor."""
    return Tensor if type(x) is LazyView else type(x)


def own_attributes(x: Tensor) -> dict[str, Any]:
    """What a program has attached to a tensor: not the tensor's own state."""
    return {k: v for k, v in x.__dict__.items() if not hasattr(Tensor, k)}


@public("__reduce_ex__")
def _tensor_reduce(self: Tensor, protocol: Any) -> Any:
    """What pickle stores: values, dtype, device and whether gradients are wanted."""
    if self.is_meta:
        spec = tuple(self.shape), self.stride(), self.dtype.name
        made_of = (type(self), *spec, self._requires_grad)
        return rebuild_meta, made_of, own_attributes(self) or None
    dense = self.layout is strided
    array = self.numpy(force=True) if dense else self._data
    state = (
        array.view(np.uint16) if array.dtype.kind == "V" else array,
        self.dtype.name,
    )
    made_of = (_kind(self), *state, str(self._device), self._requires_grad)
    return rebuild, made_of, own_attributes(self) or None


def rebuild(
    kind: type[Tensor], array: Any, dtype: str, device: str, requires_grad: bool
) -> Tensor:
    """The tensor that `pickle` stored as an array and what to know about it."""
    where = devices.to_device(device)
    dense = isinstance(array, np.ndarray)
    values = array.view(dtypes.by_name(dtype).numpy) if dense else array
    if where is not devices.CPU:
        values = backend_of(where).upload(values, where)
    made: Tensor = blank(kind, values, where)
    if where is not devices.CPU:
        made.untyped_storage()
    made._requires_grad = requires_grad
    return made


def rebuild_meta(
    kind: type[Tensor], shape: Any, strides: Any, dtype: str, requires_grad: bool
) -> Tensor:
    """The tensor without values of a shape, a dtype and an order in memory."""
    spec = dtypes.by_name(dtype).numpy
    array = meta_array(shape, spec, [s * spec.itemsize for s in strides])
    made: Tensor = blank(kind, array, devices.device("meta"))
    made._requires_grad = requires_grad
    return made
