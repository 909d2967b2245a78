"""The names that a checkpoint may use: all of them, and what they stand for."""

from __future__ import annotations

import builtins
from collections import Counter, OrderedDict
from pickle import UnpicklingError
from typing import Any

from .. import devices, dtypes
from ..layouts import (
    sparse_bsc,
    sparse_bsr,
    sparse_coo,
    sparse_csc,
    sparse_csr,
    strided,
)
from ..nn.parameter import Parameter
from ..ops.sparse import sparse_compressed_tensor, sparse_coo_tensor
from ..tensor.size import Size
from ..tensor.tensor import Tensor
from .storages import TYPE_NAMES, StorageType, view
from .unpickler import Builder, check_key

__all__ = ["NAMES"]


LAYOUTS = (strided, sparse_coo, sparse_csr, sparse_csc, sparse_bsr, sparse_bsc)


def _expect(condition: bool, what: str) -> None:
    if not condition:
        raise UnpicklingError(f"the checkpoint is damaged or was forged: {what}")


# ---- tensors


def _tensor(
    storage: Any, offset: Any, size: Any, stride: Any, grad: Any, hooks: Any,
    metadata: Any = None,
) -> Tensor:  # fmt: skip
    return _finished(view(storage, offset, size, stride), grad, hooks, metadata)


def _tensor_v3(
    storage: Any, offset: Any, size: Any, stride: Any, grad: Any, hooks: Any,
    dtype: Any, metadata: Any = None,
) -> Tensor:  # fmt: skip
    _expect(isinstance(dtype, dtypes.dtype), "a tensor's dtype is none")
    made = view(storage, offset, size, stride, dtype)
    return _finished(made, grad, hooks, metadata)


def _finished(tensor: Tensor, grad: Any, hooks: Any, metadata: Any) -> Tensor:
    _expect(type(grad) is bool, "requires_grad is not true or false")
    _expect(type(hooks) is OrderedDict and not hooks, "a tensor brings hooks")
    tensor.requires_grad = grad
    if metadata is None:
        return tensor
    _expect(type(metadata) is dict, "a tensor's metadata is no dictionary")
    known = {"conj": tensor._data.conj, "neg": tensor._data.__neg__}
    for flag, value in metadata.items():
        _expect(flag in known and value is True, "a tensor's metadata is unknown")
        tensor._data = known[flag]()
        tensor._storage = None
    return tensor


def _sparse_tensor(layout: Any, parts: Any) -> Tensor:
    """A sparse tensor; positions outside it are refused by what makes it."""
    _expect(layout in LAYOUTS[1:] and type(parts) is tuple, "a sparse tensor of none")
    count = 2 if layout is sparse_coo else 3
    _expect(count < len(parts) < count + 3, "a sparse tensor of other parts")
    *arrays, size = parts[: count + 1]
    _expect(all(type(t) is Tensor for t in arrays), "a part that is no tensor")
    _expect(isinstance(size, tuple), "a sparse tensor without a size")
    integers = all(t._data.dtype.kind == "i" for t in arrays[:-1])
    _expect(integers, "positions that are no integers")
    more = parts[count + 1 :]
    try:
        if layout is sparse_coo:
            known = {"is_coalesced": more[0]} if more else {}
            return sparse_coo_tensor(*arrays, size, **known)
        return sparse_compressed_tensor(*arrays, size, layout=layout)
    except (RuntimeError, TypeError, ValueError, IndexError) as error:
        raise UnpicklingError(
            f"the checkpoint is damaged or was forged: {error}"
        ) from None


def _parameter(data: Any, grad: Any, hooks: Any) -> Parameter:
    _expect(type(data) is Tensor, "a parameter is made of something else than a tensor")
    _expect(type(grad) is bool, "requires_grad is not true or false")
    _expect(type(hooks) is OrderedDict and not hooks, "a parameter brings hooks")
    return Parameter(data, grad)


# ---- other values


def _ordered() -> OrderedDict[Any, Any]:
    return OrderedDict()


def _size(sizes: Any) -> Size:
    good = type(sizes) is tuple and all(type(n) is int for n in sizes)
    _expect(good, "a size is not made of whole numbers")
    return Size(sizes)


def _device(kind: Any, index: Any = None) -> devices.device:
    good = type(kind) is str and (index is None or type(index) is int)
    _expect(good, "a device has no name")
    return devices.device(kind, index)


def _layout(name: Any) -> Any:
    found = {repr(layout): layout for layout in LAYOUTS}
    _expect(type(name) is str and name in found, "a layout that is unknown")
    return found[name]


def _encode(text: Any, encoding: Any) -> bytes:
    _expect(type(text) is str and encoding == "latin1", "bytes in another encoding")
    try:
        return bytes(text.encode("latin1"))
    except UnicodeEncodeError:
        raise UnpicklingError("bytes that are none") from None


def _bytearray(text: Any = "", encoding: Any = "latin1") -> bytearray:
    return bytearray(text if type(text) is bytes else _encode(text, encoding))


def _complex(real: Any, imag: Any) -> complex:
    _expect(type(real) is float and type(imag) is float, "a complex number of others")
    return complex(real, imag)


def _set(items: Any = ()) -> builtins.set[Any]:
    _expect(type(items) in (list, tuple), "a set of something else than a list")
    for item in items:
        check_key(item)
    return builtins.set(items)


def _frozenset(items: Any = ()) -> builtins.frozenset[Any]:
    return builtins.frozenset(_set(items))


def _range(start: Any, stop: Any, step: Any) -> builtins.range:
    good = all(type(n) is int for n in (start, stop, step)) and step
    _expect(bool(good), "a range of something else than whole numbers")
    return builtins.range(start, stop, step)


def _counter(counts: Any) -> Counter[Any]:
    _expect(type(counts) is dict, "a counter of something else than a dictionary")
    _expect(
        all(type(n) is int for n in counts.values()), "a counter that counts nothing"
    )
    return Counter(counts)


NAMES: dict[tuple[str, str], Any] = {
    ("torch._utils", "_rebuild_tensor_v2"): Builder(_tensor, 6, 7),
    ("torch._utils", "_rebuild_tensor_v3"): Builder(_tensor_v3, 7, 8),
    ("torch._utils", "_rebuild_sparse_tensor"): Builder(_sparse_tensor, 2, 2),
    ("torch._utils", "_rebuild_parameter"): Builder(_parameter, 3, 3),
    ("torch", "Size"): Builder(_size, 1, 1),
    ("torch", "device"): Builder(_device, 1, 2),
    ("torch.serialization", "_get_layout"): Builder(_layout, 1, 1),
    ("torch.storage", "UntypedStorage"): StorageType(None),
    ("collections", "OrderedDict"): Builder(_ordered, 0, 0),
    ("collections", "Counter"): Builder(_counter, 1, 1),
    ("_codecs", "encode"): Builder(_encode, 2, 2),
    **{("torch", d.name): d for d in dtypes.ALL},
    **{("torch", name): StorageType(d) for d, name in TYPE_NAMES.items()},
}
for _module in ("builtins", "__builtin__"):
    NAMES |= {
        (_module, "set"): Builder(_set, 0, 1),
        (_module, "frozenset"): Builder(_frozenset, 0, 1),
        (_module, "bytearray"): Builder(_bytearray, 0, 2),
        (_module, "bytes"): Builder(bytes, 0, 0),
        (_module, "complex"): Builder(_complex, 2, 2),
        (_module, "range"): Builder(_range, 3, 3),
        (_module, "xrange"): Builder(_range, 3, 3),
    }
