"""Fresh memory with strides of one's own."""

from __future__ import annotations

from typing import Any

from ... import dtypes
from ...tensor import tensor as tensors
from ...tensor.tensor import Tensor
from ..attach import public
from ..dims import sizes_of
from .making import made, numpy_dtype, space

__all__ = ["empty_strided"]


def empty_strided(
    size: Any, stride: Any, *, dtype: dtypes.dtype | None = None,
    layout: Any = tensors.strided, device: Any = None, requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    """A tensor with given strides (in elements), its values unset.

    Raises:
        RuntimeError: if there are not as many strides as sizes.

    Example:
        >>> import edutorch as torch
        >>> torch.empty_strided((2, 3), (1, 2)).stride()
        (1, 2)
    """
    shape, steps = sizes_of((size,)), sizes_of((stride,))
    if len(shape) != len(steps):
        raise RuntimeError(
            f"dimensionality of sizes ({len(shape)}) must match dimensionality of "
            f"strides ({len(steps)})"
        )
    xp, where = space(device)
    kind = numpy_dtype(dtype)
    reach = 1 + sum((n - 1) * s for n, s in zip(shape, steps, strict=True))
    memory = xp.empty(reach if all(shape) else 0, kind)
    strides = tuple(s * kind.itemsize for s in steps)
    array = xp.lib.stride_tricks.as_strided(memory, shape, strides)
    return made(array, where, requires_grad)


@public("new_empty_strided")
def _tensor_new_empty_strided(
    self: Tensor, size: Any, stride: Any, dtype: dtypes.dtype | None = None,
    layout: Any = tensors.strided, device: Any = None, requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    """A tensor with given strides and this tensor's dtype and device, its values unset.

    Example:
        >>> import edutorch as torch
        >>> torch.ones(1).new_empty_strided((2, 3), (1, 2)).stride()
        (1, 2)
    """
    dtype, device = dtype or self.dtype, device or self._device
    return empty_strided(
        size, stride, dtype=dtype, device=device, requires_grad=requires_grad
    )
