"""Tensors from Python numbers, sequences and NumPy arrays."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ... import dtypes, events
from ...backends import backend_of
from ...backends.device_costs import charge_copy
from ...backends.flags import warn_once
from ...devices import CPU, to_device
from ...kernels.casts import cast
from ...kernels.float8 import to_float8
from ...tensor.from_numpy import validated_array
from ...tensor.tensor import Tensor, strided
from ..argument_checks import number_of, numpy_dtype
from ..argument_parser import argument_types
from ..number_ranges import checked_number
from .factory import from_external_memory, leaf_tensor

__all__ = ["as_tensor", "asarray", "from_numpy", "scalar_tensor", "tensor"]

NUMBERS = (bool, int, float, complex)
PLAIN = (*NUMBERS, np.generic)


def tensor(
    data: Any,
    *,
    dtype: dtypes.dtype | None = None,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """A tensor with a copy of `data`: a number, nested sequences, an array.

    Shape: () of a number, (n, m) of n sequences of m numbers, that of an array

    Args:
        dtype: by default inferred from the data: Python ints give int64, floats the
            default floating type, arrays their own.

    Raises:
        ValueError: for sequences of unequal length.
        TypeError: for arguments that are not numbers.
        RuntimeError: for numbers that the dtype cannot hold.

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([[1, 2], [3, 4]])
        tensor([[1, 2],
                [3, 4]])
        >>> torch.tensor(2.5, requires_grad=True)
        tensor(2.5000, requires_grad=True)
    """
    if isinstance(data, Tensor):
        warnings.warn(
            "To copy construct from a tensor, it is recommended to use "
            "sourceTensor.detach().clone() or sourceTensor.detach().clone()"
            ".requires_grad_(True), rather than torch.tensor(sourceTensor).",
            UserWarning,
            stacklevel=2,
        )
        copy = data.detach().to(device, dtype, copy=True)
        return copy.requires_grad_(requires_grad)
    array = array_from(data, numpy_dtype(dtype, None, "tensor"))
    target = to_device(device)
    if target.type == "cuda":
        charge_copy(CPU, target, array)
        if events.wants("xfer"):
            events.transfer("cpu", target._text, int(array.nbytes))
        array = backend_of(target).upload(array, target)
    return leaf_tensor(array, target, requires_grad)


def array_from(data: Any, dtype: Any) -> Any:
    """A new NumPy array with the values of `data`, in the dtype that PyTorch infers."""
    if isinstance(data, (np.ndarray, np.generic)):
        array = validated_array(np.asarray(data))
        if dtype is not None:
            return _cast(array, dtype)
        return array.copy(order="K" if all(array.strides) else "C")
    plain = data if isinstance(data, NUMBERS) else _replace_tensors(data, 0, dtype)
    if dtype is None:
        dtype = _infer_dtype(plain)
    elif dtype == np.float16 or np.dtype(dtype) in dtypes.FLOAT8:
        return _cast(array_from(data, np.float32), dtype)
    try:
        return np.array(plain, dtype=dtype)
    except OverflowError:
        return _wrap_around(plain, dtype)
    except (ValueError, TypeError):
        if not isinstance(plain, NUMBERS):
            _check_lengths(plain, 0)
        if np.dtype(dtype).kind not in "cW" and _infer_dtype(plain).kind in "cW":
            raise TypeError("must be real number, not complex") from None
        if np.dtype(dtype).kind in "iu":
            name = dtypes.of_numpy[np.dtype(dtype)].name
            raise RuntimeError(
                f"value cannot be converted to type {name} without overflow"
            ) from None
        raise


def _cast(array: Any, dtype: Any) -> Any:
    if np.dtype(dtype) in dtypes.FLOAT8:
        return to_float8(array, np.dtype(dtype))
    with np.errstate(all="ignore"):
        return cast(array, dtype)


def _replace_tensors(data: Any, depth: int, dtype: Any) -> Any:
    """Replace tensors in nested sequences by arrays; refuse other objects."""
    if isinstance(data, Tensor):
        if data.numel() != 1:
            raise ValueError(
                "only one element tensors can be converted to Python scalars"
            )
        return data._host_array().reshape(())[()]
    if isinstance(data, str):
        if depth == 0:
            raise TypeError("new(): invalid data type 'str'")
        raise ValueError("too many dimensions 'str'")
    if isinstance(data, bytes):
        raise TypeError("new(): invalid data type 'bytes'")
    if isinstance(data, (list, tuple)):
        first = data[0] if data else 0
        # There is nothing to replace in a list of numbers.
        if type(first) in NUMBERS and all(isinstance(v, PLAIN) for v in data):
            return data
        return [
            v if type(v) in NUMBERS else _replace_tensors(v, depth + 1, dtype)
            for v in data
        ]
    if isinstance(data, (np.ndarray, np.generic, *NUMBERS)):
        return data
    if hasattr(data, "__array__"):
        return np.asarray(data)
    if hasattr(data, "__index__"):
        return data.__index__()
    if isinstance(data, Sequence) or (
        hasattr(data, "__getitem__")
        and hasattr(data, "__len__")
        and not isinstance(data, Mapping)
    ):
        return [_replace_tensors(v, depth + 1, dtype) for v in data]
    return _number_of_object(data, dtype)


def _number_of_object(data: Any, dtype: Any) -> float:
    """A number of another library, such as `decimal`, for a floating dtype."""
    floating = dtype is not None and np.dtype(dtype).kind in "fcVW"
    if floating and hasattr(type(data), "__float__"):
        return float(data)
    raise _no_number(data, dtype)


def _no_number(data: Any, dtype: Any) -> Exception:
    """The error for an object that is not a number of the dtype that is asked for."""
    kind = argument_types([data], {})
    if dtype is None:
        return RuntimeError(f"Could not infer dtype of {kind}")
    if np.dtype(dtype).kind in "iub":
        return TypeError(f"'{kind}' object cannot be interpreted as an integer")
    return TypeError(f"must be real number, not {kind}")


def _infer_dtype(plain: Any) -> Any:
    """The NumPy dtype to which the numbers in nested sequences promote."""
    kinds = _element_types(plain)
    found: dtypes.dtype | None = None
    for kind in kinds:
        own = _KIND.get(kind) or dtypes.of_array(np.empty(0, kind))
        if kind is float:
            own = dtypes.get_default_dtype()
        elif kind is complex:
            own = dtypes.default_complex()
        found = own if found is None else dtypes.promote_types(found, own)
    return (found or dtypes.get_default_dtype()).numpy


_KIND = {bool: dtypes.bool_, int: dtypes.int64}


def _element_types(plain: Any) -> set[Any]:
    """The types of the numbers in nested sequences; for NumPy, the dtypes."""
    if isinstance(plain, (list, tuple)):
        found = set(map(type, plain))
        if found <= set(NUMBERS):
            return found
        return set().union(*map(_element_types, plain))
    if isinstance(plain, (np.ndarray, np.generic)):
        return {plain.dtype.newbyteorder("=")}
    return {next((n for n in NUMBERS if isinstance(plain, n)), float)}


def _check_lengths(plain: Any, depth: int) -> None:
    """Raise if nested sequences differ in length, naming the first such one.

    Raises:
        ValueError: with the two lengths.
        TypeError: if a number stands beside a sequence.
    """
    if not isinstance(plain, (list, tuple)) or not plain:
        return
    expected = _length(plain[0])
    for item in plain[1:]:
        got = _length(item)
        if expected is None and got is not None:
            raise TypeError(
                f"'{type(item).__name__}' object cannot be interpreted as an integer"
            )
        if got is None and expected is not None:
            raise TypeError("not a sequence")
        if got != expected:
            raise ValueError(
                f"expected sequence of length {expected} at dim {depth + 1} (got {got})"
            )
    for item in plain:
        _check_lengths(item, depth + 1)


def _length(item: Any) -> int | None:
    return len(item) if hasattr(item, "__len__") and np.ndim(item) else None


def _wrap_around(plain: Any, dtype: Any) -> Any:
    """Wrap negative numbers around in unsigned dtypes; refuse others out of range."""
    exact = np.array(plain, dtype=object)
    info = np.iinfo(dtype) if np.dtype(dtype).kind in "iu" else None
    if info is None or info.bits == 64:
        raise ValueError("Overflow when unpacking long long")
    lowest = -int(info.max) if info.min == 0 else int(info.min)
    if any(not lowest <= v <= info.max for v in exact.reshape(-1)):
        name = dtypes.of_numpy[np.dtype(dtype)].name
        raise RuntimeError(f"value cannot be converted to type {name} without overflow")
    return exact.astype(np.int64).astype(dtype)


def from_numpy(ndarray: Any) -> Tensor:
    """A tensor that shares the memory of a NumPy array.

    Shape: that of the array

    Raises:
        TypeError: for anything other than an array of a dtype that tensors have.
        ValueError: for arrays with negative strides.

    Example:
        >>> import numpy as np
        >>> import edutorch as torch
        >>> a = np.zeros(2)
        >>> t = torch.from_numpy(a)
        >>> a[0] = 7
        >>> t
        tensor([7., 0.], dtype=torch.float64)
    """
    if not isinstance(ndarray, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {qualified(ndarray)})")
    tensor = from_external_memory(validated_array(ndarray))
    if not ndarray.flags.writeable:
        _warn_read_only()
    return tensor


def qualified(value: Any) -> str:
    """The name of a value's type, qualified unless it is built in."""
    kind = type(value)
    if kind.__module__ == "builtins":
        return kind.__name__
    return f"{kind.__module__}.{kind.__name__}"


def _warn_read_only() -> None:
    warn_once(
        "The given NumPy array is not writable, and PyTorch does not support "
        "non-writable tensors. This means writing to this tensor will result in "
        "undefined behavior. You may want to copy the array to protect its data or "
        "make it writable before converting it to a tensor. This type of warning will "
        "be suppressed for the rest of this program."
    )


def as_tensor(
    data: Any, *, dtype: dtypes.dtype | None = None, device: Any = None
) -> Tensor:
    """A tensor of `data` that shares memory if possible.

    Shape: as `tensor`

    Example:
        >>> import numpy as np
        >>> import edutorch as torch
        >>> torch.as_tensor(np.array([1, 2]))
        tensor([1, 2])
    """
    if isinstance(data, Tensor):
        target = data._device if device is None else device
        return data.to(target, dtype)
    if isinstance(data, np.ndarray):
        return from_numpy(data).to(to_device(device), dtype)
    return tensor(data, dtype=dtype, device=device)


def asarray(
    obj: Any,
    *,
    dtype: dtypes.dtype | None = None,
    device: Any = None,
    copy: bool | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """A tensor from `obj` that shares its memory if possible, depending on `copy`.

    Shape: as `tensor`

    Args:
        copy: True always copies, False never does (and fails where it would have to).

    Raises:
        ValueError: if `copy=False` and a copy is needed.

    Example:
        >>> import edutorch as torch
        >>> x = torch.ones(2)
        >>> torch.asarray(x) is x
        True
    """
    shares = isinstance(obj, (Tensor, np.ndarray))
    result = as_tensor(obj, dtype=dtype, device=device)
    same = shares and result.data_ptr() == (
        obj.data_ptr() if isinstance(obj, Tensor) else obj.ctypes.data
    )
    if copy is False and not same:
        raise ValueError("can't alias arbitrary sequence into a tensor.")
    if copy and same:
        result = result.clone()
    return result.requires_grad_(True) if requires_grad else result


def scalar_tensor(
    s: Any,
    *,
    dtype: dtypes.dtype | None = None,
    layout: Any = strided,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """A 0-d tensor with one number, by default of floating type.

    Shape: ()

    Example:
        >>> import edutorch as torch
        >>> torch.scalar_tensor(3)
        tensor(3.)
    """
    numpy_dtype(dtype, None, "scalar_tensor")
    dtype = dtype or dtypes.get_default_dtype()
    value = checked_number(number_of(s, "s", "scalar_tensor"), dtype)
    return tensor(value, dtype=dtype, device=device, requires_grad=requires_grad)
