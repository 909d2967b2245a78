"""Max unpooling: values put back at the positions of the maxima."""

from __future__ import annotations

from typing import Any

from ...autograd import modes as _m
from ...autograd.dispatch import Op, apply1
from ...autograd.save_for_backward import watch_version
from ...backends import array_module
from ...kernels.memory_format import match_memory_format
from ...kernels.scatter import plane_index
from ...tensor.tensor import Tensor
from ..argument_checks import need_floats, need_one_device, need_tensors
from ..argument_errors import parser_errors
from ..int_arguments import ints_of
from .adaptive import GatherPlanes
from .checks import Numbers, expand_ints

__all__ = ["max_unpool1d", "max_unpool2d", "max_unpool3d"]


class MaxUnpool(Op):
    """Each value at the position in its plane given by an index, zeros elsewhere.

    Where indices repeat, the last value stays.

    Math: y[n, c, index[p]] = x[n, c, p]      ∂L/∂x = g[index]
    Shape: (N, C, *S') -> (N, C, *size)
    """

    attributes = ("index", "size")
    saves = ()

    def __init__(self, index: Any, size: Numbers) -> None:
        self.index, self.size = index, size

    def name(self) -> str:
        """PyTorch's name of the node; it treats a line as an image."""
        if len(self.size) == 1:
            return "SqueezeBackward1"
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
        return apply1(GatherPlanes(self.planes, self.shape), g)


def _unpool(
    x: Any,
    indices: Any,
    kernel: Any,
    stride: Any,
    padding: Any,
    output_size: Any,
    n: int,
) -> Tensor:
    need_tensors(f"max_unpool{max(2, n)}d", input=x, indices=indices)
    text = "expected one number for each of # dimensions"
    need_one_device(f"__max_unpool{max(2, n)}d", x, indices=indices)
    k = expand_ints(kernel, n, text)
    t = k if stride is None else expand_ints(stride, n, text)
    p = expand_ints(padding, n, text)
    if n > 1 and x.ndim not in (n + 1, n + 2):
        raise RuntimeError(
            f"Input to max_unpooling{n}d should be a {n + 1}d or {n + 2}d Tensor, but "
            f"got a tensor with {x.ndim} dimensions."
        )
    size = _size(x.shape, k, t, p, output_size)
    need_floats(f"max_unpool{max(2, n)}d", x)
    if indices.dtype.short != "Long":
        raise RuntimeError(
            f"elements in indices should be type int64 but got: {indices.dtype.short}"
        )
    if indices.shape != x.shape:
        line = (1,) * (n == 1)  # of which PyTorch makes an image of width 1
        raise RuntimeError(
            "Expected shape of indices to be same as that of the input tensor "
            f"({[*x.shape, *line]}) but got indices tensor with shape: "
            f"{[*indices.shape, *line]}"
        )
    index = indices._data
    _check_index(index, size)
    y: Tensor = apply1(MaxUnpool(index, size), x)
    watch_version(y, indices)
    return y


def _check_index(index: Any, size: Numbers) -> None:
    cells = 1
    for s in size:
        cells *= s
    wrong = index[(index < 0) | (index >= cells)]
    if wrong.size:
        shown = "x".join(str(s) for s in ((1, *size) if len(size) == 1 else size))
        raise RuntimeError(
            f"Found an invalid max index: {int(wrong[-1])} (output volumes are of size "
            f"{shown})"
        )


def _size(
    shape: Numbers, kernel: Numbers, stride: Numbers, padding: Numbers, given: Any
) -> Numbers:
    """Size of the result: the smallest whose pooling has the input's, or the given."""
    n = len(kernel)
    least = [
        (s - 1) * t + k - 2 * p
        for s, k, t, p in zip(shape[-n:], kernel, stride, padding, strict=True)
    ]
    if given is None:
        return tuple(least)
    if len(given) == n + 2:
        given = given[2:]
    if len(given) != n:
        raise ValueError(
            f"output_size should be a sequence containing {n} or {n + 2} elements, but "
            f"it has a length of '{len(given)}'"
        )
    for i, (size, default, t) in enumerate(zip(given, least, stride, strict=True)):
        low, high = default - t, default + t
        if not low < size < high:
            raise ValueError(
                f'invalid output_size "{given}" (dim {i} must be between {low} and '
                f"{high})"
            )
    return ints_of(given)


@parser_errors
def max_unpool1d(
    input: Tensor,
    indices: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    output_size: Any = None,
) -> Tensor:
    """Values back to where `max_pool1d` found them, zeros elsewhere.

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
    """Values back to where `max_pool2d` found them, zeros elsewhere.

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
    """Values back to where `max_pool3d` found them, zeros elsewhere.

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
