"""Methods named after the dtype that they convert to: `float`, `half`, `chalf` ..."""

from __future__ import annotations

from typing import Any

from ... import dtypes
from ...layouts import preserve_format
from ...tensor.tensor import Tensor
from ..registration import method

__all__: list[str] = []


def _to(self: Tensor, dtype: dtypes.dtype, memory_format: Any) -> Tensor:
    """Methods that convert to a dtype; unnecessary conversions are skipped."""
    if dtype.numpy == self._data.dtype and memory_format is preserve_format:
        return self
    return self.to(dtype, memory_format=memory_format)


@method
def _tensor_float(self: Tensor, *, memory_format: Any = preserve_format) -> Tensor:
    """This tensor as float32.

    Math: y = x, in that dtype      ∂L/∂x = g
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1.5]).float()
        tensor([1.5000])
    """
    return _to(self, dtypes.float32, memory_format)


@method
def _tensor_double(self: Tensor, *, memory_format: Any = preserve_format) -> Tensor:
    """This tensor as float64.

    Math: y = x, in that dtype      ∂L/∂x = g
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1.5]).double()
        tensor([1.5000], dtype=torch.float64)
    """
    return _to(self, dtypes.float64, memory_format)


@method
def _tensor_half(self: Tensor, *, memory_format: Any = preserve_format) -> Tensor:
    """This tensor as float16.

    Math: y = x, in that dtype      ∂L/∂x = g
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1.5]).half()
        tensor([1.5000], dtype=torch.float16)
    """
    return _to(self, dtypes.float16, memory_format)


@method
def _tensor_bfloat16(self: Tensor, *, memory_format: Any = preserve_format) -> Tensor:
    """This tensor as bfloat16.

    Math: y = x, in that dtype      ∂L/∂x = g
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1.5]).bfloat16()
        tensor([1.5000], dtype=torch.bfloat16)
    """
    return _to(self, dtypes.bfloat16, memory_format)


@method
def _tensor_int(self: Tensor, *, memory_format: Any = preserve_format) -> Tensor:
    """This tensor as int32.

    Math: y = x, in that dtype      ∂L/∂x = g
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1.5]).int()
        tensor([1], dtype=torch.int32)
    """
    return _to(self, dtypes.int32, memory_format)


@method
def _tensor_long(self: Tensor, *, memory_format: Any = preserve_format) -> Tensor:
    """This tensor as int64.

    Math: y = x, in that dtype      ∂L/∂x = g
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1.5]).long()
        tensor([1])
    """
    return _to(self, dtypes.int64, memory_format)


@method
def _tensor_short(self: Tensor, *, memory_format: Any = preserve_format) -> Tensor:
    """This tensor as int16.

    Math: y = x, in that dtype      ∂L/∂x = g
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1.5]).short()
        tensor([1], dtype=torch.int16)
    """
    return _to(self, dtypes.int16, memory_format)


@method
def _tensor_char(self: Tensor, *, memory_format: Any = preserve_format) -> Tensor:
    """This tensor as int8.

    Math: y = x, in that dtype      ∂L/∂x = g
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1.5]).char()
        tensor([1], dtype=torch.int8)
    """
    return _to(self, dtypes.int8, memory_format)


@method
def _tensor_byte(self: Tensor, *, memory_format: Any = preserve_format) -> Tensor:
    """This tensor as uint8.

    Math: y = x, in that dtype      ∂L/∂x = g
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1.5]).byte()
        tensor([1], dtype=torch.uint8)
    """
    return _to(self, dtypes.uint8, memory_format)


@method
def _tensor_bool(self: Tensor, *, memory_format: Any = preserve_format) -> Tensor:
    """This tensor as bool: True for nonzero elements.

    Math: y = x, in that dtype      ∂L/∂x = g
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1.5]).bool()
        tensor([True])
    """
    return _to(self, dtypes.bool_, memory_format)


@method
def _tensor_chalf(self: Tensor, *, memory_format: Any = preserve_format) -> Tensor:
    """This tensor as complex32.

    Math: y = x, in that dtype      ∂L/∂x = g
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1.5]).chalf()
        tensor([1.5000+0.j], dtype=torch.complex32)
    """
    return _to(self, dtypes.complex32, memory_format)


@method
def _tensor_cfloat(self: Tensor, *, memory_format: Any = preserve_format) -> Tensor:
    """This tensor as complex64.

    Math: y = x, in that dtype      ∂L/∂x = g
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1.5]).cfloat()
        tensor([1.5000+0.j])
    """
    return _to(self, dtypes.complex64, memory_format)


@method
def _tensor_cdouble(self: Tensor, *, memory_format: Any = preserve_format) -> Tensor:
    """This tensor as complex128.

    Math: y = x, in that dtype      ∂L/∂x = g
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1.5]).cdouble()
        tensor([1.5000+0.j], dtype=torch.complex128)
    """
    return _to(self, dtypes.complex128, memory_format)
