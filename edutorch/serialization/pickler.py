"""Writes objects as a pickle of protocol 2 that PyTorch can read.

Tensors are written as calls of PyTorch's own rebuild functions; what stands in their
memory goes into its own records, to which the pickle only refers. Everything is
written by name (`torch._utils._rebuild_tensor_v2`), so PyTorch need not be there.
"""

from __future__ import annotations

import copyreg
import operator
import struct
import sys
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable
from pickle import PicklingError
from typing import Any

from .. import devices, dtypes
from ..backends.sparse import Coo
from ..layouts import layout, strided
from ..nested.tensor import NestedTensor
from ..nn.parameter import Parameter
from ..ops.convert.copy_pickle import attributes_of, lazy_flags, warn_of_hooks
from ..tensor.conj_neg_view import ConjNegView
from ..tensor.size import Size
from ..tensor.sparse_printing import component_arrays
from ..tensor.storage import Storage
from ..tensor.tensor import Tensor, wrap
from ..tensor.typed_storage import TypedStorage
from .module_state import state_for_pytorch
from .nested import nested_parts
from .storages import TYPE_NAMES, Place, SavedStorages
from .torch_names import torch_name

__all__ = ["Pickler"]

BATCH = 1000  # items to an opcode, as Python's pickler has it
_LATIN1 = "latin1"


class Pickler:
    """Writes one object; `program` is the pickle, `storages` are its storages.

    Args:
        stream: write references to storages as PyTorch's older format has them.

    Raises:
        PicklingError: for what has no name to be found by when it is loaded.
        TypeError: for what cannot be saved, such as open files.
    """

    def __init__(self, obj: Any, stream: bool = False) -> None:
        self.storages, self._stream = SavedStorages(), stream
        self._out = bytearray(b"\x80\x02")
        self._memo: dict[int, int] = {}
        self._alive: list[Any] = []  # ids in the memo must not be used again
        self._names: dict[tuple[str, str], int] = {}
        self._count = 0
        self._write(obj)
        self._out += b"."
        self.program = bytes(self._out)

    # ---- one object

    def _write(self, obj: Any) -> None:
        if id(obj) in self._memo:
            self._get(self._memo[id(obj)])
            return
        writer = _WRITERS.get(type(obj))
        if writer is not None:
            writer(self, obj)
        elif type(obj) is NestedTensor and obj.layout is strided:
            self._call("torch._utils", "_rebuild_nested_tensor", *nested_parts(obj))
            self._remember(obj)
        elif isinstance(obj, Tensor) and type(obj).__reduce_ex__ in _REDUCES:
            self._tensor(obj)
        elif isinstance(obj, (Storage, TypedStorage)):
            self._typed_storage(obj) if isinstance(
                obj, TypedStorage
            ) else self._storage(obj)
        elif type(obj).__module__ == "torch.return_types":
            self._return_type(obj)
        elif isinstance(obj, type) or (callable(obj) and hasattr(obj, "__qualname__")):
            self._by_name(obj)
        else:
            self._reduced(obj)

    def _remember(self, obj: Any) -> None:
        """Number the top of the stack, so that it is written only once."""
        self._memo[id(obj)] = self._count
        self._alive.append(obj)
        self._put()

    def _put(self) -> int:
        n = self._count
        self._out += b"q%c" % n if n < 256 else b"r" + struct.pack("<I", n)
        self._count += 1
        return n

    def _get(self, n: int) -> None:
        self._out += b"h%c" % n if n < 256 else b"j" + struct.pack("<I", n)

    def _global(self, module: str, name: str) -> None:
        known = self._names.get((module, name))
        if known is not None:
            self._get(known)
            return
        self._out += f"c{module}\n{name}\n".encode()
        self._names[module, name] = self._put()

    def _call(self, module: str, name: str, *args: Any) -> None:
        self._global(module, name)
        self._write_tuple(args)
        self._out += b"R"

    def _write_tuple(self, items: tuple[Any, ...]) -> None:
        self._out += b"" if len(items) <= 3 else b"("
        for item in items:
            self._write(item)
        self._out += (
            (b")", b"\x85", b"\x86", b"\x87")[len(items)] if len(items) <= 3 else b"t"
        )

    # ---- numbers and text

    def _none(self, obj: None) -> None:
        self._out += b"N"

    def _bool(self, obj: bool) -> None:
        self._out += b"\x88" if obj else b"\x89"

    def _int(self, obj: int) -> None:
        if 0 <= obj < 256:
            self._out += b"K%c" % obj
        elif 0 <= obj < 65536:
            self._out += b"M" + struct.pack("<H", obj)
        elif -(2**31) <= obj < 2**31:
            self._out += b"J" + struct.pack("<i", obj)
        else:
            data = obj.to_bytes(obj.bit_length() // 8 + 1, "little", signed=True)
            short = len(data) < 256
            size = (
                b"\x8a%c" % len(data)
                if short
                else b"\x8b" + struct.pack("<i", len(data))
            )
            self._out += size + data

    def _float(self, obj: float) -> None:
        self._out += b"G" + struct.pack(">d", obj)

    def _complex(self, obj: complex) -> None:
        self._call("__builtin__", "complex", obj.real, obj.imag)

    def _text(self, obj: str) -> None:
        data = obj.encode("utf-8", "surrogatepass")
        self._out += b"X" + struct.pack("<I", len(data)) + data
        self._remember(obj)

    def _bytes(self, obj: bytes) -> None:
        # Protocol 2 has no bytes; they are text of which each letter is one byte.
        self._call("_codecs", "encode", obj.decode(_LATIN1), _LATIN1)
        self._remember(obj)

    def _bytearray(self, obj: bytearray) -> None:
        self._call("__builtin__", "bytearray", obj.decode(_LATIN1), _LATIN1)
        self._remember(obj)

    # ---- containers

    def _tuple(self, obj: tuple[Any, ...]) -> None:
        self._write_tuple(obj)
        if id(obj) in self._memo:  # it is inside itself, and was written meanwhile
            self._out += b"0"
            self._get(self._memo[id(obj)])
        elif obj:
            self._remember(obj)

    def _list(self, obj: list[Any]) -> None:
        self._out += b"]"
        self._remember(obj)
        self._items(obj)

    def _dict(self, obj: dict[Any, Any]) -> None:
        self._out += b"}"
        self._remember(obj)
        self._pairs(obj.items())

    def _ordered(self, obj: OrderedDict[Any, Any]) -> None:
        self._call("collections", "OrderedDict")
        self._remember(obj)
        self._pairs(obj.items())
        if vars(obj):  # a module's state dictionary has `_metadata`
            self._write(dict(vars(obj)))
            self._out += b"b"

    def _items(self, items: Iterable[Any]) -> None:
        rest = list(items)
        for i in range(0, len(rest), BATCH):
            self._out += b"("
            for item in rest[i : i + BATCH]:
                self._write(item)
            self._out += b"e"

    def _pairs(self, pairs: Iterable[tuple[Any, Any]]) -> None:
        rest = list(pairs)
        for i in range(0, len(rest), BATCH):
            self._out += b"("
            for key, value in rest[i : i + BATCH]:
                self._write(key)
                self._write(value)
            self._out += b"u"

    def _builtin(self, obj: Any) -> None:
        """Sets and ranges: a call with their elements."""
        if isinstance(obj, range):
            self._call("__builtin__", "xrange", obj.start, obj.stop, obj.step)
        else:
            self._call("__builtin__", type(obj).__name__, list(obj))
        self._remember(obj)

    def _counter(self, obj: Counter[Any]) -> None:
        self._call("collections", "Counter", dict(obj))
        self._remember(obj)

    # ---- what belongs to tensors

    def _size(self, obj: Size) -> None:
        self._call("torch", "Size", tuple(obj))
        self._remember(obj)

    def _dtype(self, obj: dtypes.dtype) -> None:
        self._global("torch", obj.name)

    def _device(self, obj: devices.device) -> None:
        index = () if obj.index is None else (obj.index,)
        self._call("torch", "device", obj.type, *index)

    def _layout(self, obj: layout) -> None:
        self._call("torch.serialization", "_get_layout", repr(obj))

    def _tensor(self, obj: Tensor) -> None:
        """Values, and attributes that a program has set on the tensor."""
        warn_of_hooks(obj)
        state = attributes_of(obj)
        if isinstance(obj, Parameter):
            args: tuple[Any, ...] = (obj.data, obj.requires_grad, OrderedDict())
            if state:
                name, args = "_rebuild_parameter_with_state", (*args, state)
            else:
                name = "_rebuild_parameter"
            self._call("torch._utils", name, *args)
        elif type(obj) in (Tensor, ConjNegView) and not state:
            self._values(obj, b"R")
        else:
            self._global("torch._tensor", "_rebuild_from_type_v2")
            self._out += b"("
            self._values(obj, b"", Tensor if type(obj) is ConjNegView else type(obj))
            self._write(state)
            self._out += b"tR"
        self._remember(obj)

    def _values(self, obj: Tensor, end: bytes, kind: type | None = None) -> None:
        """The function that makes a tensor, perhaps the type, and its arguments."""
        if obj.is_meta:
            name = "_rebuild_meta_tensor_no_storage"
            args = (obj.dtype, tuple(obj.shape), obj.stride(), obj.requires_grad)
        elif obj.layout is not strided:
            name, args = "_rebuild_sparse_tensor", self._sparse_parts(obj)
        else:
            name, args = self._dense_parts(obj)
        self._global("torch._utils", name)
        if kind is not None:
            self._write(kind)
        self._write_tuple(args)
        self._out += end

    def _sparse_parts(self, obj: Tensor) -> tuple[Any, ...]:
        """The layout and the parts, which are dense tensors."""
        x = obj._data
        parts = tuple(wrap(part) for _, part in component_arrays(x))
        more = (x.coalesced,) if isinstance(x, Coo) else ()
        return obj.layout, (*parts, obj.shape, *more)

    def _dense_parts(self, obj: Tensor) -> tuple[str, tuple[Any, ...]]:
        place = self.storages.place_of(obj)
        # Hooks, the empty dictionary, are never saved.
        shape = tuple(obj.shape)
        args = (place, place.offset, shape, place.stride, obj.requires_grad)
        flips = (flips,) if (flips := lazy_flags(obj)) else ()
        if place.type_name == "UntypedStorage":
            return "_rebuild_tensor_v3", (*args, OrderedDict(), obj.dtype, *flips)
        return "_rebuild_tensor_v2", (*args, OrderedDict(), *flips)

    def _place(self, place: Place) -> None:
        """A reference to a storage."""
        self._out += b"("
        self._write("storage")
        untyped = place.type_name == "UntypedStorage"
        self._global("torch.storage" if untyped else "torch", place.type_name)
        for part in (place.key, place.location, place.numel):
            self._write(part)
        self._out += b"NtQ" if self._stream else b"tQ"

    def _storage(self, obj: Storage) -> None:
        self._place(self.storages.storage(obj, dtypes.uint8, "UntypedStorage"))

    def _typed_storage(self, obj: TypedStorage) -> None:
        if obj.dtype not in TYPE_NAMES:
            raise KeyError(f"dtype {obj.dtype} is not recognized")
        self._place(self.storages.storage(obj.untyped(), obj.dtype))

    def _return_type(self, obj: Any) -> None:
        """The named result of an operation, as PyTorch's class takes it."""
        self._call("torch.return_types", type(obj).__name__, tuple(obj), {})
        self._remember(obj)

    # ---- everything else

    def _by_name(self, obj: Any) -> None:
        """A class or a function: by the name under which it is imported."""
        if renamed := torch_name(obj):
            self._global(*renamed)
            return
        module = getattr(obj, "__module__", None) or "__main__"
        name = obj.__qualname__
        if "<locals>" in name:
            raise AttributeError(f"Can't pickle local object {name!r}")
        try:
            found = operator.attrgetter(name)(sys.modules[module])
        except (KeyError, AttributeError):
            found = None
        if found is not obj:
            raise PicklingError(
                f"Can't pickle {obj!r}: it's not found as {module}.{name}"
            )
        self._global(module, name)

    def _reduced(self, obj: Any) -> None:
        """Any other object: as Python's protocol for copying describes it."""
        reduce = copyreg.dispatch_table.get(type(obj))
        described = reduce(obj) if reduce else obj.__reduce_ex__(2)
        if isinstance(described, str):
            module, _ = torch_name(type(obj)) or (type(obj).__module__, "")
            self._global("torch" if module == "torch.layouts" else module, described)
            return
        function, args, *rest = described
        if function is copyreg.__newobj__:  # type: ignore[attr-defined]  # not in typeshed
            self._write(args[0])
            self._write_tuple(tuple(args[1:]))
            self._out += b"\x81"
        else:
            self._write(function)
            self._write_tuple(tuple(args))
            self._out += b"R"
        self._remember(obj)
        state, items, pairs = (*rest, None, None, None)[:3]
        self._items(items or ())
        self._pairs(pairs or ())
        if state is not None:
            self._write(state_for_pytorch(obj, state))
            self._out += b"b"


_WRITERS: dict[type, Callable[[Pickler, Any], None]] = {
    type(None): Pickler._none,
    bool: Pickler._bool,
    int: Pickler._int,
    float: Pickler._float,
    complex: Pickler._complex,
    str: Pickler._text,
    bytes: Pickler._bytes,
    bytearray: Pickler._bytearray,
    tuple: Pickler._tuple,
    list: Pickler._list,
    dict: Pickler._dict,
    OrderedDict: Pickler._ordered,
    Counter: Pickler._counter,
    set: Pickler._builtin,
    frozenset: Pickler._builtin,
    range: Pickler._builtin,
    Size: Pickler._size,
    dtypes.dtype: Pickler._dtype,
    devices.device: Pickler._device,
    layout: Pickler._layout,
    Place: Pickler._place,
}
# Subclasses that define their own pickling keep it.
_REDUCES = (Tensor.__reduce_ex__, Parameter.__reduce_ex__)
