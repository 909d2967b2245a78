"""The type names of old programs: `FloatTensor`, `LongTensor` ..."""

from __future__ import annotations

from typing import Any, Final

from .. import backends, dtypes
from ..devices import to_device
from .conversions import legacy_constructor_array
from .tensor import Tensor, wrap

__all__ = ["CUDA", "LEGACY", "TensorType", "set_default_tensor_type"]


class TensorType:
    """A kind of tensor by its old name: makes tensors, and answers `isinstance`.

    Example:
        >>> import edutorch as torch
        >>> torch.LongTensor([1, 2])
        tensor([1, 2])
        >>> isinstance(torch.ones(1), torch.FloatTensor)
        True
    """

    def __init__(self, dtype: dtypes.dtype, kind: str = "cpu") -> None:
        self.dtype, self.device_type = dtype, kind

    def __call__(self, *args: Any) -> Tensor:
        """Sizes give a tensor of that shape, a sequence or an array its values."""
        array = legacy_constructor_array(args, self.dtype.numpy)
        if self.device_type == "cpu":
            return wrap(array)
        where = to_device(self.device_type)
        try:
            return wrap(backends.backend_of(where).upload(array, where), where)
        except AssertionError:
            raise TypeError(
                f"type {self} not available. Torch not compiled with CUDA enabled."
            ) from None

    def __instancecheck__(self, instance: Any) -> bool:
        return (
            isinstance(instance, Tensor)
            and instance.dtype is self.dtype
            and instance.device.type == self.device_type
        )

    def __str__(self) -> str:
        prefix = "torch.cuda." if self.device_type == "cuda" else "torch."
        return f"{prefix}{self.dtype.short}Tensor"

    def __repr__(self) -> str:
        return f"<class '{self}'>"


LEGACY: Final = {
    f"{name}Tensor": TensorType(dtype)
    for name, dtype in {
        "Float": dtypes.float32, "Double": dtypes.float64, "Half": dtypes.float16,
        "BFloat16": dtypes.bfloat16, "Long": dtypes.int64, "Int": dtypes.int32,
        "Short": dtypes.int16, "Char": dtypes.int8, "Byte": dtypes.uint8,
        "Bool": dtypes.bool_,
    }.items()
}  # fmt: skip
CUDA: Final = {name: TensorType(kind.dtype, "cuda") for name, kind in LEGACY.items()}
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
        words = "only floating-point types are supported as the default type"
        raise TypeError(f"invalid type object: {t if isinstance(t, str) else words}")
    if kind.dtype.kind < dtypes.FLOATING:
        raise TypeError("only floating-point types are supported as the default type")
    dtypes.set_default_dtype(kind.dtype)
