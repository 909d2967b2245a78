"""Max unpooling: puts values back at the positions of maxima."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from ...autograd import modes as _m
from ...autograd.dispatch import Op, apply1
from ...autograd.save_for_backward import save_version
from ...backends import array_module
from ...kernels.memory_format import match_memory_format
from ...kernels.scatter import plane_index
from ...tensor.tensor import Tensor
from ..argument_checks import need_floats, need_one_device, need_tensors
from ..argument_errors import parser_errors
from ..argument_parser import parse, signatures_of
from ..int_arguments import ints_of
from ..shape.squeezing import squeeze, unsqueeze
from .adaptive import GatherPlanes
from .checks import Numbers, image_kernel

__all__ = ["max_unpool1d", "max_unpool2d", "max_unpool3d"]


class MaxUnpool(Op):
    """Puts each value at the indexed position of its plane, zeros elsewhere.

    Where indices repeat, the last value stays.

    Math: y[n, c, index[p]] = x[n, c, p]      ∂L/∂x = g[index]
    Shape: (N, C, *S') -> (N, C, *size)
    """

    attributes = ("index", "size")
    saves = ()

    def __init__(self, index: Any, size: Numbers) -> None:
        self.index, self.size = index, size

    def name(self) -> str:
        """PyTorch's name of the node."""
        return f"MaxUnpool{len(self.size)}DBackward0"

    def forward(self, x: Any) -> Any:
        self.shape = (*x.shape[: x.ndim - len(self.size)], *self.size)
        index = self.index[None] if x.ndim == len(self.size) + 1 else self.index
        self.planes = index
        shape = (*index.shape[:2], *self.size)
        y = array_module(x).zeros(self.shape, x.dtype)
        y.reshape(-1)[plane_index(index, shape)] = x.reshape(index.shape)
        return match_memory_format(y, x) if len(self.size) == 2 else y

    def backward(self, g: Any) -> Any:
        gx = apply1(GatherPlanes(self.planes, self.shape), g)
        return gx * self._kept() if _m.modes.forward else gx

    def _kept(self) -> Any:
        """1 for each value that stayed, 0 for those another one replaced.

        PyTorch's backward pass gives the gradient to all of them, its forward mode
        only the tangent of the last.
        """
        index = plane_index(self.planes, (*self.planes.shape[:2], *self.size))
        owner = array_module(index).zeros(self.shape, np.int64).reshape(-1)
        numbers = np.arange(index.size).reshape(index.shape)
        owner[index] = numbers
        return (owner[index] == numbers).reshape(self.index.shape)


def _unpool(
    x: Any,
    indices: Any,
    kernel: Any,
    stride: Any,
    padding: Any,
    output_size: Any,
    n: int,
) -> Tensor:
    need_tensors(f"max_unpool{max(2, n)}d", input=x)
    k = _numbers(kernel, n)
    t = k if stride is None else _numbers(stride, n)
    p = _numbers(padding, n)
    size = _size(x.shape, k, t, p, output_size)
    _check_types(n, [x, indices, (*size, 1) if n == 1 else size, t, p])
    need_tensors(f"max_unpool{max(2, n)}d", input=x, indices=indices)
    need_one_device(f"__max_unpool{max(2, n)}d", x, indices=indices)
    size = ints_of(size)
    line = (1,) * (n == 1)  # which PyTorch treats as an image of width 1
    given = Unpooled((*size, *line), (*x.shape, *line), (*indices.shape, *line))
    _check_given(max(2, n), given, indices.dtype, t, p)
    need_floats("max_unpool3d" if n == 3 else image_kernel("max_unpool2d", x, n), x)
    index = indices._data
    _check_index(index, size)
    if n > 1:
        y: Tensor = apply1(MaxUnpool(index, size), x)
        save_version(y, indices)
        return y
    image = apply1(MaxUnpool(index[..., None], (*size, 1)), unsqueeze(x, -1))
    save_version(image, indices)
    return squeeze(image, -1)


class Unpooled(NamedTuple):
    """The size of a result, and the shapes of its operands."""

    size: Numbers
    shape: Numbers
    indices: Numbers


def _check_given(
    n: int, given: Unpooled, dtype: Any, stride: Any, padding: Any
) -> None:
    """Check dtype and shapes, in PyTorch's order.

    Raises:
        RuntimeError: otherwise.
    """
    if dtype.short != "Long":
        got = f" but got: {dtype.short}" if n == 2 else ""
        raise RuntimeError(f"elements in indices should be type int64{got}")
    if n == 2:
        _check_number("output_size", given.size, n)
    if len(given.shape) not in (n + 1, n + 2):
        raise RuntimeError(
            f"Input to max_unpooling{n}d should be a {n + 1}d or {n + 2}d Tensor, but "
            f"got a tensor with {len(given.shape)} dimensions."
        )
    if n == 3:
        _check_number("output_size", given.size, n)
        _check_number("stride", stride, n)
        _check_number("padding", padding, n)
    if given.indices != given.shape:
        raise RuntimeError(
            "Expected shape of indices to be same as that of the input tensor "
            f"({[*given.shape]}) but got indices tensor with shape: {[*given.indices]}"
        )
    empty = [i for i, m in enumerate(given.shape) if i and not m]
    if empty:
        raise RuntimeError(
            f"max_unpooling{n}d_forward_out_cpu(): Expected input to have non-zero "
            f"size for non-batch dimensions, but got {[*given.shape]} with dimension "
            f"{empty[0]} being empty."
        )
    if n == 3 and min(stride) <= 0:
        raise RuntimeError(
            f"strides should be greater than zero, but got stride: {[*stride]}"
        )


NUMBERS = {
    2: "two elements (height, width)",
    3: "three elements (depth, height, width)",
}


def _check_number(name: str, values: Any, n: int) -> None:
    """Raise unless there is a size for each dimension."""
    if len(values) != n:
        colon = "" if name == "output_size" else ":"
        raise RuntimeError(
            f"There should be exactly {NUMBERS[n]} in {name}, but got{colon} "
            f"{len(values)} elements."
        )


def _check_index(index: Any, size: Numbers) -> None:
    cells = 1
    for s in size:
        cells *= s
    wrong = index[(index < 0) | (index >= cells)]
    if wrong.size:
        shown = "x".join(str(s) for s in ((*size, 1) if len(size) == 1 else size))
        raise RuntimeError(
            f"Found an invalid max index: {int(wrong[-1])} (output volumes are of size "
            f"{shown})"
        )


def _numbers(value: Any, n: int) -> Any:
    """A number repeated `n` times, or a sequence as a tuple of any length."""
    return tuple(value) if isinstance(value, Iterable) else (value,) * n


def _check_types(n: int, given: list[Any]) -> None:
    """Raise for sizes that are not integers, as the called function does."""
    if all(type(v) is int for values in given[2:] for v in values):
        return
    name = f"max_unpool{max(2, n)}d"
    words = parse(name, signatures_of(name), given if n == 3 else given[:3], {})
    if words:
        raise TypeError(words)


def _size(shape: Numbers, kernel: Any, stride: Any, padding: Any, given: Any) -> Any:
    """The size of the result: as given, or the smallest that pools to the input's."""
    n = len(kernel)
    least = [
        (shape[i - n] - 1) * stride[i] + kernel[i] - 2 * padding[i] for i in range(n)
    ]
    if given is None:
        return _not_negative(least)
    if len(given) == n + 2:
        given = given[2:]
    if len(given) != n:
        raise ValueError(
            f"output_size should be a sequence containing {n} or {n + 2} elements, but "
            f"it has a length of '{len(given)}'"
        )
    for i, (size, default, t) in enumerate(zip(given, least, stride, strict=False)):
        low, high = default - t, default + t
        if not low < size < high:
            raise ValueError(
                f'invalid output_size "{given}" (dim {i} must be between {low} and '
                f"{high})"
            )
    return _not_negative(given)


def _not_negative(size: Any) -> Any:
    for i, n in enumerate(size):
        if not n >= 0:
            raise ValueError(
                "max_unpooling: output_size must contain non-negative spatial "
                f"dimensions, but got output_size[{i}]={n}"
            )
    return size


@parser_errors
def max_unpool1d(
    input: Tensor,
    indices: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    output_size: Any = None,
) -> Tensor:
    """Put values back where `max_pool1d` found them, zeros elsewhere.

    Math: y[n, c, index[p]] = x[n, c, p]      ∂L/∂x = g[index]
    Shape: (N, C, L') -> (N, C, L); N may be absent
    Reference: Zeiler and Fergus (2014), "Visualizing and understanding convolutional
          networks".

    Args:
        input: the result of a max pooling.
        indices: the indices it returned.
        kernel_size: size of its window.
        stride: its stride; by default `kernel_size`.
        padding: its padding.
        output_size: size of its input, where the numbers leave several possible.

    Raises:
        RuntimeError: for indices of another shape or dtype, or outside the result.
        ValueError: for an impossible `output_size`.

    Example:
        >>> import edutorch as torch
        >>> x, i = torch.tensor([[5.]]), torch.tensor([[1]])
        >>> torch.nn.functional.max_unpool1d(x, i, 2)
        tensor([[0., 5.]])
    """
    return _unpool(input, indices, kernel_size, stride, padding, output_size, 1)


def max_unpool2d(
    input: Tensor,
    indices: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    output_size: Any = None,
) -> Tensor:
    """Put values back where `max_pool2d` found them, zeros elsewhere.

    Math: y[n, c, index[p]] = x[n, c, p]      ∂L/∂x = g[index]
    Shape: (N, C, H', W') -> (N, C, H, W); N may be absent
    Reference: Zeiler and Fergus (2014), "Visualizing and understanding convolutional
          networks".

    Args:
        input: the result of a max pooling.
        indices: the indices it returned.
        kernel_size: size of its window.
        stride: its stride; by default `kernel_size`.
        padding: its padding.
        output_size: size of its input, where the numbers leave several possible.

    Raises:
        RuntimeError: for indices of another shape or dtype, or outside the result.
        ValueError: for an impossible `output_size`.

    Example:
        >>> import edutorch as torch
        >>> x, i = torch.tensor([[[5.]]]), torch.tensor([[[2]]])
        >>> torch.nn.functional.max_unpool2d(x, i, 2)
        tensor([[[0., 0.],
                 [5., 0.]]])
    """
    if _m.special_modes and max_unpool2d in _m.modes.autocast:
        return _m.autocast(
            max_unpool2d, input, indices, kernel_size, stride, padding, output_size
        )
    return _unpool(input, indices, kernel_size, stride, padding, output_size, 2)


def max_unpool3d(
    input: Tensor,
    indices: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    output_size: Any = None,
) -> Tensor:
    """Put values back where `max_pool3d` found them, zeros elsewhere.

    Math: y[n, c, index[p]] = x[n, c, p]      ∂L/∂x = g[index]
    Shape: (N, C, D', H', W') -> (N, C, D, H, W); N may be absent
    Reference: Zeiler and Fergus (2014), "Visualizing and understanding convolutional
          networks".

    Args:
        input: the result of a max pooling.
        indices: the indices it returned.
        kernel_size: size of its window.
        stride: its stride; by default `kernel_size`.
        padding: its padding.
        output_size: size of its input, where the numbers leave several possible.

    Raises:
        RuntimeError: for indices of another shape or dtype, or outside the result.
        ValueError: for an impossible `output_size`.

    Example:
        >>> import edutorch as torch
        >>> x, i = torch.ones(1, 1, 1, 1), torch.tensor([[[[0]]]])
        >>> torch.nn.functional.max_unpool3d(x, i, 2)
        tensor([[[[1., 0.],
                  [0., 0.]],
        <BLANKLINE>
                 [[0., 0.],
                  [0., 0.]]]])
    """
    if _m.special_modes and max_unpool3d in _m.modes.autocast:
        return _m.autocast(
            max_unpool3d, input, indices, kernel_size, stride, padding, output_size
        )
    return _unpool(input, indices, kernel_size, stride, padding, output_size, 3)
