"""im2col and col2im: sliding windows of images as columns, and back."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import Any

from ...autograd.dispatch import apply1
from ...kernels import unfold as kernels
from ...kernels.memory_format import row_major
from ...kernels.sliding_windows import conv_size
from ...tensor.tensor import Tensor
from ..argument_checks import need_tensors, refuse_kinds
from ..dims import dim_unless_scalar
from ..int_arguments import ints_of
from ..window_op import WindowOp
from .checks import Numbers

__all__ = ["fold", "unfold"]


class Unfold(WindowOp):
    """The windows of each image, as columns.

    Math: y[n, (c, k), p] = x[n, c, q], q = p·stride − padding + k·dilation
          ∂L/∂x = fold(g)
    Shape: (N, C, H, W) -> (N, C·prod(K), L)
    """

    attributes = ("kernel", "stride", "padding", "dilation")
    torch_name = "Im2Col"
    complex32_kernel = "im2col_out_cpu"

    def forward(self, x: Any) -> Any:
        self.size = x.shape[-2:]
        if x.ndim == 3:  # a single image
            return row_major(kernels.unfold(x[None], *self.params)[0])
        return row_major(kernels.unfold(x, *self.params))

    def backward(self, g: Any) -> Any:
        return apply1(Fold(self.size, *self.params), g)


class Fold(WindowOp):
    """Columns summed at their positions in the image.

    Math: y[n, c, q] += x[n, (c, k), p], q = p·stride − padding + k·dilation
          ∂L/∂x = unfold(g)
    Shape: (N, C·prod(K), L) -> (N, C, H, W)
    """

    attributes = ("size", "kernel", "stride", "padding", "dilation")
    torch_name = "Col2Im"

    def __init__(
        self,
        size: Numbers,
        kernel: Numbers,
        stride: Numbers,
        padding: Numbers,
        dilation: Numbers,
    ) -> None:
        super().__init__(kernel, stride, padding, dilation)
        self.size = size

    def forward(self, x: Any) -> Any:
        if x.ndim == 2:  # the columns of a single image
            return kernels.fold(x[None], self.size, *self.params)[0]
        return kernels.fold(x, self.size, *self.params)

    def backward(self, g: Any) -> Any:
        return apply1(Unfold(*self.params), g)


def unfold(
    input: Tensor,
    kernel_size: Any,
    dilation: Any = 1,
    padding: Any = 0,
    stride: Any = 1,
) -> Tensor:
    """Extract sliding windows of images as columns (im2col).

    Math: y[n, (c, k), p] = x[n, c, q], q = p·stride − padding + k·dilation
          ∂L/∂x = fold(g)
    Shape: (N, C, H, W) -> (N, C·prod(K), L), L = number of blocks; N may be absent

    Raises:
        RuntimeError: where no block fits, or the numbers are impossible.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.functional.unfold(torch.ones(1, 1, 2, 3), kernel_size=2)
        tensor([[[1., 1.],
                 [1., 1.],
                 [1., 1.],
                 [1., 1.]]])
    """
    need_tensors("im2col", input=input)
    params = _pairs(kernel_size, stride, padding, dilation)
    _check_positive("kernel", params[0])
    _check_positive("dilation", params[3])
    _check_padding(params[2])
    _check_positive("stride", params[1])
    rows = dim_unless_scalar(1, input.ndim)  # the sizes of an image
    if input.shape[rows]:
        dim_unless_scalar(2, input.ndim)
    _check_rank(input, 4)
    _check_blocks(input.shape[-2:], *params)
    refuse_kinds("im2col_out_cpu", "iu", input)
    y: Tensor = apply1(Unfold(*params), input)
    return y


def fold(
    input: Tensor,
    output_size: Any,
    kernel_size: Any,
    dilation: Any = 1,
    padding: Any = 0,
    stride: Any = 1,
) -> Tensor:
    """Sum columns to images, where windows overlap (col2im).

    Math: y[n, c, q] += x[n, (c, k), p], q = p·stride − padding + k·dilation
          ∂L/∂x = unfold(g)
    Shape: (N, C·prod(K), L) -> (N, C, H, W); N may be absent

    Raises:
        RuntimeError: if the columns are not those of blocks of such an image.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.functional.fold(torch.ones(1, 2, 2), (1, 3), (1, 2))
        tensor([[[[1., 2., 1.]]]])
    """
    need_tensors("col2im", input=input)
    size = _pair(output_size, "output_size")
    params = _pairs(kernel_size, stride, padding, dilation)
    _check_positive("kernel", params[0])
    _check_positive("stride", params[1])
    _check_positive("dilation", params[3])
    _check_padding(params[2])
    if input.ndim not in (2, 3) or 0 in input.shape[-2:]:
        raise RuntimeError(
            "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch "
            "size and non-zero dimensions for input, but got: "
            f"{list(input.shape)}"
        )
    _check_rank(input, 3)
    _check_columns(tuple(input.shape[-2:]), size, *params)
    refuse_kinds("col2im_out_cpu", "iu", input)
    y: Tensor = apply1(Fold(size, *params), input)
    return y


def _pair(value: Any, name: str) -> Numbers:
    if isinstance(value, Iterable):
        value = tuple(value)
    given = ints_of(value)
    if len(given) == 1 and not isinstance(value, (tuple, list)):
        return given * 2
    if len(given) != 2:
        raise RuntimeError(
            f"It is expected {name} equals to 2, but got size {len(given)}"
        )
    return given


def _pairs(kernel: Any, stride: Any, padding: Any, dilation: Any) -> Any:
    """The four pairs of numbers."""
    k, t = _pair(kernel, "kernel_size"), _pair(stride, "stride")
    return k, t, _pair(padding, "padding"), _pair(dilation, "dilation")


def _check_positive(name: str, pair: Numbers) -> None:
    if min(pair) <= 0:
        what = "kernel size" if name == "kernel" else name
        raise RuntimeError(
            f"{what} should be greater than zero, but got {name}_height: {pair[0]} "
            f"{name}_width: {pair[1]}"
        )


def _check_padding(pair: Numbers) -> None:
    if min(pair) < 0:
        raise RuntimeError(
            "padding should be non-negative, but got "
            f"pad_height: {pair[0]} pad_width: {pair[1]}"
        )


def _check_rank(x: Any, ndim: int) -> None:
    """Check the rank; only the batch may be missing or empty."""
    if x.ndim not in (ndim - 1, ndim) or 0 in x.shape[1 - ndim :]:
        raise RuntimeError(
            f"Expected {ndim - 1}D or {ndim}D (batch mode) tensor with possibly 0 "
            "batch size and other non-zero dimensions for input, but got: "
            f"{list(x.shape)}"
        )


def _check_blocks(
    size: Numbers, kernel: Numbers, stride: Numbers, padding: Numbers, dilation: Numbers
) -> None:
    out = conv_size(tuple(size), kernel, stride, padding, dilation)
    if min(out) < 1:
        raise RuntimeError(
            f"Given input with spatial size {tuple(size)}, kernel_size={kernel}, "
            f"dilation={dilation}, padding={padding}, calculated shape of the array of "
            f"sliding blocks as {out}, but its components must be at least one."
        )


def _check_columns(
    shape: Numbers,
    size: Numbers,
    kernel: Numbers,
    stride: Numbers,
    padding: Numbers,
    dilation: Numbers,
) -> None:
    rows, found = shape
    if rows % prod(kernel):
        raise RuntimeError(
            "Expected size of input's dimension 1 to be divisible by the product of "
            f"kernel_size, but got input.size(1)={rows} and kernel_size={kernel}."
        )
    out = conv_size(size, kernel, stride, padding, dilation)
    if found != prod(out):
        raise RuntimeError(
            f"Given output_size={size}, kernel_size={kernel}, dilation={dilation}, "
            f"padding={padding}, stride={stride}, expected size of input's dimension 2 "
            f"to match the calculated number of sliding blocks {out[0]} * {out[1]} = "
            f"{prod(out)}, but got input.size(2)={found}."
        )
