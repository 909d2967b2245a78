"""The type names of old programs: `FloatTensor`, `LongTensor` ..."""

from __future__ import annotations

from typing import Any, Final

from .. import dtypes
from .tensor import Tensor, wrap
from .values import old_array

__all__ = ["TensorType", "LEGACY", "set_default_tensor_type"]


class TensorType:
    """A kind of tensor by its old name: makes tensors, and answers `isinstance`.

    Example:
        >>> import edutorch as torch
        >>> torch.LongTensor([1, 2])
        tensor([1, 2])
        >>> isinstance(torch.ones(1), torch.FloatTensor)
        True
    """

    def __init__(self, dtype: dtypes.dtype) -> None:
        self.dtype = dtype

    def __call__(self, *args: Any) -> Tensor:
        """Sizes give a tensor of that shape, a sequence or an array its values."""
        return wrap(old_array(args, self.dtype.numpy))

    def __instancecheck__(self, instance: Any) -> bool:
        return isinstance(instance, Tensor) and instance.dtype is self.dtype

    def __repr__(self) -> str:
        return f"<class 'torch.{self.dtype.short}Tensor'>"


LEGACY: Final = {
    f"{name}Tensor": TensorType(dtype)
    for name, dtype in {
        "Float": dtypes.float32, "Double": dtypes.float64, "Half": dtypes.float16,
        "BFloat16": dtypes.bfloat16, "Long": dtypes.int64, "Int": dtypes.int32,
        "Short": dtypes.int16, "Char": dtypes.int8, "Byte": dtypes.uint8,
        "Bool": dtypes.bool_,
    }.items()
}  # fmt: skip
FloatTensor = LEGACY["FloatTensor"]
DoubleTensor = LEGACY["DoubleTensor"]
HalfTensor = LEGACY["HalfTensor"]
BFloat16Tensor = LEGACY["BFloat16Tensor"]
LongTensor = LEGACY["LongTensor"]
IntTensor = LEGACY["IntTensor"]
ShortTensor = LEGACY["ShortTensor"]
CharTensor = LEGACY["CharTensor"]
ByteTensor = LEGACY["ByteTensor"]
BoolTensor = LEGACY["BoolTensor"]


def set_default_tensor_type(t: Any, /) -> None:
    """Set the default dtype by the name of a tensor type; deprecated.

    Raises:
        TypeError: for a type that is not floating.

    Example:
        >>> import edutorch as torch
        >>> torch.set_default_tensor_type("torch.DoubleTensor")
        >>> torch.ones(1).dtype
        torch.float64
        >>> torch.set_default_tensor_type(torch.FloatTensor)
    """
    kind = LEGACY.get(t.rsplit(".", 1)[-1]) if isinstance(t, str) else t
    if not isinstance(kind, TensorType):
        raise TypeError(f"invalid type object: {t}")
    if kind.dtype.kind < dtypes.FLOATING:
        raise TypeError("only floating-point types are supported as the default type")
    dtypes.set_default_dtype(kind.dtype)
