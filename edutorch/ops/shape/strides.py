"""Views with other strides: `unfold` and `as_strided`."""

from __future__ import annotations

from typing import Any

from ...autograd.dispatch import Op, apply1
from ...autograd.view_history import AsStrided
from ...autograd.views import refresh_view
from ...backends import array_module
from ...tensor.storage import strided_view
from ...tensor.tensor import Tensor
from ..argument_checks import type_error
from ..dims import dim_of, sizes_of
from ..int_arguments import int_of
from ..registration import public
from .slices import index_at_dim

__all__ = ["as_strided"]


class Unfold(Op):
    """Windows along a dimension, as a new last dimension of a view.

    Math: y[.., i, .., k] = x[.., i · step + k, ..]      ∂L/∂x = Σ g over the windows
    """

    attributes = ("dim", "size", "step")
    is_view = True
    saves = ()
    complex32_kernel = "im2col_out_cpu"

    def __init__(self, dim: int, size: int, step: int) -> None:
        self.dim, self.size, self.step = dim, size, step

    def forward(self, x: Any) -> Any:
        self.old_shape = x.shape
        if not x.ndim:
            return x.reshape(1)[: self.size]
        shape, strides = list(x.shape), list(x.strides)
        shape[self.dim] = (shape[self.dim] - self.size) // self.step + 1
        strides[self.dim] *= self.step
        return strided_view(
            x, (*shape, self.size), (*strides, x.strides[self.dim])
        )  # (.., windows, .., size)

    def backward(self, g: Any) -> Any:
        return apply1(UnfoldBackward(self.dim, self.size, self.step, self.old_shape), g)


class UnfoldBackward(Op):
    """Sums overlapping windows: the gradient of `Unfold`.

    Math: y[i] = Σ x[w] over the windows w that i is in
          ∂L/∂x = the windows of g
    """

    attributes = ("dim", "size", "step", "shape")
    saves = ()

    def __init__(self, dim: int, size: int, step: int, shape: tuple[int, ...]) -> None:
        self.dim, self.size, self.step, self.shape = dim, size, step, shape

    def forward(self, x: Any) -> Any:
        y = array_module(x).zeros(self.shape or 1, x.dtype)
        count = x.shape[self.dim] if self.shape else 1
        for k in range(self.size):
            cells = slice(k, k + self.step * (count - 1) + 1, self.step)
            y[index_at_dim(self.dim, cells)] += x[..., k]
        return y.reshape(self.shape)

    def backward(self, g: Any) -> Any:
        return apply1(Unfold(self.dim, self.size, self.step), g)


@public("unfold")
def _tensor_unfold(self: Tensor, dimension: int, size: int, step: int) -> Tensor:
    """A view of all windows of a size along a dimension, in a new last dimension.

    Math: y[.., i, .., k] = x[.., i · step + k, ..]      ∂L/∂x = Σ g over the windows
    Shape: (.., n, ..) -> (.., (n - size) / step + 1, .., size)

    Raises:
        RuntimeError: for windows larger than the dimension, or a step below 1.

    Example:
        >>> import edutorch as torch
        >>> torch.arange(5).unfold(0, 3, 1)
        tensor([[0, 1, 2],
                [1, 2, 3],
                [2, 3, 4]])
    """
    size, step = int_of(size, "size", "unfold"), int_of(step, "step", "unfold")
    shape = self._data.shape
    dim = dim_of(dimension, len(shape), "unfold")
    n = shape[dim] if shape else 1
    if size < 0:
        raise RuntimeError(f"size is {size} but must be >= 0")
    if size > n:
        refresh_view(self)
        raise RuntimeError(
            f"maximum size for tensor at dimension {dim} is {n} but size is {size}"
        )
    if step <= 0:
        raise RuntimeError(f"step is {step} but must be > 0")
    return apply1(Unfold(dim, size, step), self)


@public("as_strided")
def as_strided(
    input: Tensor, size: Any, stride: Any, storage_offset: int | None = None
) -> Tensor:
    """A view of a storage with given shape, strides and offset (in elements).

    Math: y[i] = storage[offset + i · stride]
          ∂L/∂storage = Σ g over what reaches it
    Shape: (*) -> `size`

    Raises:
        RuntimeError: if elements would lie outside the storage.

    Example:
        >>> import edutorch as torch
        >>> torch.as_strided(torch.arange(4), (3, 2), (1, 1))
        tensor([[0, 1],
                [1, 2],
                [2, 3]])
    """
    shape, steps = strided_geometry(size, stride, storage_offset)
    if isinstance(storage_offset, Tensor):
        storage_offset = int(storage_offset)  # its dtype may be too small for sums
    return apply1(AsStrided(shape, steps, storage_offset), input)


def strided_geometry(size: Any, stride: Any, offset: int | None) -> tuple[Any, Any]:
    """Shape and strides as tuples, checked against the possible size of a storage.

    Raises:
        RuntimeError: if they differ in length, or something is negative.
    """
    for name, sizes in (("size", size), ("stride", stride)):
        if not isinstance(sizes, (tuple, list)):
            raise type_error("tuple of ints", name, sizes, "as_strided")
    shape, steps = sizes_of((size,)), sizes_of((stride,))
    if len(shape) != len(steps):
        raise RuntimeError("mismatch in length of strides and shape")
    if any(s < 0 for s in steps):
        raise RuntimeError(
            "as_strided: Negative strides are not supported at the moment, got "
            f"strides: {list(steps)}"
        )
    if any(n < 0 for n in shape):
        raise RuntimeError(
            f"Storage size calculation overflowed with sizes={list(shape)} and "
            f"strides={list(steps)}"
        )
    if offset is not None and int_of(offset, "storage_offset", "as_strided") < 0:
        raise RuntimeError(f"Tensor: invalid storage offset {offset}")
    return shape, steps
