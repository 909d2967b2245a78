"""Max pooling: the maximum of each window."""

from __future__ import annotations

from typing import Any

from ...autograd import modes as _m
from ...autograd.dispatch import apply, apply1
from ...autograd.modes import modes
from ...kernels import max_pool as kernels
from ...kernels.memory_format import (
    has_channels_last,
    match_image_format,
    match_memory_format,
    row_major,
)
from ...tensor.tensor import Tensor
from ..argument_checks import need_tensors, type_error
from ..argument_errors import parser_errors
from ..window_op import WindowOp
from .checks import (
    Numbers,
    check_channels,
    check_float,
    check_result,
    check_window,
    image_kernel,
    rank_error,
    window_arguments,
)
from .lines import pool_line

__all__ = [
    "max_pool1d",
    "max_pool1d_with_indices",
    "max_pool2d",
    "max_pool2d_with_indices",
    "max_pool3d",
    "max_pool3d_with_indices",
]


class MaxPool(WindowOp):
    """The maximum of each window, and optionally its index in the input plane.

    The first of equal values wins; nan wins over every number.

    Math: y[p] = max_k x[p·stride − padding + k·dilation]      ∂L/∂x = g at the maxima
    Shape: (N, C, *S) -> (N, C, *S')
    """

    double_backward = "zeros"
    attributes = ("kernel", "stride", "padding", "dilation", "ceil_mode", "indices")
    onnx = "MaxPool"
    saves_extra = True
    as_image = False

    def __init__(
        self,
        kernel: Numbers,
        stride: Numbers,
        padding: Numbers,
        dilation: Numbers,
        ceil_mode: bool,
        indices: bool,
    ) -> None:
        super().__init__(kernel, stride, padding, dilation)
        self.ceil_mode, self.indices = ceil_mode, indices

    @property
    def public(self) -> str:
        """The name of the public function."""
        return f"max_pool{len(self.kernel)}d"

    def name(self) -> str:
        """PyTorch's name of the node."""
        return f"MaxPool{len(self.kernel)}DWithIndicesBackward0"

    def check(self, x: Tensor) -> None:
        """Check that at least one window fits."""
        k, t, p, d = self.params
        n, shape = len(k), tuple(x.shape)
        if n == 1 and not self.indices:
            _check_1d(x, k, t, p, d, self.ceil_mode)
            return
        if n == 1:  # PyTorch pools an image of height 1
            if len(shape) not in (2, 3):
                raise RuntimeError(
                    f"Expected 2 to 3 dimensions, but got {len(shape)}-dimensional "
                    "tensor for argument #1 'self' (while checking arguments for "
                    "max_pool1d)"
                )
            k, t, p, d = (1, *k), (1, *t), (0, *p), (1, *d)
            n, shape = 2, (*shape[:-1], 1, shape[-1])
        if len(shape) not in (n + 1, n + 2):
            raise rank_error(n)
        check_window(n, k, t, p, d)
        check_channels(shape, n)
        if n == 3 and len(shape) == 4 and has_channels_last(x._data):
            raise RuntimeError(
                "Unsupported memory format. Supports only ChannelsLast3d, Contiguous"
            )
        check_result(shape, k, t, p, d, self.ceil_mode)
        if x.dtype.short == "Bool" or x.dtype.is_complex:
            check_float(x, image_kernel(f"max_pool{n}d", x, len(self.kernel)))

    def forward(self, x: Any) -> Any:
        single = x.ndim == len(self.kernel) + 1
        images = x[None] if single else x
        self.size = x.shape
        y, argmax = kernels.max_pool(images, *self.params, self.ceil_mode)
        match = match_image_format if self.as_image else match_memory_format
        y = match(y, x)
        self.saved = argmax
        if not self.indices:
            return y[0] if single else y
        index = kernels.max_pool_indices(argmax, images.shape[2:], *self.params)
        if single:
            return y[0], row_major(index[0])
        return y, match(index, y)

    def backward(self, g: Any, *_: Any) -> Any:
        return apply1(MaxPoolScatter(self.saved, self.size, *self.params), g)


class MaxPoolScatter(WindowOp):
    """Adds each value at its window's maximum: the gradient of `MaxPool`.

    Math: y[argmax of p] += x[p]      ∂L/∂x = g at the maxima
    Shape: (N, C, *S') -> (N, C, *S)
    """

    attributes = ("argmax", "size", "kernel", "stride", "padding", "dilation")
    torch_name = "MaxPoolWithIndicesBackward"

    def __init__(
        self,
        argmax: Any,
        size: Numbers,
        kernel: Numbers,
        stride: Numbers,
        padding: Numbers,
        dilation: Numbers,
    ) -> None:
        super().__init__(kernel, stride, padding, dilation)
        self.argmax, self.size = argmax, size

    def forward(self, x: Any) -> Any:
        shape = self.argmax.shape[:2] + self.size[-len(self.kernel) :]
        x = x.reshape(self.argmax.shape)
        y = kernels.max_pool_backward(x, self.argmax, shape, *self.params)
        return y.reshape(self.size)

    def backward(self, g: Any) -> Any:
        return apply1(MaxPoolGather(self.argmax, self.size, *self.params), g)


class MaxPoolGather(MaxPoolScatter):
    """The value at each window's maximum: the transpose of `MaxPoolScatter`.

    Math: y[p] = x[argmax of p]      ∂L/∂x[argmax of p] += g[p]
    Shape: (N, C, *S) -> (N, C, *S')
    """

    torch_name = "MaxPoolWithIndicesGather"

    def forward(self, x: Any) -> Any:
        images = x.reshape(self.argmax.shape[:2] + self.size[-len(self.kernel) :])
        y = kernels.max_pool_take(images, self.argmax, *self.params)
        single = x.ndim == len(self.kernel) + 1
        return y[0] if single else y

    def backward(self, g: Any) -> Any:
        return apply1(MaxPoolScatter(self.argmax, self.size, *self.params), g)


def _check_1d(
    x: Tensor,
    kernel: Numbers,
    stride: Numbers,
    padding: Numbers,
    dilation: Numbers,
    ceil_mode: bool,
) -> None:
    """Check the operands of `max_pool1d`, whose messages differ from the others'."""
    (k,), (t,), (p,), (d,) = kernel, stride, padding, dilation
    if x.ndim not in (2, 3) or 0 in x.shape[-2:]:
        raise RuntimeError(
            "max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim "
            f"batch size for input, but got:{list(x.shape)}"
        )
    for name, value in (("kernel_size", k), ("stride", t), ("dilation", d)):
        if value <= 0:
            raise RuntimeError(
                f"max_pool1d() {name} must be greater than zero, but got {value}"
            )
    if p < 0:
        raise RuntimeError(f"max_pool1d() padding must be non-negative, but got {p}")
    if p > k // 2:
        raise RuntimeError(
            "max_pool1d() padding should be at most half of kernel size, but got "
            f"padding={p} and kernel_size={k}"
        )
    room = x.shape[-1] + 2 * p - d * (k - 1) - 1
    out = (room + t - 1 if ceil_mode else room) // t + 1
    if out <= 0:
        raise RuntimeError(f"max_pool1d() Invalid computed output size: {out}")
    recorded = x.requires_grad and modes.grad  # PyTorch records the pool of an image
    check_float(x, image_kernel("max_pool2d", x, 1) if recorded else "max_pool1d_impl")


def max_pool1d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """The maximum of each window along one dimension.

    The first of equal values wins; nan wins over every number.

    Math: y[p] = max_k x[p·stride − padding + k·dilation]      ∂L/∂x = g at the maxima
    Shape: (N, C, L) -> (N, C, L'); N may be absent

    Args:
        input: the planes.
        kernel_size: size of the window.
        stride: steps between windows; by default they touch (`kernel_size`).
        padding: cells of −∞ at both ends of each dimension.
        dilation: distance between the cells of a window.
        ceil_mode: a last, partial window counts.
        return_indices: also return where each value stood in its flattened plane.

    Raises:
        RuntimeError: for impossible arguments, or if no window fits.

    Example:
        >>> import edutorch as torch
        >>> torch.max_pool1d(torch.tensor([[1., 3., 2., 0.]]), 2)
        tensor([[3., 2.]])
    """
    if ceil_mode is not False and ceil_mode is not True:
        raise type_error("bool", "ceil_mode", ceil_mode, "max_pool1d")
    need_tensors("max_pool1d", input=input)
    return _max_pool(
        input, kernel_size, stride, padding, dilation, ceil_mode, return_indices, 1
    )


def max_pool1d_with_indices(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """`max_pool1d` that always returns the indices.

    Math: y[p] = max_k x[p·stride − padding + k·dilation]      ∂L/∂x = g at the maxima
    Shape: (N, C, L) -> (N, C, L'), (N, C, L')

    Raises:
        TypeError: for a flag that is not a bool.

    Example:
        >>> import edutorch as torch
        >>> f = torch.nn.functional.max_pool1d_with_indices
        >>> f(torch.tensor([[1.0, 3.0, 2.0, 0.0]]), 2)
        (tensor([[3., 2.]]), tensor([[1, 2]]))
    """
    if ceil_mode is not False and ceil_mode is not True:
        raise type_error("bool", "ceil_mode", ceil_mode, "max_pool1d_with_indices")
    return _max_pool(input, kernel_size, stride, padding, dilation, ceil_mode, True, 1)


def max_pool2d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """The maximum of each window over two dimensions.

    The first of equal values wins; nan wins over every number.

    Math: y[p] = max_k x[p·stride − padding + k·dilation]      ∂L/∂x = g at the maxima
    Shape: (N, C, H, W) -> (N, C, H', W'); N may be absent

    Args:
        input: the planes.
        kernel_size: size of the window.
        stride: steps between windows; by default they touch (`kernel_size`).
        padding: cells of −∞ at both ends of each dimension.
        dilation: distance between the cells of a window.
        ceil_mode: a last, partial window counts.
        return_indices: also return where each value stood in its flattened plane.

    Raises:
        RuntimeError: for impossible arguments, or if no window fits.

    Example:
        >>> import edutorch as torch
        >>> torch.max_pool2d(torch.tensor([[[1., 3.], [2., 0.]]]), 2)
        tensor([[[3.]]])
    """
    if ceil_mode is not False and ceil_mode is not True:
        raise type_error("bool", "ceil_mode", ceil_mode, "max_pool2d")
    need_tensors("max_pool2d", input=input)
    return _max_pool(
        input, kernel_size, stride, padding, dilation, ceil_mode, return_indices, 2
    )


@parser_errors
def max_pool2d_with_indices(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """`max_pool2d` that always returns the indices.

    Math: y[p] = max_k x[p·stride − padding + k·dilation]      ∂L/∂x = g at the maxima
    Shape: (N, C, H, W) -> (N, C, H', W'), (N, C, H', W')

    Raises:
        TypeError: for a flag that is not a bool.

    Example:
        >>> import edutorch as torch
        >>> f = torch.nn.functional.max_pool2d_with_indices
        >>> f(torch.tensor([[[1.0, 3.0], [4.0, 2.0]]]), 2)  # the third of the plane
        (tensor([[[4.]]]), tensor([[[2]]]))
    """
    if ceil_mode is not False and ceil_mode is not True:
        raise type_error("bool", "ceil_mode", ceil_mode, "max_pool2d_with_indices")
    return _max_pool(input, kernel_size, stride, padding, dilation, ceil_mode, True, 2)


def max_pool3d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """The maximum of each window over three dimensions.

    The first of equal values wins; nan wins over every number.

    Math: y[p] = max_k x[p·stride − padding + k·dilation]      ∂L/∂x = g at the maxima
    Shape: (N, C, D, H, W) -> (N, C, D', H', W'); N may be absent

    Args:
        input: the planes.
        kernel_size: size of the window.
        stride: steps between windows; by default they touch (`kernel_size`).
        padding: cells of −∞ at both ends of each dimension.
        dilation: distance between the cells of a window.
        ceil_mode: a last, partial window counts.
        return_indices: also return where each value stood in its flattened plane.

    Raises:
        RuntimeError: for impossible arguments, or if no window fits.

    Example:
        >>> import edutorch as torch
        >>> torch.max_pool3d(torch.arange(16.0).reshape(1, 2, 2, 4), 2)
        tensor([[[[13., 15.]]]])
    """
    if _m.special_modes and max_pool3d in _m.modes.autocast:
        return _m.autocast(
            max_pool3d, input, kernel_size, stride, padding, dilation, ceil_mode,
            return_indices,
        )  # fmt: skip
    if ceil_mode is not False and ceil_mode is not True:
        raise type_error("bool", "ceil_mode", ceil_mode, "max_pool3d")
    return _max_pool(
        input, kernel_size, stride, padding, dilation, ceil_mode, return_indices, 3
    )


def max_pool3d_with_indices(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """`max_pool3d` that always returns the indices.

    Math: y[p] = max_k x[p·stride − padding + k·dilation]      ∂L/∂x = g at the maxima
    Shape: (N, C, D, H, W) -> (N, C, D', H', W'), (N, C, D', H', W')

    Example:
        >>> import edutorch as torch
        >>> f = torch.nn.functional.max_pool3d_with_indices
        >>> f(torch.arange(8.0).reshape(1, 2, 2, 2), 2)
        (tensor([[[[7.]]]]), tensor([[[[7]]]]))
    """
    return _max_pool(input, kernel_size, stride, padding, dilation, ceil_mode, True, 3)


def _max_pool(
    x: Tensor,
    kernel: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    ceil_mode: bool,
    indices: bool,
    n: int,
) -> Any:
    name = "max_pool1d_with_indices" if n == 1 and indices else f"max_pool{n}d"
    params = window_arguments(name, n, kernel, stride, padding, dilation)
    run = apply if indices else apply1  # two results or one
    op = MaxPool(*params, ceil_mode, indices)
    if n > 1:
        return run(op, x)
    op.as_image = indices  # PyTorch pools a line as an image then
    k, t, p, d = params
    images = (1, *k), (1, *t), (0, *p), (1, *d)
    return pool_line(run, op, MaxPool(*images, ceil_mode, indices), x)
