"""Rolls, flips and rotates tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.dispatch import Op, apply1
from ...kernels.memory_format import copy_preserving_strides
from ...tensor.tensor import Tensor
from ..argument_checks import need_tensors, type_error
from ..dims import dim_of, dims_of, ndim_of, sizes_of
from ..int_arguments import int_of
from ..registration import composite, public

__all__ = ["flip", "fliplr", "flipud", "roll", "rot90"]


class Roll(Op):
    """Shifts entries along dimensions, wrapping around.

    Math: y[i] = x[i - shift mod n]      ∂L/∂x[i] = g[i + shift mod n]
    """

    takes_float8 = True
    forward_in_single = False
    backward_in_single = False
    attributes = ("shifts", "dims")
    saves = ()

    def __init__(self, shifts: tuple[int, ...], dims: tuple[int, ...] | None) -> None:
        self.shifts, self.dims = shifts, dims

    def forward(self, x: Any) -> Any:
        if not x.size:
            return copy_preserving_strides(x)
        if self.dims is None:
            return np.roll(x, self.shifts[0])
        y = np.roll(x, self.shifts, self.dims) if x.ndim else x.copy()
        return y if y.flags.c_contiguous else y.copy()

    def backward(self, g: Any) -> Any:
        return apply1(Roll(tuple(-s for s in self.shifts), self.dims), g)


@public("roll")
def roll(input: Tensor, shifts: Any, dims: Any = None) -> Tensor:
    """Shift entries along dimensions, wrapping around.

    Math: y[i] = x[i - shift mod n]      ∂L/∂x[i] = g[i + shift mod n]
    Shape: (*) -> (*)

    Args:
        shifts: by how many places; one number for each dimension.
        dims: without them the tensor is rolled as if it were flat.

    Raises:
        RuntimeError: if there are not as many shifts as dimensions.
        IndexError: if there is no such dimension.

    Example:
        >>> import edutorch as torch
        >>> torch.roll(torch.arange(4), 1)
        tensor([3, 0, 1, 2])
    """
    need_tensors("roll", input=input)
    steps = sizes_of((shifts,), "roll")
    dims = () if dims is None else sizes_of((dims,), "roll")
    if not steps:
        raise RuntimeError("`shifts` required")
    if not dims and len(steps) == 1:
        return apply1(Roll(steps, None), input)
    if len(dims) != len(steps):
        raise RuntimeError(
            f"shifts and dimensions must align. shifts: {len(steps)}, dims:{len(dims)}"
        )
    if not input.ndim:
        raise IndexError(
            f"Dimension specified as {dims[0]} but tensor has no dimensions"
        )
    if not input.numel():  # PyTorch does not look at the dimensions
        return apply1(Roll(steps, dims), input)
    axes = tuple(dim_of(d, ndim_of(input, "roll"), "roll") for d in dims)
    return apply1(Roll(steps, axes), input)


class Flip(Op):
    """Reverses the order of entries along dimensions.

    Math: y[i] = x[n - 1 - i]      ∂L/∂x = g flipped
    """

    forward_in_single = False
    backward_in_single = False
    attributes = ("dims",)
    saves = ()

    def __init__(self, dims: tuple[int, ...]) -> None:
        self.dims = dims

    def forward(self, x: Any) -> Any:
        return copy_preserving_strides(np.flip(x, self.dims)) if x.ndim else x.copy()

    def backward(self, g: Any) -> Any:
        return apply1(Flip(self.dims), g)


def flip(input: Tensor, dims: Any) -> Tensor:
    """Reverse the order of entries along dimensions; returns a copy.

    Math: y[i] = x[n - 1 - i]      ∂L/∂x = g flipped
    Shape: (*) -> (*)

    Raises:
        IndexError: if a dimension does not exist.
        RuntimeError: if one is named twice.
        TypeError: for a single number: the method takes one, the function does not.

    Example:
        >>> import edutorch as torch
        >>> torch.flip(torch.tensor([[1, 2], [3, 4]]), (0,))
        tensor([[3, 4],
                [1, 2]])
    """
    if hasattr(dims, "__index__"):
        raise type_error("tuple of ints", "dims", dims, "flip")
    return apply1(
        Flip(dims_of(sizes_of((dims,), "flip"), ndim_of(input, "flip"), "flip") or ()),
        input,
    )


@public("flip")
def _tensor_flip(self: Tensor, *each: Any, dims: Any = None) -> Tensor:
    """Reverse the order of entries along dimensions; see `torch.flip`.

    Math: y[.., i, ..] = x[.., n - 1 - i, ..]      ∂L/∂x = g, flipped
    Shape: (*) -> (*)

    Raises:
        TypeError: without dimensions.

    Example:
        >>> import edutorch as torch
        >>> torch.arange(3).flip(0)
        tensor([2, 1, 0])
    """
    if not each and dims is None:
        raise TypeError('flip() missing 1 required positional arguments: "dims"')
    return flip(self, sizes_of(each if dims is None else (dims,), "flip"))


@public("__reversed__")
def _tensor_reversed(self: Tensor) -> Tensor:
    return flip(self, (0,)) if self.ndim else self


@public("fliplr")
@composite
def fliplr(input: Tensor) -> Tensor:
    """Reverse the order of columns; returns a copy.

    Math: y[i, j] = x[i, m - 1 - j]      ∂L/∂x = g, flipped
    Shape: (n, m, *) -> (n, m, *)

    Raises:
        RuntimeError: for fewer than two dimensions.

    Example:
        >>> import edutorch as torch
        >>> torch.fliplr(torch.tensor([[1, 2]]))
        tensor([[2, 1]])
    """
    if ndim_of(input, "fliplr") < 2:
        raise RuntimeError("Input must be >= 2-d.")
    return flip(input, (1,))


@public("flipud")
@composite
def flipud(input: Tensor) -> Tensor:
    """Reverse the order of rows; returns a copy.

    Math: y[i, ..] = x[n - 1 - i, ..]      ∂L/∂x = g, flipped
    Shape: (n, *) -> (n, *)

    Raises:
        RuntimeError: for a tensor without dimensions.

    Example:
        >>> import edutorch as torch
        >>> torch.flipud(torch.tensor([[1], [2]]))
        tensor([[2],
                [1]])
    """
    if ndim_of(input, "flipud") < 1:
        raise RuntimeError("Input must be >= 1-d.")
    return flip(input, (0,))


class Rot90(Op):
    """Rotates by multiples of 90 degrees in the plane of two dimensions.

    Math: y = x rotated k times      ∂L/∂x = g rotated -k times
    """

    forward_in_single = False
    backward_in_single = False
    attributes = ("k", "dims")
    saves = ()
    complex32_kernel = "flip_cpu"

    def __init__(self, k: int, dims: tuple[int, ...]) -> None:
        self.k, self.dims = k, dims

    def forward(self, x: Any) -> Any:
        first, second = self.dims
        turns = self.k % 4
        if turns == 0:
            return x.copy(order="C")
        if turns == 2:
            return copy_preserving_strides(np.flip(x, self.dims))
        flipped = copy_preserving_strides(np.flip(x, second if turns == 1 else first))
        return flipped.swapaxes(first, second)

    def backward(self, g: Any) -> Any:
        return apply1(Rot90(-self.k, self.dims), g)


@public("rot90")
def rot90(input: Tensor, k: int = 1, dims: Any = (0, 1)) -> Tensor:
    """Rotate by multiples of 90 degrees in the plane of two dimensions.

    Math: y = x rotated k times      ∂L/∂x = g rotated -k times
    Shape: (n, m) -> (m, n) for odd k

    Raises:
        RuntimeError: for anything but two different dimensions.

    Example:
        >>> import edutorch as torch
        >>> torch.rot90(torch.tensor([[1, 2], [3, 4]]))
        tensor([[2, 4],
                [1, 3]])
    """
    if hasattr(dims, "__index__"):
        raise type_error("tuple of ints", "dims", dims, "rot90")
    k, given = int_of(k, "k", "rot90"), sizes_of((dims,), "rot90")
    if len(given) != 2:
        raise RuntimeError(
            f"expected total rotation dims == 2, but got dims = {len(given)}"
        )
    n = ndim_of(input, "rot90")
    if n < 2:
        raise RuntimeError(f"expected total dims >= 2, but got total dims = {n}")
    axes = tuple(dim_of(d, n, "rot90") for d in given)
    if axes[0] == axes[1]:
        raise RuntimeError(
            f"expected rotation dims to be different, but got dim0 = {given[0]} and "
            f"dim1 = {given[1]}"
        )
    return apply1(Rot90(k, axes), input)
