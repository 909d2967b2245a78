"""Conversions of a tensor's elements to NumPy arrays, lists and Python numbers."""

from __future__ import annotations

import sys
from types import FrameType
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import backends, devices, dtypes, events
from ..backends.device_costs import charge_copy
from ..kernels.casts import cast
from ..process_memory import allocate
from .complex_parts import COMPLEX32
from .from_numpy import validated_array
from .size import Size

__all__ = ["Conversions", "ambiguous", "legacy_constructor_array"]

FUNCTIONS = __name__.partition(".")[0] + ".ops."  # the modules of public functions
BETWEEN = (__name__, "numpy")  # and those that read a tensor for them
NUMPYS_OWN = dtypes.ORDINARY | {np.dtype(np.float16)}  # the rest is from `ml_dtypes`


class Conversions:
    """The methods of `Tensor` for conversion to Python and NumPy objects."""

    __slots__ = ()
    __array_priority__ = 1000  # NumPy's operators defer to ours
    if TYPE_CHECKING:
        _data: Any
        _device: devices.device
        _requires_grad: bool

    def numpy(self, *, force: bool = False) -> Any:
        """The elements as a NumPy array that shares this tensor's memory.

        Shape: (*) -> (*)

        Args:
            force: convert if sharing is impossible (detach, copy from the GPU).

        Raises:
            RuntimeError: for a tensor that requires grad.
            TypeError: for a tensor on a GPU, and of a dtype that NumPy has not.

        Example:
            >>> import edutorch as torch
            >>> torch.tensor([1, 2]).numpy()
            array([1, 2])
        """
        if self._requires_grad and not force:
            raise RuntimeError(
                "Can't call numpy() on Tensor that requires grad. Use "
                "tensor.detach().numpy() instead."
            )
        if self._device is not devices.CPU and not force:
            raise TypeError(
                f"can't convert {self._device} device type tensor to numpy. Use "
                "Tensor.cpu() to copy the tensor to host memory first."
            )
        array = self._host_array()
        if array.dtype not in NUMPYS_OWN:
            kind = dtypes.of_numpy[array.dtype].short
            raise TypeError(f"Got unsupported ScalarType {kind}")
        return array

    def _host_array(self) -> Any:
        """The elements as an array of any dtype; of sparse tensors it is refused."""
        if self._device is not devices.CPU:
            array = backends.backend_of(self._device).download(self._data)
            _announce_download(self)
            return array
        array = self._data
        return array if type(array) is np.ndarray else np.asanyarray(array)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        array = self.numpy()
        if dtype is None or array.dtype == dtype:
            return array.copy() if copy else array
        return array.astype(dtype)

    def tolist(self) -> Any:
        """The elements as nested lists of Python numbers.

        Shape: (n, m) -> n lists of m numbers; () -> a number

        Example:
            >>> import edutorch as torch
            >>> torch.tensor([[1], [2]]).tolist()
            [[1], [2]]
        """
        array = self._host_array()
        if array.dtype == COMPLEX32:
            array = array.astype(np.complex64)
        elif array.dtype not in dtypes.ORDINARY:
            array = array.astype(np.float32)
        return array.tolist()

    def item(self) -> Any:
        """The one element as a Python number.

        Shape: () or (1, ..) -> a number

        Raises:
            RuntimeError: if there are more or fewer elements.

        Example:
            >>> import edutorch as torch
            >>> torch.tensor([2.5]).item()
            2.5
        """
        array = self._data
        if array.size != 1:
            raise RuntimeError(
                f"a Tensor with {array.size} elements cannot be converted to Scalar"
            )
        started = events.clock() if events.hears_spans else 0
        value = array.item()
        if started:
            events.span("aten::item", "op", started)
        if self._device is not devices.CPU:
            _announce_download(self)
        if array.dtype in dtypes.ORDINARY:
            return value
        return complex(value) if array.dtype == COMPLEX32 else float(value)

    def __len__(self) -> int:
        if self._data.ndim == 0:
            raise TypeError("len() of a 0-d tensor")
        return len(self._data)

    def __bool__(self) -> bool:
        if self._data.size != 1:
            # PyTorch's compiled functions take no tensor, those in Python test it.
            raise (argument_error() if _read_by_function() else None) or ambiguous(self)
        value = bool(self._data.item())
        if self._device is not devices.CPU:
            _announce_download(self)
        return value

    def __float__(self) -> float:
        return float(self._number("double"))

    def __int__(self) -> int:
        return int(self._number("int64_t"))

    def __complex__(self) -> complex:
        self._check_single()
        return complex(self.item())

    def _number(self, kind: str) -> Any:
        """The one element, which must be real, for conversion to a number of `kind`."""
        self._check_single()
        value = self.item()
        if not isinstance(value, complex):
            return value
        if value.imag:
            raise RuntimeError(
                f"value cannot be converted to type {kind} without overflow"
            )
        return value.real

    def _check_single(self) -> None:
        if self._data.size != 1:
            refuse_argument()
            raise ValueError(
                "only one element tensors can be converted to Python scalars"
            )

    def __index__(self) -> int:
        kind = dtypes.of_numpy[self._data.dtype].kind
        if self._data.size != 1 or kind > dtypes.INTEGER:
            raise argument_error() or TypeError(
                "only integer tensors of a single element can be converted to an index"
            )
        value = int(self._data.item())
        if self._device is not devices.CPU:
            _announce_download(self)
        return value


# The error of PyTorch's argument parser for the program's call: () -> error or None.
argument_error: Any = None  # set by edutorch.ops.argument_errors


def _announce_download(tensor: Any) -> None:
    """Report that the host reads a tensor of a device."""
    if tensor._device.type == "cuda":
        charge_copy(tensor._device, devices.CPU, tensor._data)
    if events.wants("xfer"):
        events.transfer(tensor._device._text, "cpu", int(tensor._data.nbytes))


def ambiguous(tensor: Any) -> RuntimeError:
    """The error for the truth value of a tensor with zero or several elements."""
    values = "more than one value" if tensor._data.size else "no values"
    return RuntimeError(f"Boolean value of Tensor with {values} is ambiguous")


def refuse_argument() -> None:
    """The error for a tensor passed in place of a number.

    PyTorch's functions check the types of their arguments before they read them.

    Raises:
        TypeError: if the reader is one of the library's functions.
    """
    reader = _read_by_function()
    if reader:
        raise argument_error() or TypeError(
            f"{reader}() received an invalid combination of arguments: a "
            "Tensor of several elements is no number"
        )


def _read_by_function() -> str:
    """The library's function that reads a tensor as a number; "" for a program's."""
    frame: FrameType = sys._getframe()
    module = __name__
    while module.startswith(BETWEEN) and frame.f_back is not None:
        frame = frame.f_back
        module = frame.f_globals.get("__name__", "")
    return frame.f_code.co_name if module.startswith(FUNCTIONS) else ""


def legacy_constructor_array(args: tuple[Any, ...], dtype: Any) -> Any:
    """The array of the old constructors: zeros of a shape, or the values of a sequence.

    Raises:
        TypeError: for an argument that is neither, or values that are not numbers.
        RuntimeError: for numbers that the dtype cannot hold, and negative sizes.
    """
    first = args[0] if len(args) == 1 else 0
    if isinstance(first, Conversions):
        return first._data
    if isinstance(first, str):
        raise TypeError("new(): invalid data type 'str'")
    if isinstance(first, (int, np.integer, Size)):
        shape = tuple(first) if isinstance(first, Size) else args or (0,)
        if any(n < 0 for n in shape):
            raise RuntimeError(
                "Trying to create tensor with negative dimension "
                f"{min(shape)}: {list(shape)}"
            )
        return allocate(np.zeros, shape, dtype)
    if not hasattr(first, "__len__"):
        kind = type(first).__name__
        raise TypeError(f"new(): data must be a sequence (got {kind})")
    if isinstance(first, np.ndarray):
        return cast(validated_array(first), dtype)
    return _numbers(first, dtype)


def _numbers(values: Any, dtype: Any) -> Any:
    """Nested sequences of numbers as an array; None would be nan to NumPy."""
    if isinstance(values, (list, tuple)) and None in np.array(values, object):
        raise TypeError("must be real number, not NoneType")
    if isinstance(values, (list, tuple)):
        values = _without_dims(values)
    try:
        return np.array(values, dtype)
    except OverflowError:
        name = dtypes.of_numpy[np.dtype(dtype)].name
        raise RuntimeError(
            f"value cannot be converted to type {name} without overflow"
        ) from None


def _without_dims(value: Any) -> Any:
    """Nested sequences in which tensors of one element are numbers."""
    if isinstance(value, (list, tuple)):
        return [_without_dims(v) for v in value]
    single = isinstance(value, Conversions) and value._data.size == 1
    return value._data.reshape(())[()] if single else value
