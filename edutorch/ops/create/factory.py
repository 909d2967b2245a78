"""Helpers of the functions that create tensors."""

from __future__ import annotations

import operator
from typing import Any

from ... import dtypes
from ...autograd import modes as _m
from ...backends import backend_of
from ...backends.device_costs import charge_kernel
from ...backends.sparse import compress, empty_coo
from ...devices import CPU, to_device
from ...devices import device as Device
from ...errors import python_type_name
from ...layouts import layout as Layout
from ...layouts import sparse_coo, strided
from ...tensor.storage import without_base
from ...tensor.tensor import Tensor, wrap
from ..argument_checks import numpy_dtype as named_dtype
from ..argument_checks import tensor_of
from ..argument_errors import argument_error
from ..dims import check_named_sizes, sizes_of

__all__: list[str] = []


def leaf_tensor(
    array: Any, device: Device = CPU, requires_grad: bool = False
) -> Tensor:
    """A leaf tensor from a new array.

    Raises:
        RuntimeError: if integers or booleans are to require grad.
        TypeError: for a `requires_grad` of another type than bool.
    """
    tensor = wrap(array, device)
    if requires_grad:
        if requires_grad is not True:
            raise argument_error() or TypeError(
                "argument 'requires_grad' must be bool, not "
                f"{python_type_name(requires_grad)}"
            )
        if dtypes.of_numpy[array.dtype].kind < dtypes.FLOATING:
            raise RuntimeError(
                "Only Tensors of floating point and complex dtype can require gradients"
            )
        tensor._requires_grad = True
    if _m.special_modes and _m.modes.inference:
        tensor._inference = True
    return tensor


def from_external_memory(array: Any) -> Tensor:
    """A tensor with external memory, which cannot be resized."""
    tensor = leaf_tensor(without_base(array))
    tensor._lent = True  # its storage is created on first access
    return tensor


def check_layout(layout: Any) -> None:
    """Refuse what is no layout.

    Raises:
        TypeError: in PyTorch's words.
    """
    if not isinstance(layout, Layout):
        raise argument_error() or TypeError(
            f"argument 'layout' must be torch.layout, not {python_type_name(layout)}"
        )


def refuse_layout(layout: Any, kernel: str) -> None:
    """Refuse sparse layouts, for which PyTorch has no kernel of this name.

    Raises:
        NotImplementedError: for them.
        TypeError: for what is no layout.
    """
    if layout is not None and layout is not strided:
        check_layout(layout)
        raise NotImplementedError(
            f"Could not run 'aten::{kernel}' with arguments from the "
            f"'{layout.words}CPU' backend."
        )


def sparse_zeros(
    name: str, shape: tuple[int, ...], dtype: Any, layout: Any, requires_grad: bool
) -> Tensor:
    """A sparse tensor without stored elements, for the public function `name`.

    Raises:
        RuntimeError: for a compressed vector.
        TypeError: for what is no layout.
    """
    check_layout(layout)
    if layout is not sparse_coo and len(shape) < 2:
        raise RuntimeError(
            f"torch.{name}: Only batched sparse compressed (non-block) tensors are "
            f"supported, but got size {list(shape)}"
        )
    zeros = empty_coo(shape, len(shape), numpy_dtype(dtype))
    result = zeros if layout is sparse_coo else compress(zeros, layout)
    return leaf_tensor(result, CPU, requires_grad)


def tensor_on_device(array: Any, device: Device, requires_grad: bool = False) -> Tensor:
    """A tensor with the values of a NumPy array, on any device."""
    if device is not CPU:
        array = backend_of(device).upload(array, device)
        charge_kernel("fill", device, int(array.nbytes))
    return leaf_tensor(array, device, requires_grad)


def numpy_dtype(dtype: Any) -> Any:
    """The NumPy dtype for a dtype argument; None is the default floating type."""
    if dtype is None:
        return dtypes.get_default_dtype().numpy
    return named_dtype(dtype)


def shape_of(name: str, sizes: tuple[Any, ...], size: Any) -> tuple[int, ...]:
    """The shape given as `f(2, 3)`, `f((2, 3))` or `f(size=(2, 3))`.

    Raises:
        RuntimeError: for negative sizes.
        TypeError: for sizes that are not integers.
    """
    if size is not None:
        check_named_sizes(size)
    given = sizes if size is None else (size,)
    if not given:
        raise argument_error() or TypeError(
            f'{name}() missing 1 required positional arguments: "size"'
        )
    if len(given) > 1 and isinstance(given[0], (tuple, list)):
        raise argument_error() or TypeError(
            f"{name}() takes 1 positional argument but {len(given)} were given"
        )
    try:
        shape = sizes_of(given)
    except (AttributeError, TypeError):
        raise _size_type_error(name, given) from None
    if type(given[0]) is bool:
        raise _size_type_error(name, given)
    for n in shape:
        if n < 0:
            if name == "zeros":
                raise RuntimeError("zeros: Dimension size must be non-negative.")
            raise RuntimeError(
                f"Trying to create tensor with negative dimension {n}: {list(shape)}"
            )
    return shape


def _size_type_error(name: str, given: tuple[Any, ...]) -> TypeError:
    """The error for sizes that are not integers."""
    error = argument_error()
    if isinstance(error, TypeError):
        return error
    nested = len(given) == 1 and isinstance(given[0], (tuple, list))
    sizes = given[0] if nested else given
    at = next((i for i, n in enumerate(sizes) if not _is_size(n)), 0)
    kind = python_type_name(sizes[at])
    if not nested and not at and len(sizes) > 1:
        return TypeError(
            f"{name}() takes 1 positional argument but {len(sizes)} were given"
        )
    if at:
        return TypeError(
            f"{name}(): argument 'size' failed to unpack the object at pos {at + 1} "
            f'with error "type must be tuple of ints,but got {kind}"'
        )
    found = f"but found element of type {kind} at pos 0" if nested else f"not {kind}"
    return TypeError(
        f"{name}(): argument 'size' (position 1) must be tuple of ints, {found}"
    )


def _is_size(value: Any) -> bool:
    """Whether a value can be used as an integer."""
    try:
        return operator.index(value) is not None
    except TypeError:
        return False


def same_dtype(dtype: Any, out: Tensor | None) -> Any:
    """The requested dtype, or that of `out=`; they must agree.

    Raises:
        RuntimeError: if they do not.
    """
    if out is None:
        return dtype
    tensor_of(out, argument="out")
    if dtype is not None and dtype is not out.dtype:
        raise RuntimeError(
            f"dtype {dtype.short} does not match dtype of out parameter "
            f"({out.dtype.short})"
        )
    return out.dtype


def module_and_device(device: Any) -> tuple[Any, Device]:
    """The array module for a device, and the device."""
    found = to_device(device)
    return backend_of(found).xp, found
