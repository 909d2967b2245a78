"""Typed storages: memory as a flat sequence of elements; PyTorch's older interface."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Final

import numpy as np

from .. import devices, dtypes
from ..backends import to_device_of
from ..kernels.casts import cast
from .storage import Storage, make_storage

__all__ = ["STORAGES", "TypedStorage"]


class TypedStorage:
    """Memory as elements of one dtype, returned by `Tensor.storage()`.

    Args:
        source: the number of elements, or their values; no elements if left out.
        wrap_storage: the memory to use, instead of new memory.
        dtype: the type of the elements; the default one if left out.

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1.5, 2.5]).storage().tolist()
        [1.5, 2.5]
        >>> torch.LongStorage([1, 2])[1]
        2
    """

    kind: ClassVar[dtypes.dtype | None] = None  # the dtype of `LongStorage` and its kin

    def __init__(
        self,
        source: Any = 0,
        *,
        wrap_storage: Storage | None = None,
        dtype: dtypes.dtype | None = None,
        device: Any = None,
    ) -> None:
        self.dtype = self.kind or dtype or dtypes.get_default_dtype()
        if wrap_storage is None:
            where = devices.to_device(device)
            values = np.zeros(source) if isinstance(source, int) else np.array(source)
            wrap_storage = make_storage(cast(values, self.dtype.numpy), where)
        self._memory = wrap_storage

    def untyped(self) -> Storage:
        """The same memory as bytes."""
        return self._memory

    @property
    def device(self) -> devices.device:
        """The device of the memory."""
        return self._memory.device

    @property
    def is_cuda(self) -> bool:
        """Whether the memory is a GPU's."""
        return self._memory.is_cuda

    def _elements(self) -> Any:
        return self._memory.bytes().view(self.dtype.numpy)

    def size(self) -> int:
        """The number of elements."""
        return len(self)

    def __len__(self) -> int:
        return self.nbytes() // self.element_size()

    def nbytes(self) -> int:
        """The bytes of all elements."""
        return int(self._memory.nbytes)

    def element_size(self) -> int:
        """The bytes of one element."""
        return int(self.dtype.itemsize)

    def data_ptr(self) -> int:
        """The address of the first element."""
        return self._memory.data_ptr()

    def is_shared(self) -> bool:
        """Whether the memory is shared between processes."""
        return self._memory.is_shared()

    def pickle_storage_type(self) -> str:
        """The name of the class of storages of this dtype."""
        return f"{self.dtype.short}Storage"

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            raise RuntimeError(
                "slices are only supported in UntypedStorage.__getitem__"
            )
        return self._elements()[index].item()

    def __setitem__(self, index: Any, value: Any) -> None:
        elements = self._elements()
        elements[index] = to_device_of(value, elements)
        self._memory.version += 1

    def __iter__(self) -> Iterator[Any]:
        return iter(self.tolist())

    def tolist(self) -> list[Any]:
        """The elements as Python numbers."""
        elements = self._elements()
        wide = elements.astype(np.float32) if elements.dtype.kind == "V" else elements
        found: list[Any] = wide.tolist()
        return found

    def fill_(self, value: Any) -> TypedStorage:
        """Overwrite every element by one value."""
        self[:] = value
        return self

    def copy_(self, source: TypedStorage, non_blocking: bool = False) -> TypedStorage:
        """Overwrite the elements by those of a storage of as many."""
        self[:] = source.tolist()
        return self

    def clone(self) -> TypedStorage:
        """A copy with its own memory."""
        return TypedStorage(wrap_storage=self._memory.clone(), dtype=self.dtype)

    def __repr__(self) -> str:
        numbers = " " + "\n ".join(map(str, self.tolist())) + "\n"
        return (
            f"{numbers}[torch.storage.TypedStorage(dtype={self.dtype}, "
            f"device={self.device}) of size {len(self)}]"
        )


STORAGES: Final = {
    f"{d.short}Storage": type(
        f"{d.short}Storage",
        (TypedStorage,),
        {"kind": d, "__doc__": f"A `TypedStorage` of {d} elements."},
    )
    for d in dtypes.ALL
    if d not in (dtypes.uint16, dtypes.uint32, dtypes.uint64)
}
BFloat16Storage = STORAGES["BFloat16Storage"]
BoolStorage = STORAGES["BoolStorage"]
ByteStorage = STORAGES["ByteStorage"]
CharStorage = STORAGES["CharStorage"]
ComplexDoubleStorage = STORAGES["ComplexDoubleStorage"]
ComplexFloatStorage = STORAGES["ComplexFloatStorage"]
DoubleStorage = STORAGES["DoubleStorage"]
FloatStorage = STORAGES["FloatStorage"]
HalfStorage = STORAGES["HalfStorage"]
IntStorage = STORAGES["IntStorage"]
LongStorage = STORAGES["LongStorage"]
ShortStorage = STORAGES["ShortStorage"]
