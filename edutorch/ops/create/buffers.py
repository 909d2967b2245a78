"""Tensors over external memory: buffers, files, other libraries."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ... import dtypes
from ...backends.flags import warn_once
from ...devices import to_device
from ...tensor.from_numpy import validated_array
from ...tensor.tensor import Tensor, strided
from ..argument_checks import tensor_of
from ..registration import public
from .factory import from_external_memory, leaf_tensor, numpy_dtype

__all__ = ["from_dlpack", "from_file", "frombuffer", "to_dlpack"]


class Capsule:
    """A DLPack capsule in the form of an object that NumPy accepts."""

    def __init__(self, capsule: Any) -> None:
        self.capsule = capsule

    def __dlpack__(self, **_: Any) -> Any:
        return self.capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0  # the computer's memory


@public("__dlpack__")
def _tensor_dlpack(self: Tensor, **options: Any) -> Any:
    """This tensor's memory as a DLPack capsule.

    Raises:
        BufferError: for a tensor that requires grad.
    """
    if self._requires_grad:
        raise BufferError(
            "Can't export tensors that require gradient, use tensor.detach()"
        )
    return self._data.__dlpack__(**options)


@public("__dlpack_device__")
def _tensor_dlpack_device(self: Tensor) -> Any:
    """The DLPack device: (1, 0) is the CPU."""
    return self._data.__dlpack_device__()


@public("__array_wrap__")
def _tensor_array_wrap(
    self: Tensor, array: Any, context: Any = None, return_scalar: bool = False
) -> Tensor:
    """Wrap the result of a NumPy function as a tensor."""
    return leaf_tensor(np.asarray(array))


def to_dlpack(tensor: Tensor) -> Any:
    """A DLPack capsule with the memory of a tensor.

    Example:
        >>> import edutorch as torch
        >>> torch.from_dlpack(torch.to_dlpack(torch.tensor([1, 2])))
        tensor([1, 2])
    """
    return tensor_of(tensor, "to_dlpack", "tensor")._data.__dlpack__()


def from_dlpack(
    ext_tensor: Any, *, device: Any = None, copy: bool | None = None
) -> Tensor:
    """A tensor that shares the memory of another library's array.

    Args:
        ext_tensor: an object with `__dlpack__`, or a capsule.
        copy: True to copy the memory.

    Raises:
        RuntimeError: for something else.
        BufferError: for a tensor that requires grad, and a foreign byte order.

    Example:
        >>> import numpy as np
        >>> import edutorch as torch
        >>> torch.from_dlpack(np.arange(3))
        tensor([0, 1, 2])
    """
    if isinstance(ext_tensor, np.ndarray):
        if not ext_tensor.dtype.isnative:
            raise BufferError("DLPack only supports native byte order.")
        array = ext_tensor
    elif isinstance(ext_tensor, Tensor):
        if ext_tensor._requires_grad:
            raise BufferError(
                "Can't export tensors that require gradient, use tensor.detach()"
            )
        array = ext_tensor._data
    elif hasattr(ext_tensor, "__dlpack__"):
        array = np.from_dlpack(ext_tensor)
    elif type(ext_tensor).__name__ == "PyCapsule":
        array = np.from_dlpack(Capsule(ext_tensor))
    else:
        raise RuntimeError(
            "from_dlpack received an invalid capsule. Note that DLTensor capsules can "
            "be consumed only once, so you might have already constructed a tensor "
            "from it once."
        )
    array = validated_array(array)
    tensor = leaf_tensor(array.copy()) if copy else from_external_memory(array)
    return tensor if device is None else tensor.to(to_device(device))


def frombuffer(
    buffer: Any, *, dtype: dtypes.dtype, count: int = -1, offset: int = 0,
    requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """A vector that shares memory with an object with Python's buffer protocol.

    Shape: () -> (count)

    Args:
        count: the number of elements; negative for all.
        offset: the bytes to skip.

    Raises:
        ValueError: if the buffer has too few bytes, or a part of an element.
        RuntimeError: for memory with gaps.

    Example:
        >>> import edutorch as torch
        >>> torch.frombuffer(bytearray([1, 0, 2, 0]), dtype=torch.int16)
        tensor([1, 2], dtype=torch.int16)
    """
    try:
        view = memoryview(buffer)
    except TypeError:
        raise ValueError("object does not implement Python buffer protocol.") from None
    if not view.c_contiguous:
        raise RuntimeError("could not retrieve buffer from object")
    kind, n = numpy_dtype(dtype), view.nbytes
    if n == 0 or count == 0:
        raise ValueError(f"both buffer length ({n}) and count ({count}) must not be 0")
    if not 0 <= offset < n:
        raise ValueError(
            f"offset ({offset} bytes) must be non-negative and no greater than buffer "
            f"length ({n} bytes) minus 1"
        )
    if count < 0 and (n - offset) % kind.itemsize:
        raise ValueError(
            f"buffer length ({n} bytes) after offset ({offset} bytes) must be a "
            f"multiple of element size ({kind.itemsize})"
        )
    if count > 0 and offset + count * kind.itemsize > n:
        raise ValueError(
            f"requested buffer length ({count} * {kind.itemsize} bytes) after offset "
            f"({offset} bytes) must not be greater than actual buffer length ({n} "
            "bytes)"
        )
    if view.readonly:
        _warn_read_only()
    array = np.frombuffer(buffer, kind, count, offset)
    return from_external_memory(array).requires_grad_(requires_grad)


def _warn_read_only() -> None:
    warn_once(
        "The given buffer is not writable, and PyTorch does not support non-writable "
        "tensors. Writing to the tensor raises; copy the buffer to make it writable."
    )


def from_file(
    filename: str, shared: bool | None = None, size: int = 0, *,
    dtype: dtypes.dtype | None = None, layout: Any = strided, device: Any = None,
    pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    """A vector in the memory of a mapped file.

    Shape: () -> (size)

    Args:
        shared: whether changes go to the file, which is created if it does not exist;
            otherwise they stay in this process.

    Raises:
        RuntimeError: if the file is not there, or too short.

    Example:
        >>> import tempfile
        >>> import edutorch as torch
        >>> with tempfile.NamedTemporaryFile() as file:
        ...     _ = torch.from_file(file.name, True, 2).fill_(3)
        ...     torch.from_file(file.name, False, 2)
        tensor([3., 3.])
    """
    kind = numpy_dtype(dtype)
    if shared:
        with Path(filename).open("ab") as file:
            if file.tell() < size * kind.itemsize:
                file.truncate(size * kind.itemsize)
    try:
        array = np.memmap(filename, kind, "r+" if shared else "c", shape=(size,))
    except (OSError, ValueError) as error:
        raise RuntimeError(
            f"unable to open file <{filename}> in read-write mode: {error}"
        ) from None
    return from_external_memory(array.view(np.ndarray))
