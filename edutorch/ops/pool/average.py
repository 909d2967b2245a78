"""Average pooling: the mean of each window."""

from __future__ import annotations

from typing import Any

from ...autograd import modes as _m
from ...autograd.dispatch import Op, apply1
from ...kernels import avg_pool as kernels
from ...kernels.memory_format import match_image_format, row_major
from ...tensor.tensor import Tensor
from ..argument_checks import need_floats, refuse_kinds, type_error
from ..argument_errors import check_call
from ..dims import dim_unless_scalar
from ..registration import copyto
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

__all__ = ["avg_pool1d", "avg_pool2d", "avg_pool3d", "check_average_dtype"]


class AvgOp(Op):
    """Base class of both ops: the windows and the divisor."""

    saves = ()

    def __init__(
        self,
        kernel: Numbers,
        stride: Numbers,
        padding: Numbers,
        ceil_mode: bool,
        count_include_pad: bool,
        divisor: int | None,
    ) -> None:
        self.kernel, self.stride, self.padding = kernel, stride, padding
        self.ceil_mode, self.count_include_pad = ceil_mode, count_include_pad
        self.divisor = divisor

    @property
    def params(self) -> tuple[Any, ...]:
        """All arguments of `__init__`."""
        windows = self.kernel, self.stride, self.padding, self.ceil_mode
        return *windows, self.count_include_pad, self.divisor


class AvgPool(AvgOp):
    """The mean of each window.

    Math: y[p] = Σ_k x[p·stride − padding + k] / count      ∂L/∂x = g / count, spread
    Shape: (N, C, *S) -> (N, C, *S')
    """

    double_backward = "zeros"
    attributes = (
        "kernel",
        "stride",
        "padding",
        "ceil_mode",
        "count_include_pad",
        "divisor",
    )
    onnx = "AveragePool"

    @property
    def public(self) -> str:
        """The name of the public function."""
        return f"avg_pool{len(self.kernel)}d"

    def name(self) -> str:
        """PyTorch's name of the node."""
        return f"AvgPool{len(self.kernel)}DBackward0"

    def check(self, x: Tensor) -> None:
        """Check that at least one window fits."""
        check_avg(x, self.kernel, self.stride, self.padding, self.divisor)
        shape = tuple(x.shape)
        params = self.kernel, self.stride, self.padding
        if len(self.kernel) == 1:
            shape, params = _as_image(tuple(x.shape), *params)
        check_result(shape, *params, (1,) * len(params[0]), self.ceil_mode)
        check_average_dtype(x, len(self.kernel))

    def forward(self, x: Any) -> Any:
        single = x.ndim == len(self.kernel) + 1
        self.size = x.shape
        y = kernels.avg_pool(
            x[None] if single else x, self.kernel, self.stride, self.padding,
            self.ceil_mode, self.count_include_pad, self.divisor,
        )  # fmt: skip
        return row_major(y[0]) if single else match_image_format(y, x)

    def backward(self, g: Any) -> Any:
        return apply1(AvgPoolSpread(self.size, *self.params), g)


class AvgPoolSpread(AvgOp):
    """Spreads each value evenly over its window: the gradient of `AvgPool`.

    Math: y[p·stride − padding + k] += x[p] / count      ∂L/∂x = avg_pool(g)
    Shape: (N, C, *S') -> (N, C, *S)
    """

    attributes = ("size", *AvgPool.attributes)
    torch_name = "AvgPoolBackward"

    def __init__(self, size: Numbers, *params: Any) -> None:
        super().__init__(*params)
        self.size = size

    def forward(self, x: Any) -> Any:
        single = x.ndim == len(self.kernel) + 1
        y = kernels.avg_pool_backward(
            x[None] if single else x, (1, *self.size) if single else self.size,
            self.kernel, self.stride, self.padding,
            self.count_include_pad, self.divisor,
        )  # fmt: skip
        return y[0] if single else y

    def backward(self, g: Any) -> Any:
        return apply1(AvgPool(*self.params), g)


def check_average_dtype(x: Tensor, n: int) -> None:
    """Refuse dtypes other than floats and int64, for which PyTorch has kernels."""
    kernel = "avg_pool3d_out_frame" if n == 3 else image_kernel("avg_pool2d", x, n)
    need_floats(kernel, x, also="iub")
    if x.dtype.short in ("Int", "Short", "Char", "Byte", "Bool"):
        check_float(x, kernel)
    if n == 3:
        refuse_kinds(kernel, "h", x)


def _divisor(given: Any) -> int | None:
    """The number to divide sums by as a Python int, if one is given."""
    if given is None or type(given) is int:
        return given
    check_call(False)
    return int(given)


def check_avg(
    x: Tensor,
    kernel: Numbers,
    stride: Numbers,
    padding: Numbers,
    divisor: int | None,
) -> None:
    """Check what does not depend on the input's size."""
    n = len(kernel)
    if divisor == 0:
        raise RuntimeError("divisor must be not zero")
    if n == 1:
        _check_1d(x, kernel, stride, padding)
    else:
        if n == 2:
            dim_unless_scalar(-3, x.ndim)  # PyTorch checks the channel first
        elif x.ndim not in (4, 5):
            raise rank_error(3)
        check_window(n, kernel, stride, padding, (1,) * n)
        check_channels(x.shape, n, "avg_pool3d()")
    if n == 3 and any(s < k for s, k in zip(x.shape[-3:], kernel, strict=True)):
        given, wanted = (
            zip("THW", x.shape[-3:], strict=True),
            zip("THW", kernel, strict=True),
        )
        image = " ".join(f"{axis}: {s}" for axis, s in given)
        window = " ".join(f"k{axis}: {k}" for axis, k in wanted)
        raise RuntimeError(f"input image ({image}) smaller than kernel size ({window})")


def _check_1d(x: Tensor, kernel: Numbers, stride: Numbers, padding: Numbers) -> None:
    """Check a sequence, which PyTorch pools as an image of height 1."""
    if x.ndim not in (2, 3):
        raise RuntimeError(
            f"Expected 2 to 3 dimensions, but got {x.ndim}-dimensional tensor for "
            "argument #1 'self' (while checking arguments for avg_pool1d)"
        )
    shape, (k, t, p) = _as_image(tuple(x.shape), kernel, stride, padding)
    check_window(2, k, t, p, (1, 1))
    check_channels(shape, 2)


def _as_image(
    shape: Numbers, kernel: Numbers, stride: Numbers, padding: Numbers
) -> tuple[Numbers, tuple[Numbers, Numbers, Numbers]]:
    """A sequence as an image of height 1, with its window."""
    image = (*shape[:-1], 1, shape[-1])
    return image, ((1, *kernel), (1, *stride), (0, *padding))


def avg_pool1d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:
    """The mean of each window along one dimension.

    Math: y[p] = Σ_k x[p·stride − padding + k] / count      ∂L/∂x = g / count, spread
    Shape: (N, C, L) -> (N, C, L'); N may be absent

    Args:
        input: the planes.
        kernel_size: size of the window.
        stride: steps between windows; by default they touch (`kernel_size`).
        padding: zeros at both ends of each dimension.
        ceil_mode: a last, partial window counts.
        count_include_pad: zeros of the padding count as cells.

    Raises:
        RuntimeError: for impossible arguments, or if no window fits.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.functional.avg_pool1d(torch.tensor([[1., 3., 2., 0.]]), 2)
        tensor([[2., 1.]])
    """
    if ceil_mode is not False and ceil_mode is not True:
        raise type_error("bool", "ceil_mode", ceil_mode, "avg_pool1d")
    if count_include_pad is not False and count_include_pad is not True:
        raise type_error("bool", "count_include_pad", count_include_pad, "avg_pool1d")
    params = window_arguments("avg_pool1d", 1, kernel_size, stride, padding)[:3]
    rest = ceil_mode, count_include_pad, None
    images = _as_image((0,), *params)[1]
    return pool_line(apply1, AvgPool(*params, *rest), AvgPool(*images, *rest), input)


def avg_pool2d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The mean of each window over two dimensions.

    Math: y[p] = Σ_k x[p·stride − padding + k] / count      ∂L/∂x = g / count, spread
    Shape: (N, C, H, W) -> (N, C, H', W'); N may be absent

    Args:
        input: the planes.
        kernel_size: size of the window.
        stride: steps between windows; by default they touch (`kernel_size`).
        padding: zeros at both ends of each dimension.
        ceil_mode: a last, partial window counts.
        count_include_pad: zeros of the padding count as cells.
        divisor_override: what to divide by instead of the number of cells.

    Raises:
        RuntimeError: for impossible arguments, or if no window fits.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.functional.avg_pool2d(torch.tensor([[[1., 3.], [2., 0.]]]), 2)
        tensor([[[1.5000]]])
    """
    if ceil_mode is not False and ceil_mode is not True:
        raise type_error("bool", "ceil_mode", ceil_mode, "avg_pool2d")
    if count_include_pad is not False and count_include_pad is not True:
        raise type_error("bool", "count_include_pad", count_include_pad, "avg_pool2d")
    params = window_arguments("avg_pool2d", 2, kernel_size, stride, padding)[:3]
    divisor = _divisor(divisor_override)
    op = AvgPool(*params, ceil_mode, count_include_pad, divisor)
    result = apply1(op, input)
    if out is None:
        return result
    return copyto(out, result, "avg_pool2d", (input, kernel_size, stride, padding))


def avg_pool3d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The mean of each window over three dimensions.

    Math: y[p] = Σ_k x[p·stride − padding + k] / count      ∂L/∂x = g / count, spread
    Shape: (N, C, D, H, W) -> (N, C, D', H', W'); N may be absent

    Args:
        input: the planes.
        kernel_size: size of the window.
        stride: steps between windows; by default they touch (`kernel_size`).
        padding: zeros at both ends of each dimension.
        ceil_mode: a last, partial window counts.
        count_include_pad: zeros of the padding count as cells.
        divisor_override: what to divide by instead of the number of cells.

    Raises:
        RuntimeError: for impossible arguments, or if no window fits.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.functional.avg_pool3d(torch.ones(1, 2, 2, 2), 2)
        tensor([[[[1.]]]])
    """
    if _m.special_modes and avg_pool3d in _m.modes.autocast:
        return _m.autocast(
            avg_pool3d, input, kernel_size, stride, padding, ceil_mode,
            count_include_pad, divisor_override, out=out,
        )  # fmt: skip
    if ceil_mode is not False and ceil_mode is not True:
        raise type_error("bool", "ceil_mode", ceil_mode, "avg_pool3d")
    if count_include_pad is not False and count_include_pad is not True:
        raise type_error("bool", "count_include_pad", count_include_pad, "avg_pool3d")
    params = window_arguments("avg_pool3d", 3, kernel_size, stride, padding)[:3]
    divisor = _divisor(divisor_override)
    op = AvgPool(*params, ceil_mode, count_include_pad, divisor)
    result = apply1(op, input)
    if out is None:
        return result
    return copyto(out, result, "avg_pool3d", (input, kernel_size, stride, padding))
