"""Uninitialised tensors with given strides."""

from __future__ import annotations

from typing import Any

from ... import dtypes
from ...process_memory import allocate
from ...tensor import tensor as tensors
from ...tensor.storage import strided_view
from ...tensor.tensor import Tensor
from ..dims import sizes_of
from ..registration import public
from .factory import leaf_tensor, module_and_device, numpy_dtype

__all__ = ["copy_with_strides", "empty_permuted", "empty_strided"]


def empty_strided(
    size: Any, stride: Any, *, dtype: dtypes.dtype | None = None,
    layout: Any = tensors.strided, device: Any = None, requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    """An uninitialised tensor with given strides (in elements).

    Shape: () -> size

    Raises:
        RuntimeError: if there are not as many strides as sizes.

    Example:
        >>> import edutorch as torch
        >>> torch.empty_strided((2, 3), (1, 2)).stride()
        (1, 2)
    """
    shape, steps = (
        sizes_of((size,), "empty_strided"),
        sizes_of((stride,), "empty_strided"),
    )
    if len(shape) != len(steps):
        raise RuntimeError(
            f"dimensionality of sizes ({len(shape)}) must match dimensionality of "
            f"strides ({len(steps)})"
        )
    xp, target = module_and_device(device)
    kind = numpy_dtype(dtype)
    reach = 1 + sum((n - 1) * s for n, s in zip(shape, steps, strict=True))
    memory = allocate(xp.empty, reach if all(shape) else 0, kind)
    strides = tuple(s * kind.itemsize for s in steps)
    array = allocate(lambda n, _: strided_view(memory, n, strides), shape, kind)
    return leaf_tensor(array, target, requires_grad)


def copy_with_strides(x: Tensor, strides: tuple[int, ...]) -> Tensor:
    """A copy of a tensor with other strides.

    Example:
        >>> import edutorch as torch
        >>> copy_with_strides(torch.ones(2, 3), (1, 2)).stride()
        (1, 2)
    """
    y = empty_strided(x.shape, strides, dtype=x.dtype, device=x._device)
    return y.copy_(x)


@public("new_empty_strided")
def _tensor_new_empty_strided(
    self: Tensor, size: Any, stride: Any, dtype: dtypes.dtype | None = None,
    layout: Any = tensors.strided, device: Any = None, requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    """An uninitialised tensor with given strides, and this tensor's dtype and device.

    Shape: () -> size

    Example:
        >>> import edutorch as torch
        >>> torch.ones(1).new_empty_strided((2, 3), (1, 2)).stride()
        (1, 2)
    """
    dtype = dtype or self.dtype
    device = self._device if device is None else device
    return empty_strided(
        size, stride, dtype=dtype, device=device, requires_grad=requires_grad
    )


def empty_permuted(
    size: Any, physical_layout: Any, *, dtype: dtypes.dtype | None = None,
    layout: Any = tensors.strided, device: Any = None, requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    """An uninitialised dense tensor with a given memory order of dimensions.

    Shape: () -> size

    Args:
        physical_layout: the dimensions from the outermost to the innermost; that of
            images with channels last is (0, 2, 3, 1).

    Raises:
        RuntimeError: if a dimension is missing or named twice.

    Example:
        >>> import edutorch as torch
        >>> torch.empty_permuted((2, 3, 4), (0, 2, 1)).stride()
        (12, 1, 3)
    """
    shape, order = (
        sizes_of((size,), "empty_permuted"),
        sizes_of((physical_layout,), "empty_permuted"),
    )
    if len(shape) != len(order):
        raise RuntimeError(
            f"Number of dimensions in size does not match the length of the "
            f"physical_layout; i.e. len(size) = {len(shape)} is not equal to "
            f"len(physical_layout) = {len(order)}"
        )
    for i, dim in enumerate(order):
        if not 0 <= dim < len(shape):
            raise RuntimeError(
                "Dimension out of range (expected to be between 0 and "
                f"{len(shape) - 1}, but got {dim} at index {i}).  NB: negative dims "
                "not currently supported; file an issue if you want it."
            )
    if len(set(order)) < len(order):
        raise RuntimeError("Duplicate dim not allowed")
    steps, step = [0] * len(shape), 1
    for dim in reversed(order):
        steps[dim], step = step, step * max(shape[dim], 1)
    return empty_strided(
        shape, steps, dtype=dtype, device=device, requires_grad=requires_grad
    )
