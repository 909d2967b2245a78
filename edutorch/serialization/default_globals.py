"""The names that a checkpoint may use, and their objects."""

from __future__ import annotations

import builtins
from collections import Counter, OrderedDict
from pickle import UnpicklingError
from typing import Any

from .. import devices, dtypes
from ..nn.parameter import Parameter
from ..tensor.size import Size
from ..tensor.tensor import Tensor
from . import rebuild
from .hash_flooding import KeyChecker
from .nested import nested_tensor
from .rebuild import LAYOUTS, require
from .storages import TYPE_NAMES, StorageType
from .weights_only_unpickler import Builder

__all__ = ["NAMES"]


def _ordered() -> OrderedDict[Any, Any]:
    return OrderedDict()


def _size(sizes: Any) -> Size:
    good = type(sizes) is tuple and all(type(n) is int for n in sizes)
    require(good, "a size is not made of whole numbers")
    return Size(sizes)


def _device(kind: Any, index: Any = None) -> devices.device:
    good = type(kind) is str and (index is None or type(index) is int)
    require(good, "a device has no name")
    return devices.device(kind, index)


def _layout(name: Any) -> Any:
    found = {repr(layout): layout for layout in LAYOUTS}
    require(type(name) is str and name in found, "a layout that is unknown")
    return found[name]


def _encode(text: Any, encoding: Any) -> bytes:
    require(type(text) is str and encoding == "latin1", "bytes in another encoding")
    try:
        return bytes(text.encode("latin1"))
    except UnicodeEncodeError:
        raise UnpicklingError("bytes that are none") from None


def _bytearray(text: Any = "", encoding: Any = "latin1") -> bytearray:
    return bytearray(text if type(text) is bytes else _encode(text, encoding))


def _complex(real: Any, imag: Any) -> complex:
    require(type(real) is float and type(imag) is float, "a complex number of others")
    return complex(real, imag)


def _set(items: Any = ()) -> builtins.set[Any]:
    require(type(items) in (list, tuple), "a set of something else than a list")
    made: builtins.set[Any] = builtins.set()
    keys = KeyChecker()
    for item in items:
        keys.check(item, made)
        made.add(item)
    return made


def _counter(counts: Any) -> Counter[Any]:
    require(type(counts) is dict, "a counter of something else than a dictionary")
    numbers = all(type(n) in (int, float) for n in counts.values())
    require(numbers, "a counter that counts nothing")
    return Counter(counts)


SCHEMES = (
    "per_tensor_affine", "per_tensor_symmetric", "per_channel_affine",
    "per_channel_symmetric", "per_channel_affine_float_qparams",
)  # fmt: skip
NAMES: dict[tuple[str, str], Any] = {
    ("torch._utils", "_rebuild_tensor"): Builder(rebuild.tensor_v1, 4, 4),
    ("torch._utils", "_rebuild_tensor_v2"): Builder(rebuild.tensor, 6, 7),
    ("torch._utils", "_rebuild_tensor_v3"): Builder(rebuild.tensor_v3, 7, 8),
    ("torch._utils", "_rebuild_sparse_tensor"): Builder(rebuild.sparse_tensor, 2, 2),
    ("torch._utils", "_rebuild_parameter"): Builder(rebuild.parameter, 3, 3),
    ("torch._utils", "_rebuild_parameter_with_state"): Builder(
        rebuild.parameter_with_state, 4, 4
    ),
    ("torch._utils", "_rebuild_qtensor"): Builder(rebuild.quantized_tensor, 7, 7),
    ("torch._utils", "_rebuild_device_tensor_from_cpu_tensor"): Builder(
        rebuild.moved_tensor, 4, 4
    ),
    ("torch._utils", "_rebuild_meta_tensor_no_storage"): Builder(
        rebuild.meta_tensor, 4, 4
    ),
    ("torch._utils", "_rebuild_nested_tensor"): Builder(nested_tensor, 4, 4),
    ("torch._tensor", "_rebuild_from_type_v2"): Builder(rebuild.from_type, 4, 4),
    ("torch", "Tensor"): Tensor,
    ("torch.nn.parameter", "Parameter"): Parameter,
    ("torch", "Size"): Builder(_size, 1, 1),
    ("torch", "device"): Builder(_device, 1, 2),
    ("torch.serialization", "_get_layout"): Builder(_layout, 1, 1),
    ("torch.storage", "UntypedStorage"): StorageType(None),
    ("collections", "OrderedDict"): Builder(_ordered, 0, 0),
    ("collections", "Counter"): Builder(_counter, 1, 1),
    ("_codecs", "encode"): Builder(_encode, 2, 2),
    **{("torch", d.name): d for d in dtypes.ALL},
    **{("torch", name): StorageType(d) for d, name in TYPE_NAMES.items()},
    **{("torch", f"{d.short}Tensor"): Tensor for d in TYPE_NAMES},
    # Quantized tensors are read as far as it takes to refuse them by name.
    ("torch", "QInt8Storage"): StorageType(dtypes.int8),
    ("torch", "QUInt8Storage"): StorageType(dtypes.uint8),
    ("torch", "QInt32Storage"): StorageType(dtypes.int32),
    **{("torch", name): StorageType(None) for name in SCHEMES},
}
for _module in ("builtins", "__builtin__"):
    NAMES |= {
        (_module, "set"): Builder(_set, 0, 1),
        (_module, "bytearray"): Builder(_bytearray, 0, 2),
        (_module, "complex"): Builder(_complex, 2, 2),
    }
